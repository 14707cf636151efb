//! Engines that run OpenQueue policies (`docs/openqueue-semantics.md`).
//!
//! An [`Engine`] stores the packets of a whole policy: all of its queues, ports and buffers. [`Live`] changes the policy while packets are
//! queued. [`PolicyElement`] is a policy at its links, and [`PolicyDiscipline`] a policy with a single port.

mod discipline;
pub mod drop_trial;
mod element;
pub mod fast;
pub mod fields;
mod inner_ports;
pub mod live;
mod pace;
mod reference;
pub mod slotted;
mod traits;

pub use discipline::PolicyDiscipline;
pub use element::{PolicyElement, RefusedChange};
pub use fast::Fast;
pub use live::{Live, Transition};
pub use pace::Pace;
pub use reference::Reference;
pub use traits::{Classify, Cycles, Engine, EngineOptions, Occupancy, Passed, Routines, Served, Waiting};
