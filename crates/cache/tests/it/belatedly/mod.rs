//! Tests of the bounds, as one binary.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests may fail, and say what was skipped")]

mod against_optimum;
mod beside_policies;
mod cases;
mod certificate;
mod counts;
#[cfg(feature = "exact")]
mod exact;
mod pfoo;
mod proof;
mod real_traces;
pub(crate) mod reference;
mod sized_optimum;
mod windows;
