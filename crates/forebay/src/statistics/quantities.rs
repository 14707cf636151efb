//! Numbers of runs by their names.

use super::Estimate;
use serde::{Serialize, Serializer};

/// Estimates by name.
#[derive(Debug, Clone, Default)]
pub struct Quantities(Vec<(&'static str, Estimate)>);

impl Quantities {
    /// Adds the estimates of `others`.
    pub(crate) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Returns the estimate of a quantity.
    pub fn get(&self, name: &str) -> Option<&Estimate> {
        self.0.iter().find(|(own, _)| *own == name).map(|(_, estimate)| estimate)
    }

    /// Returns the mean of a quantity, if there is one.
    pub fn mean(&self, name: &str) -> Option<f64> {
        self.get(name)?.mean
    }

    /// Iterates over names and estimates.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Estimate)> {
        self.0.iter().map(|(name, estimate)| (*name, estimate))
    }
}

impl FromIterator<(&'static str, Estimate)> for Quantities {
    fn from_iter<I: IntoIterator<Item = (&'static str, Estimate)>>(estimates: I) -> Self {
        Self(estimates.into_iter().collect())
    }
}

impl Serialize for Quantities {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
