//! What is kept of the costs that a feature has had: one number, whatever their count.

/// The weight of a new cost in a mean; that of TCP's smoothed round-trip time (RFC 6298).
const WEIGHT: f64 = 1.0 / 8.0;

/// By this share a median moves with each cost.
const STEP: f64 = 1.0 / 32.0;

/// What is kept of the costs of a feature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kept {
    /// The largest, as published (thesis, section 3.5.2). Without decay, what was seen as a
    /// whole is never underestimated again, but one job on which a feature is slow makes all its jobs look slow.
    Worst {
        /// By which part it falls with each cost that does not reach it: 0 for never, to 1. With
        /// 0.001 it halves within 693 cheap jobs, for which an attacker can wait.
        decay: f64,
    },
    /// A moving mean, weight 1/8 for the latest. Cheap jobs buy a costly one its place, and costly
    /// ones spoil it for the cheap.
    Mean,
    /// The median of late: it goes up or down by 1/32 of itself with each cost, so that it ends
    /// where as many are above as below. However large an attack's costs are, each moves it by no
    /// more than that, but the first of all is taken as it is. It holds while attacks are fewer
    /// than half of a feature's jobs. It says nothing of the worst, and so needs a work budget
    /// beside it.
    Median,
}

impl Kept {
    /// The largest cost ever.
    #[must_use]
    pub fn worst() -> Self {
        Self::Worst { decay: 0.0 }
    }

    /// What is kept after a cost was seen; `known` is what was kept before.
    ///
    /// What is not whole would have cost more. It can raise the worst; a mean and a median do not
    /// learn from it, so that a job that is interrupted often counts once, when it is done.
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
            // From nothing no share of it leads away.
            Self::Median if known <= 0.0 => cost,
            Self::Median if cost > known => cost.min(known * (1.0 + STEP)),
            Self::Median => cost.max(known / (1.0 + STEP)),
        })
    }
}
