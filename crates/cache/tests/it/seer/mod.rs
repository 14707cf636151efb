//! Seer's notifications and cache against what a reader believes at a glance.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod after_eviction;
mod announcer;
mod beside_reference;
mod beside_state_cache;
mod clocked;
mod corrections;
mod figures;
mod hardware_streams;
mod prefetch_slots;
mod protocol;
mod prototype;
mod reference;
mod skipped_iterations;
mod survival;
mod visibility;
