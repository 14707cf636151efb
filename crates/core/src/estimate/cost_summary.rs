//! The summary of a feature's costs: one number, whatever their count.

/// The weight of a new cost in a mean, as in TCP's smoothed round-trip time (RFC 6298).
const WEIGHT: f64 = 1.0 / 8.0;

/// The share of its value by which a median moves with each cost.
const STEP: f64 = 1.0 / 32.0;

/// The kind of summary of a feature's costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kept {
    /// The largest cost, as published (thesis, section 3.5.2). Without decay, a complete job is never underestimated
    /// again, but one job on which a feature is slow makes all its jobs look slow.
    Worst {
        /// The share by which the cost falls with each lower cost, from 0 (never) to 1. With 0.001 it halves within 693 cheap jobs, for
        /// which an attacker can wait.
        decay: f64,
    },
    /// A moving mean, with weight 1/8 for the latest cost. Cheap jobs make a costly one look cheap, and costly jobs
    /// make cheap ones look costly.
    Mean,
    /// The recent median. Each cost moves it up or down by 1/32 of its value, so it settles where equally many costs are above and below. A
    /// large cost of an attack moves the median no further than any other cost; only the first cost of all becomes the median at once. The
    /// median holds while attacks are fewer than half of a feature's jobs. It ignores the worst case, and so needs a work budget as well.
    Median,
}

impl Kept {
    /// The largest cost ever.
    #[must_use]
    pub fn worst() -> Self {
        Self::Worst { decay: 0.0 }
    }

    /// Returns the summary after a cost; `known` is the summary before.
    ///
    /// An interrupted job would have cost more. It can raise the worst cost, but a mean and a median do not learn from it. So a job that is
    /// interrupted several times counts once, when it is done.
    #[must_use]
    pub(crate) fn after(self, known: Option<f64>, cost: f64, is_whole: bool) -> Option<f64> {
        let Some(known) = known else {
            return (is_whole || matches!(self, Self::Worst { .. })).then_some(cost);
        };
        Some(match self {
            Self::Worst { decay } if is_whole => cost.max(known * (1.0 - decay)),
            Self::Worst { .. } => cost.max(known),
            Self::Mean | Self::Median if !is_whole => known,
            Self::Mean => known + (cost - known) * WEIGHT,
            // A share of zero is zero, so the first cost is taken as it is.
            Self::Median if known <= 0.0 => cost,
            Self::Median if cost > known => cost.min(known * (1.0 + STEP)),
            Self::Median => cost.max(known / (1.0 + STEP)),
        })
    }
}
