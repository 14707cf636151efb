//! The cost per byte of each feature, and the estimate of a job that has some of them.

use crate::estimate::cost_summary::Kept;
use std::collections::HashMap;

/// The default number of features whose costs are kept.
const MOST_FEATURES: usize = 1 << 16;

/// One measurement of a job's cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// The job's size in bytes; 0 counts as 1.
    pub size_bytes: u64,
    /// The cost, always in the same unit.
    pub cost: f64,
    /// Whether the job was complete. An interrupted job would have cost more.
    pub is_whole: bool,
}

impl Seen {
    /// The cost of one byte.
    fn per_byte(self) -> f64 {
        self.cost / bytes(self.size_bytes)
    }
}

/// The cost per byte of each feature, in the unit of the given costs.
///
/// Jobs without features share one feature, so their costs are learnt as well. A feature that was never seen is given a share of the
/// general cost of a byte, or [`start`](Self::start).
#[derive(Debug, Clone)]
pub struct CostPerByte {
    kept: Kept,
    start: Option<f64>,
    most_features: usize,
    per_byte: HashMap<u32, f64>,
    featureless: Option<f64>,
    /// Cost and bytes of all complete jobs.
    general: (f64, f64),
}

impl CostPerByte {
    /// Creates an estimator that knows no costs yet.
    #[must_use]
    pub fn new(kept: Kept) -> Self {
        Self {
            kept,
            start: None,
            most_features: MOST_FEATURES,
            per_byte: HashMap::new(),
            featureless: None,
            general: (0.0, 0.0),
        }
    }

    /// Sets the assumed cost of a byte for a feature that was never seen.
    #[must_use]
    pub fn start(mut self, per_byte: f64) -> Self {
        self.start = Some(per_byte.max(0.0));
        self
    }

    /// Sets the number of features for which costs are kept (default: 65,536). Later features count as never seen.
    #[must_use]
    pub fn most_features(mut self, features: usize) -> Self {
        self.most_features = features;
        self
    }

    /// Changes the kind of summary from now on.
    #[must_use]
    pub fn keep(mut self, kept: Kept) -> Self {
        self.kept = kept;
        self
    }

    /// Returns the known cost of a byte for a feature.
    #[must_use]
    pub fn per_byte(&self, feature: u32) -> Option<f64> {
        self.per_byte.get(&feature).copied()
    }

    /// Returns the estimated cost of a job. A feature that is given several times counts as often. `told` is an estimate from elsewhere,
    /// which is used until a first cost is known.
    #[must_use]
    pub fn estimate<F>(&self, features: F, size_bytes: u64, told: f64) -> f64
    where
        F: IntoIterator<Item = u32, IntoIter: ExactSizeIterator>,
    {
        let features = features.into_iter();
        let size = bytes(size_bytes);
        let guess = self.guess(told / size, features.len());
        let per_byte: f64 = each(features).map(|feature| self.of(feature).unwrap_or(guess)).sum();
        per_byte * size
    }

    /// Learns from a measurement of one feature of a job.
    pub fn learn(&mut self, feature: u32, seen: Seen) {
        self.update(Some(feature), seen.per_byte(), seen.is_whole);
    }

    /// Learns from a measured job: from its whole cost and, if known, from `parts`, the costs of single features.
    ///
    /// Without parts, the feature that caused the cost is unknown. Each feature gets a share in proportion to its
    /// estimated cost, so that the estimate of this job would have been right.
    pub fn learn_job(&mut self, features: &[u32], parts: impl IntoIterator<Item = (u32, f64)>, job: Seen) {
        let mut parts = parts.into_iter().peekable();
        if parts.peek().is_none() {
            self.learn_shares(features, job);
        } else {
            for (feature, cost) in parts {
                self.learn(feature, Seen { cost, ..job });
            }
        }
        if job.is_whole {
            self.general.0 += job.cost;
            self.general.1 += bytes(job.size_bytes);
        }
    }

    fn learn_shares(&mut self, features: &[u32], job: Seen) {
        let guess = self.guess(job.per_byte(), features.len());
        let features = || each(features.iter().copied());
        let sum: f64 = features().map(|feature| self.of(feature).unwrap_or(guess)).sum();
        let equal = 1.0 / features().count() as f64;
        for feature in features() {
            let thought = self.of(feature).unwrap_or(guess);
            let share = if sum > 0.0 { thought / sum } else { equal };
            self.update(feature, job.per_byte() * share, job.is_whole);
        }
    }

    /// Returns the cost of a byte for a feature; `None` stands for the feature that jobs without features share.
    fn of(&self, feature: Option<u32>) -> Option<f64> {
        feature.map_or(self.featureless, |feature| self.per_byte(feature))
    }

    /// Returns the cost of a byte for a feature that was never seen: the general cost of a byte, divided among the features of a job.
    fn guess(&self, told_per_byte: f64, features: usize) -> f64 {
        let (cost, bytes) = self.general;
        let general = || if bytes > 0.0 { cost / bytes } else { told_per_byte };
        self.start.unwrap_or_else(|| general() / features.max(1) as f64)
    }

    fn update(&mut self, feature: Option<u32>, cost: f64, is_whole: bool) {
        let Some(cost) = self.kept.after(self.of(feature), cost, is_whole) else { return };
        match feature {
            None => self.featureless = Some(cost),
            Some(feature) => {
                if self.per_byte.len() < self.most_features || self.per_byte.contains_key(&feature) {
                    self.per_byte.insert(feature, cost);
                }
            }
        }
    }
}

/// Iterates over the features, or over the shared feature if there are none.
fn each(features: impl ExactSizeIterator<Item = u32>) -> impl Iterator<Item = Option<u32>> {
    let none = (features.len() == 0).then_some(None);
    features.map(Some).chain(none)
}

fn bytes(size: u64) -> f64 {
    size.max(1) as f64
}
