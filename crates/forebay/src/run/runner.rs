//! Makes the runs of a scenario, whatever its kind: those of a part, spread over cores, without those that a folder has already.

use super::plan_file::{PlanFile, PlannedRun};
use super::{Kept, Part, shown};
use crate::error::Result;
use crate::observer::{Meter, Observer, Unit};
use forebay_core::convert::saturate;
use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// One run: one policy, one value of each axis, one repetition.
pub(crate) trait Job: Sync {
    /// What comes of it.
    type Result: Serialize + DeserializeOwned + Send;

    /// How much progress it is, as far as that is known before, in the unit of the plan.
    fn length(&self) -> u64;

    /// Makes it, and tells `progress`. [`None`] if it was interrupted and nothing of it is of use.
    fn make(&self, is_kept: bool, progress: &Meter<'_>) -> Result<Option<Made<Self::Result>>>;
}

/// A run that was made.
pub(crate) struct Made<R> {
    pub(crate) result: R,
    /// Tables that are kept beside it, by name.
    pub(crate) tables: Vec<(&'static str, String)>,
    /// Whether it came to its end, so that it can be kept.
    pub(crate) is_whole: bool,
}

/// All runs of a scenario.
pub(crate) struct Plan<J> {
    pub(crate) file: PlanFile,
    /// One for each run of the file: the number of its cell, and the job.
    pub(crate) jobs: Vec<(usize, J)>,
    pub(crate) unit: Unit,
}

/// Runs with their results, in the order of the plan.
pub(crate) type Results<R> = Vec<(PlannedRun, R)>;

impl<J: Job> Plan<J> {
    /// Makes everything of this part that `folder` does not hold yet, and keeps it there. The result does not depend on the number of
    /// threads.
    pub(crate) fn make(
        &self,
        folder: Option<&Path>,
        part: &Part,
        observer: &dyn Observer,
    ) -> Result<Results<J::Result>> {
        let kept = folder.map(Kept::open).transpose()?;
        if let Some(kept) = &kept {
            self.file.write(kept.folder())?;
        }
        let chosen = self.chosen(part);
        if chosen.is_empty() {
            observer.warn(&format!(
                "no run is in this part: the scenario has {} runs in {} repetitions",
                self.jobs.len(),
                self.file.repetitions()
            ));
        }
        let length: u128 = chosen.iter().map(|&run| u128::from(self.jobs[run].1.length())).sum();
        let progress = Meter::new(observer, self.unit, Some(saturate(length)));
        let found = AtomicU64::new(0);
        let mut results = chosen
            .iter()
            .par_bridge()
            .map(|&run| {
                let (planned, job) = (&self.file.runs[run], &self.jobs[run].1);
                let earlier = kept.as_ref().map(|kept| kept.find(&planned.key)).transpose()?;
                let earlier = earlier.and_then(|found| found.whole(&planned.title, "is made again", observer));
                if earlier.is_some() {
                    found.fetch_add(1, Ordering::Relaxed);
                    progress.add(job.length());
                    return Ok((run, earlier));
                }
                let Some(made) = job.make(kept.is_some(), &progress)? else { return Ok((run, None)) };
                if let Some(kept) = kept.as_ref().filter(|_| made.is_whole) {
                    kept.keep(&planned.key, &made.result, &made.tables)?;
                }
                Ok((run, Some(made.result)))
            })
            .collect::<Result<Vec<_>>>()?;
        progress.finish();
        results.sort_unstable_by_key(|&(run, _)| run);
        let results = results.into_iter().filter_map(|(run, result)| Some((self.file.runs[run].clone(), result?)));
        let results: Results<J::Result> = results.collect();
        if let Some(kept) = kept.as_ref().filter(|_| part.is_all()) {
            shown::show(kept, &titles(&results))?;
        }
        let found = found.into_inner();
        if found > 0 {
            observer.note(&format!("{found} of {} runs were there already", chosen.len()));
        }
        Ok(results)
    }

    /// How many runs of each cell are in a part.
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

/// The runs that a folder holds, and the titles of those that it does not.
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
    shown::show(kept, &titles(&results))?;
    Ok((results, missing))
}

fn titles<R>(results: &Results<R>) -> Vec<(String, String)> {
    results.iter().map(|(run, _)| (run.key.clone(), run.title.clone())).collect()
}
