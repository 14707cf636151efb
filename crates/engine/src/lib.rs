//! Engines that run OpenQueue policies (`docs/openqueue-semantics.md`).
//!
//! An [`Engine`] keeps the packets of a whole policy: all of its queues, ports and buffers.

pub mod slotted;
mod traits;

pub use traits::{Engine, Occupancy, Options, Served, Waiting};
