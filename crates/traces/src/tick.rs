//! An arrival, and the arithmetic of times that all sources of arrivals share.

use forebay_core::{Rng, Time};
use rand_distr::{Distribution as _, Exp1};

/// An arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tick {
    /// When.
    pub(crate) at: Time,
    /// The place of its flow among those that send at the same time.
    pub(crate) place: usize,
    /// Whether a flow starts here, in a place that is free.
    pub(crate) starts: bool,
}

pub(crate) fn exponential(rng: &mut Rng, mean: f64) -> f64 {
    let unit: f64 = Exp1.sample(rng);
    unit * mean
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
pub(crate) fn to_ps(ps: f64) -> u64 {
    ps as u64
}
