//! Runs all cells, each once for every repetition.

use super::job::CacheJob;
use super::outcome::RunResult;
use super::report::{Asked, CacheReport};
use super::scenario::{CacheScenario, Cell, Looks, Setting, Study, Task};
use super::{BoundReport, CurveReport, slow};
use crate::answer::Answer;
use crate::error::Result;
use crate::observer::{Observer, Unit};
use crate::run::{self, Cost, Kept, Part, Plan, PlanFile, PlannedRun, Results, hex};
use crate::scenario::{merged_baseline, warn_if_lost};
use forebay_core::Duration;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// By which word plans know caches.
pub(crate) const KIND: &str = "cache";

/// Requests that a core of a server plays in a second of its time: 1 to 20 million in crates/forebay/benches/caches.rs.
const REQUESTS_PER_CPU_SECOND: f64 = 5e6;

/// Runs everything of this part that `folder` does not hold yet, and keeps it there. The result does not depend on the number of
/// threads.
pub fn run(scenario: &CacheScenario, folder: Option<&Path>, part: &Part, observer: &dyn Observer) -> Result<Answer> {
    slow::warnings(scenario).iter().for_each(|warning| observer.warn(warning));
    warn_if_lost(scenario.cells[0].setting.records_requests, folder, observer);
    let plan = scenario.plan(folder.is_some())?;
    let results = plan.make(folder, part, observer)?;
    answer(&plan.file, scenario.asked(), results)
}

/// The answer from what folders hold, joined in one of them, and the titles of runs that none has.
pub(crate) fn merged(
    plan: &PlanFile,
    kept: &Kept,
    baseline: Option<&str>,
    observer: &dyn Observer,
) -> Result<(Answer, Vec<String>)> {
    let mut asked: Asked = plan.head(kept.folder())?;
    asked.baseline = merged_baseline(baseline, asked.baseline.take(), &asked.policies)?;
    let (results, missing) = run::found(plan, kept, observer)?;
    Ok((answer(plan, asked, results)?, missing))
}

fn answer(plan: &PlanFile, asked: Asked, results: Results<RunResult>) -> Result<Answer> {
    let (name, seed) = (plan.scenario.clone(), plan.seed);
    Ok(match asked.study {
        Study::Cache => Answer::Cache(Box::new(CacheReport::new(name, seed, asked, results)?)),
        Study::Curve => Answer::Curve(Box::new(CurveReport::new(name, seed, asked, results)?)),
        Study::Bound => Answer::Bound(Box::new(BoundReport::new(name, seed, &asked, results)?)),
    })
}

/// What each cell of a scenario costs, in the order of the report; `part` of its runs are counted.
pub(crate) fn costs(scenario: &CacheScenario, part: &Part) -> Result<Vec<Cost>> {
    let runs = scenario.plan(false)?.runs_in(part);
    let cost = |(cell, runs): (&Cell, u64)| {
        let requests = size(&cell.setting) * cell.setting.sample.unwrap_or(1.0);
        let simulations = match cell.task {
            Task::Policy(_) => cell.setting.models.len() as f64,
            // Steps of a search look at all requests.
            Task::Bounds => 100.0,
            Task::StackDistances => 1.0,
        };
        Cost {
            policy: cell.task.name(),
            axes: cell.axes.iter().map(|(name, value)| (name.clone(), value.text.clone())).collect(),
            runs,
            simulated: Duration::ZERO,
            counted: Unit::Requests,
            packets: requests,
            cpu_seconds: requests * simulations / REQUESTS_PER_CPU_SECOND,
        }
    };
    Ok(scenario.cells.iter().zip(runs).map(cost).collect())
}

/// About how many requests a trace has.
fn size(setting: &Setting) -> f64 {
    setting.trace.requests_at_a_guess()
}

impl CacheScenario {
    /// All runs, in the order of the report. What is kept is kept under what the traces hold.
    pub(super) fn plan(&self, is_kept: bool) -> Result<Plan<CacheJob<'_>>> {
        let (mut jobs, mut runs) = (Vec::new(), Vec::new());
        let looks = Arc::new(Looks::default());
        let mut traces: BTreeMap<String, String> = BTreeMap::new();
        for (number, cell) in self.cells.iter().enumerate() {
            let setting = &cell.setting;
            let identity = setting.trace.identity();
            let content = match traces.get(&identity) {
                Some(content) => content.clone(),
                None if is_kept => setting.trace.fingerprint()?,
                None => String::new(),
            };
            traces.insert(identity.clone(), content.clone());
            let first = (identity, self.trace_of(&setting.trace, 0));
            for repetition in 0..self.repetitions.unwrap_or(1) {
                let seed = self.seed_of(repetition);
                let depends_on = hex(format!("{} {content}", cell.key).as_bytes());
                runs.push(PlannedRun::new(&cell.task.name(), &cell.axes, &depends_on, repetition, seed)?);
                let trace = self.trace_of(&setting.trace, repetition);
                let pass = format!("{} {} {:?} {}", trace.identity(), setting.sized, setting.sample, seed.0);
                jobs.push((
                    number,
                    CacheJob {
                        cell,
                        study: self.study,
                        trace,
                        pass,
                        first: first.clone(),
                        looks: Arc::clone(&looks),
                        seed,
                        is_repeated: self.repetitions.is_some(),
                    },
                ));
            }
        }
        let file = PlanFile::new(KIND, &self.said, &self.asked(), runs)?;
        Ok(Plan { file, jobs, unit: Unit::Requests })
    }

    fn asked(&self) -> Asked {
        let first = &self.cells[0].setting;
        let mut policies: Vec<String> = Vec::new();
        for cell in &self.cells {
            let name = cell.task.name();
            if matches!(cell.task, Task::Policy(_)) && !policies.contains(&name) {
                policies.push(name);
            }
        }
        let repetitions = self.repetitions.unwrap_or(1);
        let attribute = first.attribute.as_ref();
        Asked {
            study: self.study,
            repetitions,
            random: self.cells.iter().any(|cell| cell.setting.is_random()),
            policies,
            baseline: self.baseline.clone(),
            runs: repetitions * self.cells.len() as u64,
            ways: first.ways,
            warmup_requests: first.warmup,
            attribute: attribute.map(|pair| (pair.before.clone(), pair.after.clone())),
        }
    }
}
