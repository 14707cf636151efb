//! Engines that run OpenQueue policies (`docs/openqueue-semantics.md`).
//!
//! An [`Engine`] keeps the packets of a whole policy: all of its queues, ports and buffers. [`Live`] changes the policy
//! while packets wait, and [`PolicyDiscipline`] is a policy with one port as a discipline.

mod discipline;
pub mod fast;
pub mod fields;
pub mod live;
mod reference;
mod traits;
pub mod trial;

pub use discipline::PolicyDiscipline;
pub use fast::Fast;
pub use live::{Live, Transition};
pub use reference::Reference;
pub use traits::{Engine, Occupancy, Options, Served, Waiting};
