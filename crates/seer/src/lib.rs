//! Seer (Lei and Shrivastav, NSDI'24): the queues of a node tell the next node which packets come, and when, and its cache
//! fetches and evicts accordingly.
//!
//! Nothing here schedules an event, opens a file or reads a clock: time is an argument, and whoever runs a network asks
//! what is to be sent and hands over what has come.

pub mod announcer;
pub mod arrivals;
mod counts;
mod eviction;
pub mod examples;
mod fpm;
mod manager;
pub mod prototype;
mod seer_cache;
mod spec;

pub use announcer::{Announcer, AnnouncerCounts, AnnouncerSpec, Idle};
pub use arrivals::Arrivals;
pub use counts::{FpmCounts, SeerCounts, Visibility};
pub use fpm::Fpm;
pub use seer_cache::{Prefetch, SeerCache};
pub use spec::{Admit, AfterFailure, Pace, SeerSpec, ToX, cycles};
