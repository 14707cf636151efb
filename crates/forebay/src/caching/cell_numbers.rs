//! The numbers of a cell in a form that programs can read directly: the values of a single run, or the means of several runs.

use crate::statistics::Quantities;
use serde::{Serialize, Serializer};

/// Numbers, each in a field with its own name.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(super) enum Wide<T> {
    /// The numbers of the only run.
    One(T),
    /// Means over repetitions.
    Several(Means),
}

/// Means by name.
#[derive(Debug, Clone)]
pub(super) struct Means(Vec<(String, Option<f64>)>);

impl<T> Wide<T> {
    /// Returns the numbers of a single run unchanged; for several runs, the means of the quantities whose names begin with `prefix`.
    pub(super) fn new(
        runs: Vec<T>,
        quantities: &Quantities,
        prefix: &str,
        is_own: impl Fn(&str) -> bool,
    ) -> Option<Self> {
        if runs.len() > 1 {
            let own = quantities.iter().filter_map(|(name, estimate)| Some((name.strip_prefix(prefix)?, estimate)));
            let own = own.filter(|(name, estimate)| is_own(name) && estimate.mean.is_some());
            return Some(Self::Several(Means(own.map(|(name, estimate)| (name.to_owned(), estimate.mean)).collect())));
        }
        runs.into_iter().next().map(Self::One)
    }
}

impl Serialize for Means {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, mean)| (name, mean)))
    }
}
