//! The loading cache as its users meet it: polled by hand, and in a runtime.

mod aborts;
mod announcements;
mod by_hand;
mod contents;
mod dropped_waiters;
mod entries;
mod failures;
mod kills;
mod memory;
mod model;
mod runtime;
mod single_flight;
mod soak;
mod threads;
mod timers;
mod weights;
