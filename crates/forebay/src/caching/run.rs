//! Runs all cells, each once for every repetition.

use super::job::CacheJob;
use super::outcome::RunResult;
use super::report::{CacheReport, CacheSettings};
use super::scenario::{CacheScenario, Cell, Looks, Setting, Study, Task};
use super::{BoundReport, CurveReport, slow_policies};
use crate::answer::Answer;
use crate::disk::Folder;
use crate::error::Result;
use crate::observer::{Observer, Unit};
use crate::run::{self, About, Asked, CellRuns, Cost, Head, Kind, Memory, Part, Plan, PlannedCell, Results, hex};
use crate::scenario::warn_if_lost;
use forebay_core::{Duration, Seed};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Requests that a core of a server plays in a second of its time: 1 to 20 million in crates/forebay/benches/caches.rs.
const REQUESTS_PER_CPU_SECOND: f64 = 5e6;

/// Bytes that a search for bounds keeps of a request: 133 with 1 and 2 million requests.
const BYTES_PER_SEARCHED_REQUEST: f64 = 135.0;
/// Bytes that Belady's policy keeps of a request: 39 with 1 and 3 million requests.
const BYTES_PER_KNOWN_REQUEST: f64 = 40.0;
/// Bytes that are kept of an object: 130 under LRU with 600,000 and 900,000 objects, MAD forms have more.
const BYTES_PER_OBJECT: f64 = 300.0;

/// Runs everything of this part that `folder` does not hold yet, and keeps the results there. The result does not depend on the number of
/// threads.
pub fn run(scenario: &CacheScenario, folder: Option<&Folder>, part: &Part, observer: &dyn Observer) -> Result<Answer> {
    slow_policies::warnings(scenario).iter().for_each(|warning| observer.warn(warning));
    let first = &scenario.cells[0].setting;
    warn_if_lost(first.records_requests || first.records_schedule, folder, observer);
    if first.certificate.is_some() && (scenario.cells.len() > 1 || scenario.repetitions.is_some()) {
        let message = "a certificate is for one run; give one capacity, latency and trace, and no repetitions";
        return Err(first.places.certificate.error(message));
    }
    let plan = scenario.plan(folder.is_some())?;
    run::made::<CacheScenario, _>(&plan, scenario.head(), folder, part, observer)
}

impl Kind for CacheScenario {
    const NAME: &'static str = "cache";
    const UNIT: Unit = Unit::Requests;
    type Settings = CacheSettings;
    type Run = RunResult;
    type Report = Answer;

    fn report(about: About, head: Head<CacheSettings>, results: Results<RunResult>) -> Result<Answer> {
        let (asked, cells) = (head.asked, CellRuns::all(results)?);
        Ok(match asked.settings.study {
            Study::Cache => Answer::Cache(Box::new(CacheReport::new(about, asked, &cells))),
            Study::Curve => Answer::Curve(Box::new(CurveReport::new(about, asked, &cells))),
            Study::Bound => Answer::Bound(Box::new(BoundReport::new(about, &asked, &cells))),
        })
    }
}

/// Returns the cost of each cell of a scenario, in the order of the report, over the runs that `part` selects.
pub(crate) fn costs(scenario: &CacheScenario, part: &Part) -> Result<Vec<Cost>> {
    let runs = scenario.plan(false)?.runs_in(part);
    let cost = |(cell, runs): (&Cell, u64)| {
        let requests = size(&cell.setting) * cell.setting.sample.unwrap_or(1.0);
        let simulations = match cell.task {
            Task::Policy(_) => cell.setting.models.len() as f64,
            // Steps of a search look at all requests.
            Task::Bounds => 100.0,
            Task::Schedule(_) | Task::StackDistances => 1.0,
        };
        Cost {
            policy: cell.task.name(),
            axes: cell.axes.iter().map(|(name, value)| (name.clone(), value.text.clone())).collect(),
            runs,
            simulated: Duration::ZERO,
            counted: Unit::Requests,
            packets: requests,
            cpu_seconds: requests * simulations / REQUESTS_PER_CPU_SECOND,
            memory: memory(cell, requests),
        }
    };
    Ok(scenario.cells.iter().zip(runs).map(cost).collect())
}

/// Returns the memory of a run: searches, policies that know the future and comparisons of estimates keep data of every request, and all
/// runs keep data of every object.
fn memory(cell: &Cell, requests: f64) -> Memory {
    let each = match &cell.task {
        Task::Bounds => BYTES_PER_SEARCHED_REQUEST,
        Task::Policy(choice) if cell.setting.knows_future(choice) || cell.setting.estimates => BYTES_PER_KNOWN_REQUEST,
        Task::Schedule(_) => BYTES_PER_KNOWN_REQUEST,
        Task::Policy(_) | Task::StackDistances => 0.0,
    };
    Memory { surely: requests * each, at_most: requests * (each + BYTES_PER_OBJECT) }
}

/// About how many requests a trace has.
fn size(setting: &Setting) -> f64 {
    setting.trace.requests_at_a_guess()
}

impl CacheScenario {
    /// Returns all runs, in the order of the report. The key of a kept run depends on the content of the traces.
    pub(super) fn plan(&self, is_kept: bool) -> Result<Plan<CacheJob<'_>>> {
        let looks = Arc::new(Looks::default());
        let mut contents: BTreeMap<String, String> = BTreeMap::new();
        let mut keys = Vec::new();
        for cell in &self.cells {
            let trace = &cell.setting.trace;
            let content = match contents.entry(trace.identity()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) if is_kept => unknown.insert(trace.fingerprint()?),
                Entry::Vacant(unknown) => unknown.insert(String::new()),
            };
            keys.push((cell.task.name(), hex(format!("{} {content}", cell.key).as_bytes())));
        }
        let cells = self.cells.iter().zip(&keys);
        let cells = cells.map(|(cell, (policy, key))| PlannedCell { policy, axes: &cell.axes, key });
        let job = |number: usize, repetition, seed: Seed| {
            let cell = &self.cells[number];
            let setting = &cell.setting;
            let trace = self.trace_of(&setting.trace, repetition);
            CacheJob {
                scenario: self,
                cell,
                pass: format!("{} {} {:?} {}", trace.identity(), setting.sized, setting.sample, seed.0),
                trace,
                looks: Arc::clone(&looks),
                seed,
            }
        };
        run::plan::<Self, _>(&self.said, &self.head(), cells, |repetition| self.seed_of(repetition), job)
    }

    fn head(&self) -> Head<CacheSettings> {
        let first = &self.cells[0].setting;
        let attribute = first.attribute.as_ref();
        let settings = CacheSettings {
            study: self.study,
            ways: first.ways,
            warmup_requests: first.warmup,
            pairwise: first.pairwise,
            attribute: attribute.map(|pair| (pair.before.clone(), pair.after.clone())),
        };
        let policies = self.cells.iter().filter(|cell| matches!(cell.task, Task::Policy(_)));
        let policies: Vec<String> = policies.map(|cell| cell.task.name()).collect();
        let policies = policies.iter().map(String::as_str);
        let repetitions = self.repetitions.unwrap_or(1);
        let asked = Asked {
            random: self.cells.iter().any(|cell| cell.setting.is_random()),
            ..Asked::new(settings, repetitions, policies, self.baseline.as_ref(), self.cells.len())
        };
        Head { asked, own_axes: BTreeSet::new(), warnings: Vec::new() }
    }
}
