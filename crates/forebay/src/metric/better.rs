//! Whether a metric is better when it is higher or lower.

/// The direction in which a metric is better, all else being equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Better {
    Higher,
    Lower,
    /// The metric describes a run and judges nothing.
    Neither,
}

impl Better {
    /// Returns the direction in one word.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Higher => "higher",
            Self::Lower => "lower",
            Self::Neither => "neither",
        }
    }
}
