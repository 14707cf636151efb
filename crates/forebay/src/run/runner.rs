//! Makes the runs of a scenario of any kind: the runs of a part, spread over cores, without those that a folder already has.

use super::plan_file::{PlanFile, PlannedRun};
use super::{Kept, MadeOnce, Part};
use crate::detail::{self, DetailTable, Rows};
use crate::disk::Folder;
use crate::error::Result;
use crate::observer::{Meter, Observer, Unit};
use forebay_core::convert::saturate;
use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// One run: one policy, one value of each axis, one repetition.
pub(crate) trait Job: Sync + Sized {
    /// The result of the job.
    type Result: Serialize + DeserializeOwned + Send;

    /// Returns the work of the job in the plan's unit of progress, as far as it is known beforehand.
    fn length(&self) -> u64;

    /// Makes it, leaves its rows of detail tables in `rows`, and reports to `progress`. [`None`] if it was interrupted and nothing of it is
    /// of use.
    fn make(&self, rows: &Rows<'_>, progress: &Meter<'_>) -> Result<Option<Made<Self::Result>>>;

    /// The detail tables that it leaves.
    fn tables(&self) -> Vec<&'static DetailTable>;

    /// Jobs of one pass read the same input, so they are made together; [`None`]: this one is made alone.
    fn pass(&self) -> Option<&str> {
        None
    }

    /// Makes jobs of one pass, and returns their results in order. It spreads over cores by itself.
    fn make_together(jobs: &[(&Self, Rows<'_>)], progress: &Meter<'_>) -> Result<Vec<Option<Made<Self::Result>>>> {
        jobs.iter().map(|(job, rows)| job.make(rows, progress)).collect()
    }
}

/// A run that was made.
pub(crate) struct Made<R> {
    pub(crate) result: R,
    /// The run's rows of detail tables, which are kept with its result.
    pub(crate) parts: Vec<detail::Part>,
    /// Whether the run is complete, so that it can be kept.
    pub(crate) is_whole: bool,
}

/// All runs of a scenario.
pub(crate) struct Plan<J> {
    pub(crate) file: PlanFile,
    /// One for each run of the file: the number of its cell, and the job.
    pub(crate) jobs: Vec<(usize, J)>,
    pub(crate) unit: Unit,
    /// The runs that this scenario shares with others, if any.
    pub(crate) made_once: Option<Arc<MadeOnce>>,
}

/// Runs with their results, in the order of the plan.
pub(crate) type Results<R> = Vec<(PlannedRun, R)>;

impl<J: Job> Plan<J> {
    /// Makes everything of this part that `folder` does not hold yet, and keeps the results there. The result does not depend on the number
    /// of threads.
    pub(crate) fn make(
        &self,
        folder: Option<&Folder>,
        part: &Part,
        observer: &dyn Observer,
    ) -> Result<Results<J::Result>> {
        let kept = folder.map(Kept::open).transpose()?;
        if let Some(kept) = &kept {
            let tables = self.jobs.iter().flat_map(|(_, job)| job.tables());
            detail::refuse_foreign(kept.folder(), tables)?;
            self.file.write(kept.folder())?;
        }
        let chosen = self.chosen(part);
        if chosen.is_empty() {
            observer.warn(&format!(
                "this part has no runs: the scenario has {} runs in {} repetitions",
                self.jobs.len(),
                self.file.repetitions()
            ));
        }
        let length: u128 = chosen.iter().map(|&run| u128::from(self.jobs[run].1.length())).sum();
        let progress = Meter::new(observer, self.unit, Some(saturate(length)));
        let making =
            Making { plan: self, kept: kept.as_ref(), progress: &progress, observer, found: AtomicU64::new(0) };
        let made = making.all(&chosen);
        // Also what was made before an error.
        let synced = kept.as_ref().map_or(Ok(()), Kept::sync);
        let mut results = made?;
        synced?;
        let found = making.found.into_inner();
        progress.finish();
        results.sort_unstable_by_key(|&(run, _)| run);
        let results = results.into_iter().filter_map(|(run, result)| Some((self.file.runs[run].clone(), result?)));
        let results: Results<J::Result> = results.collect();
        if let Some(kept) = kept.as_ref().filter(|_| part.is_all()) {
            join(kept, &results)?;
        }
        if found > 0 {
            observer.note(&format!("{found} of {} runs were already complete", chosen.len()));
        }
        Ok(results)
    }

    /// Returns the runs that are made alone, and the groups of runs that are made together.
    fn passes(&self, chosen: &[usize]) -> (Vec<usize>, Vec<Vec<usize>>) {
        let (mut alone, mut passes): (Vec<usize>, Vec<(&str, Vec<usize>)>) = (Vec::new(), Vec::new());
        for &run in chosen {
            match self.jobs[run].1.pass() {
                None => alone.push(run),
                Some(pass) => match passes.iter_mut().find(|(name, _)| *name == pass) {
                    Some((_, runs)) => runs.push(run),
                    None => passes.push((pass, vec![run])),
                },
            }
        }
        (alone, passes.into_iter().map(|(_, runs)| runs).collect())
    }

    /// Returns the number of runs of each cell in a part.
    pub(crate) fn runs_in(&self, part: &Part) -> Vec<u64> {
        let cells = self.jobs.iter().map(|(cell, _)| cell + 1).max().unwrap_or(0);
        let mut runs = vec![0; cells];
        self.chosen(part).iter().for_each(|&run| runs[self.jobs[run].0] += 1);
        runs
    }

    /// The runs of a part, repetition by repetition, so that an interrupt leaves each policy about as many as the others.
    fn chosen(&self, part: &Part) -> Vec<usize> {
        let runs = &self.file.runs;
        let mut by_key: Vec<usize> = (0..runs.len()).filter(|&run| part.has_repetition(runs[run].repetition)).collect();
        by_key.sort_by(|&a, &b| runs[a].key.cmp(&runs[b].key));
        let in_share = (0..).zip(by_key).filter(|(place, _)| part.has_place(*place));
        let mut chosen: Vec<usize> = in_share.map(|(_, run)| run).collect();
        chosen.sort_by_key(|&run| (runs[run].repetition, run));
        chosen
    }
}

/// The state while the runs of a plan are made.
struct Making<'a, J> {
    plan: &'a Plan<J>,
    kept: Option<&'a Kept>,
    progress: &'a Meter<'a>,
    observer: &'a dyn Observer,
    /// The number of runs that were already complete.
    found: AtomicU64,
}

impl<J: Job> Making<'_, J> {
    /// Makes all of these runs.
    fn all(&self, chosen: &[usize]) -> Result<Vec<(usize, Option<J::Result>)>> {
        let (alone, passes) = self.plan.passes(chosen);
        let mut results = alone.iter().par_bridge().map(|run| self.make(&[*run])).collect::<Result<Vec<_>>>()?;
        for pass in &passes {
            results.push(self.make(pass)?);
        }
        Ok(results.into_iter().flatten().collect())
    }

    /// Makes these runs, except for those that are kept.
    fn make(&self, runs: &[usize]) -> Result<Vec<(usize, Option<J::Result>)>> {
        let mut results = Vec::new();
        let mut missing = Vec::new();
        for &run in runs {
            let (planned, job) = (&self.plan.file.runs[run], &self.plan.jobs[run].1);
            let earlier = self.kept.map(|kept| kept.find(&planned.key)).transpose()?;
            let earlier = earlier.and_then(|found| found.whole(&planned.title, "is made again", self.observer));
            if earlier.is_some() {
                self.found.fetch_add(1, Ordering::Relaxed);
            }
            let earlier = match self.made_once() {
                Some(made_once) => made_once.find(&planned.key)?,
                None => earlier,
            };
            if earlier.is_some() {
                self.progress.add(job.length());
                results.push((run, earlier));
            } else {
                missing.push((run, job));
            }
        }
        if missing.is_empty() {
            return Ok(results);
        }
        let rows = |run: usize| Rows::new(self.kept, &self.plan.file.runs[run].key);
        let jobs: Vec<(&J, Rows<'_>)> = missing.iter().map(|(run, job)| (*job, rows(*run))).collect();
        let made = J::make_together(&jobs, self.progress)?;
        for ((run, _), made) in missing.iter().zip(made) {
            let Some(Made { result, parts, is_whole }) = made else {
                results.push((*run, None));
                continue;
            };
            let key = &self.plan.file.runs[*run].key;
            if let Some(kept) = self.kept.filter(|_| is_whole) {
                kept.keep(key, &result, parts)?;
            }
            if let Some(made_once) = self.made_once().filter(|_| is_whole) {
                made_once.add(key, &result)?;
            }
            results.push((*run, Some(result)));
        }
        Ok(results)
    }

    /// Where runs are shared in memory. With a folder they are not, since that needs the rows of each.
    fn made_once(&self) -> Option<&MadeOnce> {
        self.plan.made_once.as_deref().filter(|_| self.kept.is_none())
    }
}

/// Returns the runs in a folder, and the titles of the runs that it lacks.
pub(crate) fn found<R: DeserializeOwned>(
    plan: &PlanFile,
    kept: &Kept,
    observer: &dyn Observer,
) -> Result<(Results<R>, Vec<String>)> {
    let (mut results, mut missing) = (Vec::new(), Vec::new());
    for run in &plan.runs {
        match kept.find(&run.key)?.whole(&run.title, "counts as missing", observer) {
            Some(result) => results.push((run.clone(), result)),
            None => missing.push(run.title.clone()),
        }
    }
    join(kept, &results)?;
    Ok((results, missing))
}

/// Joins the detail tables of these runs.
fn join<R>(kept: &Kept, results: &Results<R>) -> Result<()> {
    detail::join(kept, &results.iter().map(|(run, _)| run).collect::<Vec<_>>())
}
