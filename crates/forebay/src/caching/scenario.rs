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
    /// How often everything is run. Without repetitions in the scenario it is once, with the seed itself.
    pub(super) repetitions: Option<u64>,
    /// In the order of the report.
    pub(super) cells: Vec<Cell>,
    /// Whom the other policies are compared with.
    pub(super) baseline: Option<String>,
}

/// A task with one value of each axis.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) axes: Vec<(String, AxisValue)>,
    pub(super) setting: Arc<Setting>,
    pub(super) task: Task,
    /// Checksum of what its runs depend on, except for the trace and the seed.
    pub(super) key: String,
}

/// Recipes take seeds of 53 bits.
const UNUSED_SEED_BITS: u32 = 11;

/// What is done with a trace.
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
    /// As it is written, and in ticks.
    pub(super) latency: (LatencySpec, Latency),
    /// Notes about latencies and lifetimes that the trace states.
    pub(super) notes: Vec<String>,
    /// The first is the one that results are mainly of.
    pub(super) models: &'static [Model],
    /// Whether objects take their bytes, and not one entry each.
    pub(super) sized: bool,
    /// What a request is that finds another size, if that is given.
    pub(super) size_change: Option<SizeChange>,
    /// How requests are served besides by fetches.
    pub(super) service: Service,
    /// What fetches objects before they are requested.
    pub(super) prefetch: Option<PrefetchChoice>,
    /// Entries of a set; `None` for one fully associative set.
    pub(super) ways: Option<u64>,
    /// Requests that are played and not counted.
    pub(super) warmup: u64,
    /// The share of the objects whose requests are played.
    pub(super) sample: Option<f64>,
    /// How long bounds are searched for, if they are asked for.
    pub(super) search: Option<Search>,
    /// A schedule of a file that is played, too.
    pub(super) schedule: Option<Arc<ScheduleFile>>,
    /// If given, what changes for each object between these two.
    pub(super) attribute: Option<Pair>,
    /// Whether policies are compared object by object.
    pub(super) pairwise: bool,
    /// The trace read so that its keys are users, if policies are compared user by user, too.
    pub(super) users: Option<RequestTrace>,
    /// Whether estimates of aggregate delays are compared with the true delays.
    pub(super) estimates: bool,
    /// Whether each request is written into a detail table.
    pub(super) records_requests: bool,
    /// Whether the schedule of each search is written into one.
    pub(super) records_schedule: bool,
    pub(super) places: Places,
}

/// The capacities of a cell.
#[derive(Debug, Clone)]
pub(super) enum Capacities {
    /// One, or those of a curve.
    Given(Vec<CapacitySpec>),
    /// So many, from a thousandth of all objects to all.
    Spread(u32),
}

/// How long bounds are searched for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search {
    /// At most this.
    pub(super) most: Effort,
    /// At most as many steps as take about so many seconds.
    pub(super) seconds: Option<f64>,
    /// Whether the exact programme is solved, too.
    pub(super) exact: bool,
}

/// Where values stand that only a run can find wrong.
#[derive(Debug, Clone)]
pub(super) struct Places {
    pub(super) capacity: Node,
    pub(super) latency: Node,
    pub(super) ways: Node,
    pub(super) warmup: Node,
    pub(super) exact: Node,
    pub(super) schedule: Node,
    pub(super) prefetch: Node,
}

impl Setting {
    /// Whether requests, the objects that are played or latencies are drawn.
    pub(super) fn is_random(&self) -> bool {
        self.trace.is_recipe() || self.sample.is_some_and(|share| share < 1.0) || self.latency.0.is_drawn()
    }
}

impl Study {
    /// The word of its table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cache => "cache",
            Self::Curve => "curve",
            Self::Bound => "bound",
        }
    }
}

impl Search {
    /// For a trace of so many requests.
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
    /// Whether all requests must be in memory, with latencies that are known.
    pub(super) fn needs_all(&self) -> bool {
        matches!(self, Self::Bounds | Self::Schedule(_))
    }

    /// What results call it.
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
    /// Whether capacities depend on what the trace holds.
    pub(super) fn needs_population(&self) -> bool {
        match &self.capacities {
            Capacities::Given(specs) => specs.iter().any(CapacitySpec::is_share),
            Capacities::Spread(_) => true,
        }
    }

    /// The nearest capacity that can be divided into the sets.
    pub(super) fn whole_sets(&self, capacity: u64) -> u64 {
        self.ways.map_or(capacity, |ways| ((capacity + ways / 2) / ways).max(1) * ways)
    }

    /// Whether something that is played needs all requests beforehand.
    pub(super) fn knows_future(&self, policy: &Choice) -> bool {
        policy.offline() || self.prefetch.as_ref().is_some_and(PrefetchChoice::offline)
    }

    /// Whether it is watched which objects wait under the policy or schedule of this name.
    pub(super) fn watches(&self, name: &str) -> bool {
        self.pairwise || self.attribute.as_ref().is_some_and(|pair| pair.has(name))
    }
}

impl CacheScenario {
    /// Root of all random numbers.
    pub fn seed(&self) -> Seed {
        self.said.seed
    }

    /// The kind of question.
    pub fn study(&self) -> Study {
        self.study
    }

    /// The same, of a file with this SHA-256.
    pub(crate) fn of_file(mut self, file_sha256: String) -> Self {
        self.said.file_sha256 = file_sha256;
        self
    }

    /// The root of the random numbers of a repetition.
    pub(super) fn seed_of(&self, repetition: u64) -> Seed {
        match self.repetitions {
            None => self.said.seed,
            // The same for every policy and value.
            Some(_) => self.said.seed.part(&format!("study/repetition/{repetition}")),
        }
    }

    /// The trace of a repetition: a recipe draws another one each time. Without repetitions it draws from the seed itself, where it
    /// has none of its own.
    pub(super) fn trace_of(&self, trace: &RequestTrace, repetition: u64) -> RequestTrace {
        match self.repetitions {
            None => trace.clone().with_default_seed(self.said.seed.0 & (u64::MAX >> UNUSED_SEED_BITS)),
            Some(_) => trace.clone().with_seed(self.seed_of(repetition).part("trace").0 >> UNUSED_SEED_BITS),
        }
    }
}

/// What passes over traces have shown.
#[derive(Debug, Default)]
pub(super) struct Looks(Mutex<BTreeMap<(String, bool), Seen>>);

impl Looks {
    /// The population of a trace; `key` identifies the trace.
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
