//! What happens over time: events, an output port, and probes that watch it.
//!
//! This crate knows traits only ([`forebay_core::Discipline`],
//! [`forebay_core::Source`], [`Probe`]), never an algorithm. It reads no clock and
//! starts no thread: the same source, discipline and rate give the same result.

pub mod event;
pub mod port;
pub mod probe;
pub mod probes;
pub mod rank_multiset;

pub use event::EventQueue;
pub use port::{EndReason, Outcome, Port, RunOptions};
pub use probe::Probe;
