//! The proxy with real sockets on loopback: origins that are slow or fail, clients, signals.

mod client;
mod delayed_hits;
mod failures;
mod origin;
mod proxy;
mod restart;
mod rfc9111;
mod settings;
mod soak;
mod tls;
