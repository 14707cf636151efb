//! Cache policies and models against what a reader believes at a glance.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod admission;
mod against_lru;
mod allocation;
mod belatedly;
mod calibration;
mod candidates;
mod chains;
mod conformance;
mod delay_estimates;
mod delayed_hits;
mod latencies;
mod mad;
mod naive;
mod policies;
mod prefetch;
mod prefix;
mod seer;
mod size_changes;
mod slots;
mod survival;
mod tinylfu;
mod toy;
mod victim_among;
mod worst;
