//! A software switch between network interfaces whose egress queues are OpenQueue policies.
//!
//! ```text
//! Interface ──frames──> offloads undone ──> Forwarding ──> Egress = policy (Live) + frames ──pace──> Interface
//! ```
//!
//! [`Switch`] does one round at a time and is told the time; [`run`](run()) calls it until it is stopped, with a clock,
//! and answers a control socket. The files in `src/backend/` are the kinds of interfaces. Every frame that came is at every moment forwarded,
//! waiting, or counted under a [`Rule`]: [`Stats::check`] says whether that is so.

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
