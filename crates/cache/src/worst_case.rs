//! Looks for requests on which a policy is many times as slow as the optimum (thesis, section 2.5.2, footnote 12).
//!
//! Hill climbing over a pattern of slots, each empty or with a request for one of a few objects. The pattern is repeated, so that what every
//! cache waits for at first counts little. A change is kept if the ratio does not fall; when nothing has helped for long, the search begins
//! again. The ratio is that of the policy's latency to the latency of a schedule, so it is never above the true one.

use crate::access::Future;
use crate::belatedly::{BoundError, BoundOptions, Bounds, bound};
use crate::choice::Choice;
use crate::future::futures;
use crate::latency::Latency;
use crate::model::{Model, Service, Setup};
use forebay_core::{ParamError, Request, Rng, Seed};
use rand::RngExt as _;
use std::ops::ControlFlow;

/// The goal of the search.
#[derive(Debug, Clone)]
pub struct WorstSpec {
    /// Whose bad case.
    pub policy: Choice,
    /// Entries of the cache, 1 or more.
    pub capacity: u64,
    /// How long a fetch takes, in slots; 1 or more.
    pub latency: u64,
    /// How many objects there are; more than entries.
    pub objects: u64,
    /// Slots of the pattern at most; more than `capacity`.
    pub slots: usize,
    /// How often the pattern is repeated; 1 or more.
    pub repeats: u64,
    /// How many patterns are tried; 1 or more.
    pub tries: u64,
    /// Root of all random numbers, also of those of a policy that draws.
    pub seed: Seed,
}

/// The worst that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Worst {
    /// The requests, in slots.
    pub requests: Vec<Request>,
    /// The policy's waiting time on them, in slots.
    pub latency: u64,
    /// The waiting time of a schedule, and the least of any schedule.
    pub bounds: Bounds,
}

/// Why nothing was found.
#[derive(Debug, thiserror::Error)]
pub enum WorstError {
    /// The policy, the cache or the search cannot be.
    #[error("{0}")]
    Wrong(ParamError),
    /// The optimum of a pattern is not known.
    #[error(transparent)]
    Bound(#[from] BoundError),
}

/// Tries without a better ratio after which the search begins again, for each slot of the pattern.
const PATIENCE: u64 = 20;
/// Steps of the search for the optimum of each try, and of the last.
const STEPS: (u32, u32) = (40, 600);

/// A slot of a pattern.
type Slot = Option<u64>;

impl Worst {
    /// How many times the policy's latency is that of the optimum, at least and at most.
    #[must_use]
    pub fn ratio(&self) -> (f64, f64) {
        let over = |optimum: u64| self.latency as f64 / optimum.max(1) as f64;
        (over(self.bounds.upper), over(self.bounds.lower))
    }
}

/// Searches; `goes_on` hears the number of tries and the best ratio so far, and may end it.
///
/// # Errors
/// If the policy or the search cannot be.
pub fn worst(spec: &WorstSpec, mut goes_on: impl FnMut(u64, f64) -> bool) -> Result<Worst, WorstError> {
    spec.check().map_err(WorstError::Wrong)?;
    let mut rng = spec.seed.stream("worst");
    let mut pattern = spec.random(&mut rng);
    let mut score = spec.score(&pattern)?;
    let (mut best, mut stale) = ((pattern.clone(), score), 0);
    for tried in 1..spec.tries {
        if !goes_on(tried, best.1) {
            break;
        }
        let begins_anew = stale > PATIENCE * spec.slots as u64;
        let candidate = if begins_anew { spec.random(&mut rng) } else { spec.changed(&pattern, &mut rng) };
        let own = spec.score(&candidate)?;
        stale = if begins_anew || own > score { 0 } else { stale + 1 };
        if begins_anew || own >= score {
            (pattern, score) = (candidate, own);
        }
        if score > best.1 {
            best = (pattern.clone(), score);
        }
    }
    let requests = spec.requests(&best.0);
    let latency = spec.play(&requests)?;
    Ok(Worst { bounds: spec.optimum(&requests, STEPS.1)?, requests, latency })
}

impl WorstSpec {
    fn check(&self) -> Result<(), ParamError> {
        let wrong = |param: &str, message: &str| Err(ParamError::of(param, message));
        if self.objects <= self.capacity {
            return wrong(
                "objects",
                "there must be more objects than the cache has entries, or every policy is optimal in the end",
            );
        }
        if self.slots as u64 <= self.capacity {
            return wrong("slots", "the pattern must have more slots than the cache has entries");
        }
        if self.latency == 0 || self.repeats == 0 || self.tries == 0 {
            return wrong("latency", "the latency, the repetitions and the tries must be 1 or more");
        }
        Ok(())
    }

    fn random(&self, rng: &mut Rng) -> Vec<Slot> {
        let mut pattern: Vec<Slot> = (0..self.slots).map(|_| self.slot(rng)).collect();
        // A trace has a request.
        pattern[0] = Some(0);
        pattern
    }

    /// One slot in four is empty.
    fn slot(&self, rng: &mut Rng) -> Slot {
        (rng.random_range(0..4) > 0).then(|| rng.random_range(0..self.objects))
    }

    /// A pattern with one or more random changes.
    fn changed(&self, pattern: &[Slot], rng: &mut Rng) -> Vec<Slot> {
        let mut pattern = pattern.to_vec();
        loop {
            let (from, slot) = (rng.random_range(0..pattern.len()), self.slot(rng));
            let longest = usize::try_from(self.latency).unwrap_or(usize::MAX).max(2).min(pattern.len() - from);
            let length = rng.random_range(1..=longest);
            match rng.random_range(0..6) {
                0 => pattern[from] = slot,
                // A burst, or a pause.
                1 => pattern[from..from + length].fill(slot),
                2 if pattern.len() < self.slots => pattern.insert(from, slot),
                3 if pattern.len() > 1 => drop(pattern.remove(from)),
                4 => {
                    let to = rng.random_range(0..=pattern.len() - length);
                    pattern.copy_within(from..from + length, to);
                }
                _ => {
                    let to = rng.random_range(0..pattern.len());
                    pattern.swap(from, to);
                }
            }
            if pattern.iter().any(Option::is_some) && rng.random_range(0..2) == 0 {
                return pattern;
            }
        }
    }

    fn requests(&self, pattern: &[Slot]) -> Vec<Request> {
        let slots = (0..self.repeats).flat_map(|_| pattern.iter().copied());
        (0..).zip(slots).filter_map(|(time, key)| Some(Request { time, key: key?, size: 1 })).collect()
    }

    fn score(&self, pattern: &[Slot]) -> Result<f64, WorstError> {
        let requests = self.requests(pattern);
        let (latency, optimum) = (self.play(&requests)?, self.optimum(&requests, STEPS.0)?);
        Ok(latency as f64 / optimum.upper.max(1) as f64)
    }

    fn play(&self, requests: &[Request]) -> Result<u64, WorstError> {
        let futures: Vec<Future> = if self.policy.offline() { futures(requests, |_| self.latency) } else { Vec::new() };
        let setup = Setup {
            model: Model::DelayedHits,
            capacity: self.capacity,
            entries: usize::try_from(self.capacity).unwrap_or(0),
            ways: None,
            latency: Latency::Constant(self.latency),
            size_change: None,
            service: Service::default(),
            warmup: 0,
            seed: self.seed,
            observer: None,
        };
        let mut simulation = self.policy.simulation(setup).map_err(WorstError::Wrong)?;
        simulation.feed(requests, &futures);
        Ok(simulation.counts().total_latency)
    }

    fn optimum(&self, requests: &[Request], iterations: u32) -> Result<Bounds, WorstError> {
        let options = BoundOptions { iterations, ..BoundOptions::default() };
        Ok(bound(requests, self.capacity, |_| self.latency, &options, |_| ControlFlow::Continue(()))?)
    }
}
