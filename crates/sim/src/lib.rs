//! The simulation over time: events, an output port or processor, and probes that observe it.
//!
//! This crate knows traits only ([`forebay_core::Discipline`],
//! [`forebay_core::Source`], [`Probe`]), never an algorithm. It reads no clock and
//! starts no thread: the same source, discipline and rate give the same result.

pub mod attack;
mod estimated_work;
pub mod event;
mod event_wheel;
pub mod net;
mod output_port;
pub mod port;
mod port_meter;
pub mod probe;
pub mod probes;
pub mod rank_multiset;
mod servers;
mod service;
mod wakeup;

pub use estimated_work::Estimated;
pub use event::EventQueue;
pub use event_wheel::EventWheel;
pub use output_port::OutputPort;
pub use port::{EndReason, Port, PortOutcome, RunOptions};
pub use port_meter::{PortCounts, PortMeter};
pub use probe::Probe;
pub use servers::Servers;
pub use service::{Processor, Service};
pub use wakeup::Wakeup;
