//! Estimates learnt from what jobs with the same features have cost per byte.

use crate::estimate::{Estimate, Estimator, Outcome};
use crate::sync::{Mutex, lock};
use std::collections::HashMap;
use std::time::Duration;

/// Costs are kept for so many features, unless told otherwise.
const MOST_FEATURES: usize = 1 << 16;

/// The weight of a new measurement in a mean; that of TCP's smoothed round-trip time (RFC 6298).
const WEIGHT: f64 = 1.0 / 8.0;

/// Tells the features of a job.
type Extract<J> = Box<dyn Fn(&J, &mut Vec<u32>) + Send + Sync>;

/// Costs per byte in nanoseconds, for each feature.
///
/// The work of a job is the sum over its features of cost per byte times size (thesis 3.5.2). A
/// job without features has one of its own, so that such jobs are learnt from as well.
struct Costs<J> {
    extract: Extract<J>,
    start: Option<f64>,
    most_features: usize,
    learnt: Mutex<Learnt>,
}

#[derive(Default)]
struct Learnt {
    per_byte: HashMap<u32, f64>,
    featureless: Option<f64>,
    work: f64,
    bytes: f64,
}

impl Learnt {
    fn of(&self, feature: Option<u32>) -> Option<f64> {
        feature.map_or(self.featureless, |feature| self.per_byte.get(&feature).copied())
    }

    /// For what was never seen: what a byte has cost in general, shared by the features of a job.
    fn guess(&self, start: Option<f64>, told_per_byte: f64, features: usize) -> f64 {
        let general = || if self.bytes > 0.0 { self.work / self.bytes } else { told_per_byte };
        start.unwrap_or_else(|| general() / features.max(1) as f64)
    }

    fn set(&mut self, feature: Option<u32>, cost: f64, most: usize) {
        match feature {
            None => self.featureless = Some(cost),
            Some(feature) => {
                if self.per_byte.len() < most || self.per_byte.contains_key(&feature) {
                    self.per_byte.insert(feature, cost);
                }
            }
        }
    }
}

/// The features; or the one of jobs that have none.
fn each(features: &[u32]) -> impl Iterator<Item = Option<u32>> {
    let none = features.is_empty().then_some(None);
    features.iter().map(|&feature| Some(feature)).chain(none)
}

impl<J> Costs<J> {
    fn new(extract: impl Fn(&J, &mut Vec<u32>) + Send + Sync + 'static) -> Self {
        Self {
            extract: Box::new(extract),
            start: None,
            most_features: MOST_FEATURES,
            learnt: Mutex::new(Learnt::default()),
        }
    }

    fn estimate(&self, job: &J, size_bytes: u64, told: Duration) -> Estimate {
        let mut features = Vec::new();
        (self.extract)(job, &mut features);
        features.sort_unstable();
        features.dedup();
        let size = size_bytes.max(1) as f64;
        let learnt = lock(&self.learnt);
        let guess = learnt.guess(self.start, nanoseconds(told) / size, features.len());
        let per_byte: f64 = each(&features).map(|feature| learnt.of(feature).unwrap_or(guess)).sum();
        drop(learnt);
        Estimate { work: duration(per_byte * size), features: features.into_boxed_slice() }
    }

    /// Goes through what each feature has cost per byte; `update` gets what is known of it, and
    /// says what is to be known.
    fn learn(&self, outcome: &Outcome<'_>, update: impl Fn(Option<f64>, f64) -> f64) {
        let size = outcome.size_bytes.max(1) as f64;
        let work = nanoseconds(outcome.work);
        let most = self.most_features;
        let mut learnt = lock(&self.learnt);
        if outcome.parts.is_empty() {
            // Who caused it is not known. Each feature gets a share in proportion to what it was
            // thought to cost.
            let guess = learnt.guess(self.start, work / size, outcome.features.len());
            let thought = |learnt: &Learnt, feature| learnt.of(feature).unwrap_or(guess);
            let sum: f64 = each(outcome.features).map(|feature| thought(&learnt, feature)).sum();
            let equal = 1.0 / outcome.features.len().max(1) as f64;
            for feature in each(outcome.features) {
                let known = learnt.of(feature);
                let share = if sum > 0.0 { thought(&learnt, feature) / sum } else { equal };
                learnt.set(feature, update(known, work * share / size), most);
            }
        } else {
            for &(feature, cost) in outcome.parts {
                let known = learnt.of(Some(feature));
                learnt.set(Some(feature), update(known, nanoseconds(cost) / size), most);
            }
        }
        if outcome.complete {
            learnt.work += work;
            learnt.bytes += size;
        }
    }

    fn per_byte(&self, feature: u32) -> Option<f64> {
        lock(&self.learnt).of(Some(feature))
    }
}

/// The largest cost per byte seen for each feature: the work is the sum over the job's features
/// of that times the job's size (thesis 3.5.2, the heuristic for the full matcher).
///
/// A worker that measures features one by one reports them with
/// [`Ticket::finish_parts`](crate::Ticket::finish_parts). From a job's whole cost each of
/// its features gets a share in proportion to what it was thought to cost, so that with one
/// feature this is the largest cost seen, and with several the job's estimate would have been
/// enough.
///
/// What was never seen is taken to cost what a byte has cost in general, and before anything is
/// known what the submitter says. So an attacker can use each feature once, before its cost is
/// known; [`start`](Self::start) sets a harder beginning. The largest cost stays for ever unless
/// there is [`decay`](Self::decay): one slow job, be it the operating system's fault, is
/// never forgotten.
pub struct WorstPerByte<J> {
    costs: Costs<J>,
    decay: f64,
}

impl<J> WorstPerByte<J> {
    /// With what tells the features of a job, by pushing them. It is called once for each job that
    /// is submitted, with no lock held.
    pub fn new(features: impl Fn(&J, &mut Vec<u32>) + Send + Sync + 'static) -> Self {
        Self { costs: Costs::new(features), decay: 0.0 }
    }

    /// What a byte is taken to cost for a feature that was never seen, in nanoseconds.
    #[must_use]
    pub fn start(mut self, nanoseconds_per_byte: f64) -> Self {
        self.costs.start = Some(nanoseconds_per_byte.max(0.0));
        self
    }

    /// By which part a feature's cost falls with each job that has it and does not reach it; 0 to
    /// 1. With 0.001 a cost halves within 693 cheap jobs. An attacker can wait for it.
    #[must_use]
    pub fn decay(mut self, part: f64) -> Self {
        self.decay = part.clamp(0.0, 1.0);
        self
    }

    /// Costs are kept for so many features (65,536 if not given); later ones are guessed for ever.
    #[must_use]
    pub fn most_features(mut self, features: usize) -> Self {
        self.costs.most_features = features;
        self
    }

    /// What a byte is known to cost for a feature, in nanoseconds.
    #[must_use]
    pub fn per_byte(&self, feature: u32) -> Option<f64> {
        self.costs.per_byte(feature)
    }
}

impl<J> Estimator<J> for WorstPerByte<J> {
    fn estimate(&self, job: &J, size_bytes: u64, told: Duration) -> Estimate {
        self.costs.estimate(job, size_bytes, told)
    }

    fn learn(&self, outcome: &Outcome<'_>) {
        let kept = if outcome.complete { 1.0 - self.decay } else { 1.0 };
        self.costs.learn(outcome, |known, cost| known.map_or(cost, |known| cost.max(known * kept)));
    }
}

/// The mean cost per byte of each feature, to compare with [`WorstPerByte`]: a moving mean, weight
/// 1/8 for the latest. Easily fooled: cheap jobs buy a costly one its place.
pub struct MeanPerByte<J> {
    costs: Costs<J>,
}

impl<J> MeanPerByte<J> {
    /// As [`WorstPerByte::new`].
    pub fn new(features: impl Fn(&J, &mut Vec<u32>) + Send + Sync + 'static) -> Self {
        Self { costs: Costs::new(features) }
    }
}

impl<J> Estimator<J> for MeanPerByte<J> {
    fn estimate(&self, job: &J, size_bytes: u64, told: Duration) -> Estimate {
        self.costs.estimate(job, size_bytes, told)
    }

    fn learn(&self, outcome: &Outcome<'_>) {
        if outcome.complete {
            self.costs.learn(outcome, |known, cost| known.map_or(cost, |known| known + (cost - known) * WEIGHT));
        }
    }
}

fn nanoseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e9
}

fn duration(nanoseconds: f64) -> Duration {
    Duration::try_from_secs_f64(nanoseconds / 1e9).unwrap_or(Duration::MAX)
}
