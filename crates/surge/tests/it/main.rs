//! The scheduler as its users meet it: one thread at a time, and many.

mod estimators;
mod flows;
mod memory;
mod model;
mod soak;
mod tasks;
#[cfg(feature = "tower")]
mod tower;
mod workers;
