//! Tests of the engines.

mod admission;
mod build;
mod classify;
mod conservation;
mod drops;
mod fast;
mod many_changes;
mod orders;
mod random_policy;
mod random_traffic;
mod same;
mod service;
