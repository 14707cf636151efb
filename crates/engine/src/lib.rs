//! Engines that run OpenQueue policies (`docs/openqueue-semantics.md`).
//!
//! An [`Engine`] keeps the packets of a whole policy: all of its queues, ports and buffers.

pub mod fast;
pub mod fields;
mod reference;
mod traits;
pub mod trial;

pub use reference::Reference;
pub use traits::{Engine, Occupancy, Options, Served, Waiting};
