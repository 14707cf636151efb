//! Cache policies and models against what a reader believes at a glance.

mod conformance;
mod delayed_hits;
mod naive;
mod policies;
