//! A caching HTTP proxy that chooses victims by the latencies that it measures, and its parts for Pingora services.
//!
//! The command is `forebay-proxy --origin http://HOST:PORT`. A Pingora service takes [`Manager`], an eviction manager
//! and a key lock at once. It may also take [`Store`], a bounded storage.
//! docs/proxy.md says what the proxy does.

mod access_log;
mod admin;
mod counts;
mod decisions;
mod durations;
mod exchange;
mod failure;
mod headers;
mod invalidation;
mod key;
mod manager;
mod origins;
mod rules;
mod run;
mod service;
pub mod settings;
mod status;
mod store;

pub use access_log::LOG_FORMAT;
pub use counts::Counts;
pub use durations::{BUCKETS, Durations};
pub use failure::StartError;
pub use manager::Manager;
pub use run::Running;
pub use settings::Settings;
pub use store::Store;
