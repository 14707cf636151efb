//! Seer (Lei and Shrivastav, NSDI'24): the queues of a node tell the next node which packets come, and when, and its cache
//! fetches and evicts accordingly.
//!
//! Nothing here schedules an event, opens a file or reads a clock: time is an argument, and whoever runs a network asks
//! what is to be sent and hands over what has come.

pub mod announcer;
mod fpm;
pub mod prototype;

pub use announcer::{Announcer, AnnouncerCounts, AnnouncerSpec, Idle};
pub use fpm::Fpm;
