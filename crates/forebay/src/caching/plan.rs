//! What is to be played: every policy with every capacity and every latency.

use super::population::Population;
use super::{CapacitySpec, LatencySpec, List, Pair};
use crate::error::{Result, UserError, WrongValue};
use forebay_cache::attribution::PerObject;
use forebay_cache::curve::KeySample;
use forebay_cache::{Choice, Latency, Model, Observer, Setup};
use forebay_core::{Clock, Seed};
use std::str::FromStr;

/// What was asked for.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The policies that are compared.
    pub policies: Vec<Choice>,
    /// The capacities of the cache.
    pub capacities: Vec<CapacitySpec>,
    /// The latencies of a fetch.
    pub latencies: Vec<LatencySpec>,
    /// Whether the model with delayed hits is played.
    pub delayed: bool,
    /// Whether the classical model is played.
    pub classical: bool,
    /// Whether sizes count; otherwise every object is one entry.
    pub sized: bool,
    /// Entries of a set; `None` for one fully associative set.
    pub ways: Option<u64>,
    /// Requests that are played and not counted.
    pub warmup: u64,
    /// Root of all random numbers.
    pub seed: Seed,
    /// If given, what changes for each object between these two.
    pub attribute: Option<Pair>,
    /// If given, only requests for these objects are played, in caches that are as much
    /// smaller.
    pub sample: Option<KeySample>,
    /// If given, bounds are searched for, about so many seconds of CPU time for each.
    pub bound_seconds: Option<f64>,
}

/// One policy with one capacity and one latency.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) policy: Choice,
    pub(super) capacity: u64,
    pub(super) latency: Latency,
    /// Which of the plan's latencies it is.
    pub(super) latency_index: usize,
}

/// A hint for memory; caches grow beyond it.
const MOST_ENTRIES_AHEAD: u64 = 1 << 20;

impl Plan {
    /// Policies, capacities and latencies as the command takes them, each a list with commas: `lru,lru-mad`, `64,5%`, `1000`.
    /// All else is as the command has it by default: both models, objects of one entry each, no warm-up, seed 1.
    ///
    /// # Errors
    /// If a name is unknown or a number does not fit.
    pub fn parse(policies: &str, capacities: &str, latencies: &str) -> Result<Self> {
        fn list<T>(what: &str, text: &str) -> Result<Vec<T>>
        where
            List<T>: FromStr<Err = WrongValue>,
        {
            text.parse::<List<T>>().map(|list| list.0).map_err(|error| UserError::argument(what, error))
        }
        Ok(Self {
            policies: list("policies", policies)?,
            capacities: list("capacities", capacities)?,
            latencies: list("latencies", latencies)?,
            delayed: true,
            classical: true,
            sized: false,
            ways: None,
            warmup: 0,
            seed: Seed(1),
            attribute: None,
            sample: None,
            bound_seconds: None,
        })
    }

    pub(super) fn models(&self) -> &'static [Model] {
        match (self.delayed, self.classical) {
            (true, true) => &[Model::DelayedHits, Model::Classical],
            (true, false) => &[Model::DelayedHits],
            (false, _) => &[Model::Classical],
        }
    }

    /// Whether the trace must be looked at before capacities are known.
    pub(super) fn needs_population(&self) -> bool {
        self.capacities.iter().any(CapacitySpec::is_share)
    }

    /// The cells for a trace, those of one latency and one capacity together.
    pub(super) fn cells(&self, trace: &str, clock: Clock, population: Option<Population>) -> Result<Vec<Cell>> {
        let wrong = |place: &str, error: WrongValue| UserError::argument(place, format!("{trace}: {error}"));
        let mut cells = Vec::new();
        for (latency_index, spec) in self.latencies.iter().enumerate() {
            let latency = spec.resolve(clock).map_err(|error| wrong("latency", error))?;
            for spec in &self.capacities {
                let capacity = spec.resolve(self.sized, population).map_err(|error| wrong("capacity", error))?;
                // What was computed from a share is rounded; what was written is not.
                let capacity = if spec.is_share() { self.whole_sets(capacity) } else { capacity };
                let cell = |policy: &Choice| {
                    let (policy, latency) = (policy.clone(), latency.clone());
                    Cell { policy, capacity, latency, latency_index }
                };
                cells.extend(self.policies.iter().map(cell));
            }
        }
        Ok(cells)
    }

    /// The nearest capacity that can be divided into the plan's sets.
    pub(super) fn whole_sets(&self, capacity: u64) -> u64 {
        self.ways.map_or(capacity, |ways| ((capacity + ways / 2) / ways).max(1) * ways)
    }

    /// Whether it is watched which objects wait.
    pub(super) fn watches(&self, policy: &Choice) -> bool {
        let name = policy.to_string();
        self.attribute
            .as_ref()
            .is_some_and(|pair| [&pair.before, &pair.after].iter().any(|own| own.to_string() == name))
    }

    fn observer(&self, cell: &Cell, model: Model) -> Option<Box<dyn Observer>> {
        (self.watches(&cell.policy) && self.models()[0] == model).then(|| Box::new(PerObject::default()) as _)
    }

    pub(super) fn setup(&self, cell: &Cell, model: Model) -> Setup {
        let capacity = self.sample.map_or(cell.capacity, |sample| self.whole_sets(sample.scale(cell.capacity)));
        // Entries of several bytes each: how many there will be, nobody knows.
        let entries = if self.sized { 1024 } else { capacity.min(MOST_ENTRIES_AHEAD) };
        Setup {
            model,
            capacity,
            entries: usize::try_from(entries).unwrap_or(0),
            ways: self.ways,
            latency: cell.latency.clone(),
            warmup: self.sample.filter(|_| self.warmup > 0).map_or(self.warmup, |sample| sample.scale(self.warmup)),
            seed: self.seed,
            observer: self.observer(cell, model),
        }
    }
}
