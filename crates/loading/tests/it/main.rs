//! The loading cache as its users meet it: polled by hand, and in a runtime.

mod aborts;
mod announcements;
mod by_hand;
mod contents;
mod dropped_waiters;
mod entries;
mod failures;
mod hit_ratio;
mod keys;
mod kills;
mod memory;
mod model;
mod refresh;
mod runtime;
mod single_flight;
mod snapshots;
mod soak;
mod threads;
mod timers;
mod weights;
