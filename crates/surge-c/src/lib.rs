//! The scheduler of `forebay-surge` for programs in C (`docs/surge-library.md`, "From C and DPDK").
//!
//! Schedulers and jobs in service have numbers, not addresses: a number that is wrong, or was valid once, gives an error. The
//! functions are in `calls.rs`, and `include/forebay_surge.h` declares the same ones; a test compares both.

mod calls;
mod guard;
mod handle;
mod pointers;
mod records;
mod registry;
mod status;

pub use calls::*;
pub use records::{Counts, SchedulerOptions, Served};
pub use status::Status;
