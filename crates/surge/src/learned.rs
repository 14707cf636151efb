//! Estimates learnt from the cost per byte of jobs with the same features: the estimators of `forebay-core`, behind a
//! lock.

use crate::estimate::{Estimate, Estimator, MeasuredJob};
use crate::sync::{Mutex, lock};
use forebay_core::estimate::{CostPerByte, Kept, Seen};
use std::time::Duration;

/// Pushes the features of a job to a vector.
type Extract<J> = Box<dyn Fn(&J, &mut Vec<u32>) + Send + Sync>;

/// The features of jobs, and their costs in nanoseconds.
struct Costs<J> {
    extract: Extract<J>,
    learnt: Mutex<CostPerByte>,
}

impl<J> Costs<J> {
    fn new(extract: impl Fn(&J, &mut Vec<u32>) + Send + Sync + 'static, kept: Kept) -> Self {
        Self { extract: Box::new(extract), learnt: Mutex::new(CostPerByte::new(kept)) }
    }

    fn configured(self, change: impl FnOnce(CostPerByte) -> CostPerByte) -> Self {
        let learnt = change(lock(&self.learnt).clone());
        Self { learnt: Mutex::new(learnt), ..self }
    }

    fn estimate(&self, job: &J, size_bytes: u64, told: Duration) -> Estimate {
        let mut features = Vec::new();
        (self.extract)(job, &mut features);
        features.sort_unstable();
        features.dedup();
        let work = lock(&self.learnt).estimate(features.iter().copied(), size_bytes, nanoseconds(told));
        Estimate { work: duration(work), features: features.into_boxed_slice() }
    }

    fn learn(&self, outcome: &MeasuredJob<'_>) {
        let parts = outcome.parts.iter().map(|&(feature, cost)| (feature, nanoseconds(cost)));
        let job = Seen { size_bytes: outcome.size_bytes, cost: nanoseconds(outcome.work), is_whole: outcome.complete };
        lock(&self.learnt).learn_job(outcome.features, parts, job);
    }
}

/// Defines the common methods of the estimators.
macro_rules! estimator {
    ($name:ident, $kept:expr) => {
        impl<J> $name<J> {
            /// Creates the estimator. `features` pushes the features of a job. It is called once for each job that is submitted, with no
            /// lock held.
            pub fn new(features: impl Fn(&J, &mut Vec<u32>) + Send + Sync + 'static) -> Self {
                Self { costs: Costs::new(features, $kept) }
            }

            /// Sets the assumed cost of a byte for a feature that was never seen, in nanoseconds.
            #[must_use]
            pub fn start(self, nanoseconds_per_byte: f64) -> Self {
                Self { costs: self.costs.configured(|learnt| learnt.start(nanoseconds_per_byte)) }
            }

            /// Sets the number of features for which costs are kept (default: 65,536). Later features always count as never seen.
            #[must_use]
            pub fn most_features(self, features: usize) -> Self {
                Self { costs: self.costs.configured(|learnt| learnt.most_features(features)) }
            }

            /// Returns the known cost of a byte for a feature, in nanoseconds.
            #[must_use]
            pub fn per_byte(&self, feature: u32) -> Option<f64> {
                lock(&self.costs.learnt).per_byte(feature)
            }
        }

        impl<J> Estimator<J> for $name<J> {
            fn estimate(&self, job: &J, size_bytes: u64, told: Duration) -> Estimate {
                self.costs.estimate(job, size_bytes, told)
            }

            fn learn(&self, outcome: &MeasuredJob<'_>) {
                self.costs.learn(outcome);
            }
        }
    };
}

/// Estimates from the largest cost per byte seen for each feature. The work of a job is the sum of these costs over its features, times the
/// job's size (thesis 3.5.2, the heuristic for the full matcher).
///
/// A worker that measures features one by one reports them with [`Ticket::finish_parts`](crate::Ticket::finish_parts).
/// Otherwise, the job's whole cost is shared among its features in proportion to their estimated costs. With one
/// feature this is the largest cost seen. With several, the job's estimate would have been enough.
///
/// A feature that was never seen is assumed to cost the mean cost of a byte. Before any cost is known, the submitter's estimate is used. So
/// an attacker can use each feature once, before its cost is known; [`start`](Self::start) sets a stricter first assumption. The largest
/// cost stays for ever unless there is [`decay`](Self::decay): one slow job is never forgotten, even if the operating system caused the
/// delay.
pub struct WorstPerByte<J> {
    costs: Costs<J>,
}

estimator!(WorstPerByte, Kept::worst());

impl<J> WorstPerByte<J> {
    /// Sets the share by which a feature's cost falls with each job that has the feature and costs less; 0 to 1. With 0.001 a cost halves
    /// within 693 cheap jobs, for which an attacker can wait.
    #[must_use]
    pub fn decay(self, part: f64) -> Self {
        let kept = Kept::Worst { decay: part.clamp(0.0, 1.0) };
        Self { costs: self.costs.configured(|learnt| learnt.keep(kept)) }
    }
}

/// Estimates from the mean cost per byte of each feature, to compare with [`WorstPerByte`]: a moving mean, with weight 1/8 for the latest
/// cost. An attacker fools it easily: cheap jobs make a costly one look cheap.
pub struct MeanPerByte<J> {
    costs: Costs<J>,
}

estimator!(MeanPerByte, Kept::Mean);

/// Estimates from the median of recent costs per byte of each feature: for workers that give jobs back after a work budget.
///
/// Each finished job moves a median up or down by 1/32 of its value. So a few attacks move it little, however much they cost, unless the
/// first job of all is an attack. An attacker who sends half of a feature's jobs moves it at will. Attackers may make features of innocent
/// jobs look slow, such as rules that are candidates for every payload. Then [`WorstPerByte`] gives innocent jobs and attacks the same
/// estimate; this estimator tells them apart.
///
/// A median ignores the worst case, so it bounds no harm by itself: an attack that has the features of innocent jobs looks like one of them
/// until it runs. The budget bounds the harm. After it, a worker gives the job back with [`Ticket::requeue`](crate::Ticket::requeue), and
/// the job is ranked by twice its cost so far. The estimator learns once from a job that was given back: when it is done.
pub struct MedianPerByte<J> {
    costs: Costs<J>,
}

estimator!(MedianPerByte, Kept::Median);

fn nanoseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e9
}

fn duration(nanoseconds: f64) -> Duration {
    Duration::try_from_secs_f64(nanoseconds / 1e9).unwrap_or(Duration::MAX)
}
