//! The scheduler as its users meet it: one thread at a time, and many.

mod estimators;
mod flows;
mod memory;
mod model;
mod pulling;
mod soak;
mod tasks;
#[cfg(feature = "tower")]
mod tower;
