//! Numbers of runs by their names.

use super::Estimate;
use serde::{Serialize, Serializer};

/// A number of a run, or of a part of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quantity<T> {
    /// In JSON and CSV.
    pub(crate) name: &'static str,
    /// [`None`] where a run has none.
    pub(crate) of: fn(&T) -> Option<f64>,
}

/// `"flows": |run| Some(run.flows as f64)`, and more.
macro_rules! quantities {
    ($($name:literal: $of:expr),* $(,)?) => { &[$(crate::statistics::Quantity { name: $name, of: $of }),*] };
}
pub(crate) use quantities;

/// Estimates by name.
#[derive(Debug, Clone, Default)]
pub struct Quantities(Vec<(&'static str, Estimate)>);

impl Quantities {
    /// Of a run of each repetition.
    pub(crate) fn of<T>(quantities: &[Quantity<T>], runs: &[&T]) -> Self {
        let estimate = |quantity: &Quantity<T>| Estimate::of(runs.iter().map(|run| (quantity.of)(run)).collect());
        Self(quantities.iter().map(|quantity| (quantity.name, estimate(quantity))).collect())
    }

    /// Adds one.
    pub(crate) fn add(&mut self, name: &'static str, estimate: Estimate) {
        self.0.push((name, estimate));
    }

    /// Adds others.
    pub(crate) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// What was measured of a quantity.
    pub fn get(&self, name: &str) -> Option<&Estimate> {
        self.0.iter().find(|(own, _)| *own == name).map(|(_, estimate)| estimate)
    }

    /// Its mean, if there is one.
    pub fn mean(&self, name: &str) -> Option<f64> {
        self.get(name)?.mean
    }

    /// Names and estimates.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Estimate)> {
        self.0.iter().map(|(name, estimate)| (*name, estimate))
    }
}

impl Serialize for Quantities {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
