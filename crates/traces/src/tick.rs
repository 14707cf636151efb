//! An arrival, and the arithmetic of times that all sources of arrivals share.

use forebay_core::{Rng, Time};
use rand_distr::{Distribution as _, Exp1};

/// An arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tick {
    /// The time of the arrival.
    pub(crate) at: Time,
    /// The place of the arrival's flow among the flows that send at the same time.
    pub(crate) place: usize,
    /// Whether this arrival starts a flow, in a free place.
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
