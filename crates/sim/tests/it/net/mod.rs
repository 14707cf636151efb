//! Networks as a whole.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a test may stop")]

mod alone;
mod caches;
mod congestion;
mod conservation;
mod controls;
mod everything;
mod held_up;
mod hooks;
mod host_transport;
mod impaired;
mod lateness;
mod one_port;
mod orders;
mod queueing_theory;
mod reference;
mod relayed;
mod remote;
mod rerouting;
mod routing;
mod sack;
mod shared_element;
mod states;
mod support;
mod told;
mod topologies;
mod topology_file;
mod transports;
mod unqueued;
mod workload;
