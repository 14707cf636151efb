//! Networks as a whole.

mod alone;
mod conservation;
mod queueing_theory;
mod support;
