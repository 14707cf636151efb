//! The cost of an inversion: one packet leaves before another of lower rank in the same queue.
//!
//! "This cost can be just a constant value, if all inversions are treated the same, or it can measure the magnitude of
//! the inversion" (SP-PIFO, NSDI'20, section 3.1).

use forebay_core::{ParamSpec, Params};

/// The cost of an inversion between two packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cost {
    /// The distance of their ranks.
    #[default]
    Distance,
    /// 1, whatever their ranks.
    Constant,
}

impl Cost {
    /// Returns the parameter that sets the cost, with the given meaning.
    pub(crate) const fn param(meaning: &'static str) -> ParamSpec {
        ParamSpec::choice("cost", &["distance", "constant"], "distance", meaning)
    }

    /// Reads the cost from the parameter of a queue.
    #[must_use]
    pub fn from_params(params: &Params) -> Self {
        match params.text("cost") {
            "constant" => Self::Constant,
            _ => Self::Distance,
        }
    }

    /// Returns the cost for ranks at `distance`; equal ranks cause no inversion.
    pub(crate) fn at(self, distance: u128) -> u128 {
        match self {
            Self::Distance => distance,
            Self::Constant => distance.min(1),
        }
    }
}
