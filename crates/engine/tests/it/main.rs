//! Tests of the engines.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod admission;
mod build;
mod changes;
mod classify;
mod conservation;
mod drops;
mod element;
mod engines;
mod fast;
mod live_policy;
mod many_changes;
mod many_changes_fast;
mod naive;
mod orders;
mod pace;
mod policies;
mod policy_script;
mod processing_sums;
mod random_policy;
mod random_stages;
mod random_traffic;
mod routines;
mod same;
mod service;
mod slotted_adversarial;
mod slotted_drive;
mod slotted_optima;
mod slotted_texts;
mod stages;
mod stories;
mod strict;
mod versions;
