//! A software switch between network interfaces whose egress queues are OpenQueue policies.
//!
//! ```text
//! Interface ──frames──> offloads undone ──> Forwarding ──> Egress = policy (Live) + frames ──pace──> Interface
//! ```
//!
//! [`Switch`] does one round at a time, at a given time. [`run`](run()) calls it with a clock until it is stopped, and answers a control
//! socket. The files in `src/backend/` are the kinds of interfaces. At every moment, each frame that arrived was forwarded, is queued, or
//! is counted under a [`Rule`]; [`Stats::check`] checks this.

#[path = "backend/registry.rs"]
pub mod backend;
mod change;
mod claim;
pub mod control;
mod device;
mod egress;
mod fabric;
mod forwarding;
pub mod frame;
mod interface;
mod link;
mod mapping;
mod membership;
mod ports;
mod prepare;
mod record;
mod rule;
mod run;
mod stats;
mod switching;
mod tap;
mod watched_interface;

pub use backend::BACKENDS;
pub use change::{CannotAdd, CannotChange, CannotRemove, CannotRun, CannotSet, MOST_QUEUES, OnePolicy, Setting, check};
pub use device::Master;
pub use forwarding::{Forwarding, Table};
pub use interface::{Backend, Interface, LinkState, News, OpenError, Sent};
pub use ports::PortSetup;
pub use prepare::{Plan, Prepared, PreparedPort};
pub use rule::{Dropped, Rule};
pub use run::{Ended, Event, Stopping, run};
pub use stats::{PolicyStats, PortStats, QueueStats, Removed, Stats, Unaccounted};
pub use switching::{Setup, Switch};
pub use tap::Tap;
pub use watched_interface::Watched;
