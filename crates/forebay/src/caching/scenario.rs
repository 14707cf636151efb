//! The cells of a scenario of caches, one for each policy and each combination of values in its lists.

use super::bounds::Effort;
use super::population::{Seen, seen};
use super::schedule_file::ScheduleFile;
use super::{CapacitySpec, LatencySpec, Pair, SCHEDULE_OF_FILE};
use crate::document::Node;
use crate::error::Result;
use crate::requests::RequestTrace;
use crate::run::Said;
use crate::sweep::AxisValue;
use forebay_cache::{Choice, Latency, Model, PrefetchChoice, Service, SizeChange};
use forebay_core::Seed;
use forebay_traces::requests::Facts;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The question about caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Study {
    /// `[cache]`: how policies compare.
    Cache,
    /// `[curve]`: what the capacity changes.
    Curve,
    /// `[bound]`: how low the latency could be.
    Bound,
}

/// A checked scenario.
#[derive(Debug, Clone)]
pub struct CacheScenario {
    pub(super) said: Said,
    pub(super) study: Study,
    /// The number of repetitions. `None` if the scenario has none: then everything is run once, with the seed itself.
    pub(super) repetitions: Option<u64>,
    /// The cells in the order of the report.
    pub(super) cells: Vec<Cell>,
    /// The policy that the others are compared with.
    pub(super) baseline: Option<String>,
}

/// A task with one value of each axis.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) axes: Vec<(String, AxisValue)>,
    pub(super) setting: Arc<Setting>,
    pub(super) task: Task,
    /// A checksum of all inputs of the cell's runs, except for the trace and the seed.
    pub(super) key: String,
}

/// Recipes take seeds of 53 bits.
const UNUSED_SEED_BITS: u32 = 11;

/// The task that is done with a trace.
#[derive(Debug, Clone)]
pub(super) enum Task {
    /// A policy is played on it.
    Policy(Choice),
    /// Bounds of the lowest latency are searched for.
    Bounds,
    /// A schedule of a file is played on it.
    Schedule(Arc<ScheduleFile>),
    /// The miss ratio of LRU is computed for all capacities, in the classical model.
    StackDistances,
}

/// The common settings of all policies.
#[derive(Debug, Clone)]
pub(super) struct Setting {
    pub(super) trace: RequestTrace,
    pub(super) facts: Facts,
    /// Whether requests follow others, so that their times are not known beforehand.
    pub(super) chained: bool,
    pub(super) capacities: Capacities,
    /// The latency as written, and in ticks.
    pub(super) latency: (LatencySpec, Latency),
    /// Notes about latencies and lifetimes that the trace states.
    pub(super) notes: Vec<String>,
    /// The models to play; results mainly show the first one.
    pub(super) models: &'static [Model],
    /// Whether objects use as much space as they have bytes; otherwise each uses one entry.
    pub(super) sized: bool,
    /// The treatment of a request whose object has another size in the cache, if it is given.
    pub(super) size_change: Option<SizeChange>,
    /// The service of requests, apart from fetches.
    pub(super) service: Service,
    /// The prefetcher, which fetches objects before they are requested.
    pub(super) prefetch: Option<PrefetchChoice>,
    /// Entries of a set; `None` for one fully associative set.
    pub(super) ways: Option<u64>,
    /// The number of requests that are played and not counted.
    pub(super) warmup: u64,
    /// The share of the objects whose requests are played.
    pub(super) sample: Option<f64>,
    /// The effort of the search for bounds, if they are asked for.
    pub(super) search: Option<Search>,
    /// A schedule from a file that is also played.
    pub(super) schedule: Option<Arc<ScheduleFile>>,
    /// The two policies between which the change for each object is measured, if given.
    pub(super) attribute: Option<Pair>,
    /// Whether policies are compared object by object.
    pub(super) pairwise: bool,
    /// The trace read with users as keys, if policies are also compared user by user.
    pub(super) users: Option<RequestTrace>,
    /// Whether estimates of aggregate delays are compared with the true delays.
    pub(super) estimates: bool,
    /// Whether each request is written into a detail table.
    pub(super) records_requests: bool,
    /// Whether the schedule of each search is written into a detail table.
    pub(super) records_schedule: bool,
    /// Where a certificate of the lower bound is written.
    pub(super) certificate: Option<PathBuf>,
    pub(super) places: Places,
}

/// The capacities of a cell.
#[derive(Debug, Clone)]
pub(super) enum Capacities {
    /// One capacity, or the capacities of a curve.
    Given(Vec<CapacitySpec>),
    /// This many capacities, from a thousandth of all objects to all.
    Spread(u32),
}

/// The effort of a search for bounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search {
    /// The upper limit of the effort.
    pub(super) most: Effort,
    /// The CPU time in seconds that limits the number of steps.
    pub(super) seconds: Option<f64>,
    /// Whether the exact linear programme is also solved.
    pub(super) exact: bool,
}

/// The places in the file of values that only a run can find wrong.
#[derive(Debug, Clone)]
pub(super) struct Places {
    pub(super) capacity: Node,
    pub(super) latency: Node,
    pub(super) ways: Node,
    pub(super) warmup: Node,
    pub(super) exact: Node,
    pub(super) certificate: Node,
    pub(super) schedule: Node,
    pub(super) prefetch: Node,
}

impl Setting {
    /// Returns whether any requests, sampled objects or latencies are random.
    pub(super) fn is_random(&self) -> bool {
        self.trace.is_recipe() || self.sample.is_some_and(|share| share < 1.0) || self.latency.0.is_drawn()
    }
}

impl Study {
    /// Returns the word of the study's table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cache => "cache",
            Self::Curve => "curve",
            Self::Bound => "bound",
        }
    }
}

impl Search {
    /// Returns the effort for a trace of `requests` requests.
    pub(super) fn effort(&self, requests: usize) -> Effort {
        let most = self.most;
        let within = |seconds| Effort::within(seconds, requests).iterations;
        Effort {
            iterations: self.seconds.map_or(most.iterations, |seconds| within(seconds).min(most.iterations)),
            ..most
        }
    }
}

impl Task {
    /// Returns whether all requests must be in memory, with known latencies.
    pub(super) fn needs_all(&self) -> bool {
        matches!(self, Self::Bounds | Self::Schedule(_))
    }

    /// Returns the name in results.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Policy(choice) => choice.to_string(),
            Self::Bounds => "(bounds)".to_owned(),
            Self::Schedule(_) => SCHEDULE_OF_FILE.to_owned(),
            Self::StackDistances => "(stack distances)".to_owned(),
        }
    }
}

impl Setting {
    /// Returns whether capacities depend on the objects of the trace.
    pub(super) fn needs_population(&self) -> bool {
        match &self.capacities {
            Capacities::Given(specs) => specs.iter().any(CapacitySpec::is_share),
            Capacities::Spread(_) => true,
        }
    }

    /// Returns the nearest capacity that can be divided into the sets.
    pub(super) fn whole_sets(&self, capacity: u64) -> u64 {
        self.ways.map_or(capacity, |ways| ((capacity + ways / 2) / ways).max(1) * ways)
    }

    /// Returns whether the policy, or another part of the setting, needs all requests beforehand.
    pub(super) fn knows_future(&self, policy: &Choice) -> bool {
        policy.offline() || self.prefetch.as_ref().is_some_and(PrefetchChoice::offline)
    }

    /// Returns whether the latencies of objects are recorded under the policy or schedule of this name.
    pub(super) fn watches(&self, name: &str) -> bool {
        self.pairwise || self.attribute.as_ref().is_some_and(|pair| pair.has(name))
    }
}

impl CacheScenario {
    /// Returns the root of all random numbers.
    pub fn seed(&self) -> Seed {
        self.said.seed
    }

    /// Returns the kind of question.
    pub fn study(&self) -> Study {
        self.study
    }

    /// Returns the scenario as that of a file with this SHA-256.
    pub(crate) fn of_file(mut self, file_sha256: String) -> Self {
        self.said.file_sha256 = file_sha256;
        self
    }

    /// Returns the root of the random numbers of a repetition.
    pub(super) fn seed_of(&self, repetition: u64) -> Seed {
        match self.repetitions {
            None => self.said.seed,
            // The same for every policy and value.
            Some(_) => self.said.seed.part(&format!("study/repetition/{repetition}")),
        }
    }

    /// Returns the trace of a repetition: a recipe draws another one each time. Without repetitions, a recipe without a seed of its own
    /// draws from the scenario's seed.
    pub(super) fn trace_of(&self, trace: &RequestTrace, repetition: u64) -> RequestTrace {
        match self.repetitions {
            None => trace.clone().with_default_seed(self.said.seed.0 & (u64::MAX >> UNUSED_SEED_BITS)),
            Some(_) => trace.clone().with_seed(self.seed_of(repetition).part("trace").0 >> UNUSED_SEED_BITS),
        }
    }
}

/// The findings of passes over traces.
#[derive(Debug, Default)]
pub(super) struct Looks(Mutex<BTreeMap<(String, bool), Seen>>);

impl Looks {
    /// Returns the population of a trace; `key` identifies the trace.
    pub(super) fn of(&self, key: &str, trace: &RequestTrace, sized: bool, goes_on: &dyn Fn() -> bool) -> Result<Seen> {
        let key = (key.to_owned(), sized);
        if let Some(known) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(*known);
        }
        let found = seen(trace, sized, goes_on, |_| {})?;
        self.add(key, found);
        Ok(found)
    }

    fn add(&self, key: (String, bool), found: Seen) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, found);
    }
}
