//! The runs of a cell: one policy with one value of each axis, in all repetitions.

use super::{PlannedRun, Results};
use crate::error::Result;
use crate::sweep::AxisValue;

/// The runs of a cell, of which there is at least one.
pub(crate) struct CellRuns<R> {
    pub(crate) policy: String,
    /// The values of the swept fields.
    pub(crate) axes: Vec<(String, AxisValue)>,
    /// The repetitions, by number from 0.
    pub(crate) repetitions: Vec<u64>,
    /// The seed of each repetition.
    pub(crate) seeds: Vec<u64>,
    /// The result of each repetition.
    pub(crate) runs: Vec<R>,
}

impl<R> CellRuns<R> {
    /// Returns all cells in the order of the scenario; `results` has the runs of one cell next to each other.
    ///
    /// # Errors If the axes in the plan are wrong.
    pub(crate) fn all(results: Results<R>) -> Result<Vec<Self>> {
        let mut cells: Vec<Self> = Vec::new();
        let mut last: Option<PlannedRun> = None;
        for (planned, run) in results {
            let is_same = last.as_ref().is_some_and(|last| last.policy == planned.policy && last.axes == planned.axes);
            match cells.last_mut().filter(|_| is_same) {
                Some(cell) => cell.add(&planned, run),
                None => {
                    let (policy, axes) = (planned.policy.clone(), planned.axes()?);
                    let mut cell = Self { policy, axes, repetitions: Vec::new(), seeds: Vec::new(), runs: Vec::new() };
                    cell.add(&planned, run);
                    cells.push(cell);
                }
            }
            last = Some(planned);
        }
        Ok(cells)
    }

    fn add(&mut self, planned: &PlannedRun, run: R) {
        self.repetitions.push(planned.repetition);
        self.seeds.push(planned.seed);
        self.runs.push(run);
    }

    /// Returns whether all repetitions are present.
    pub(crate) fn has_all(&self, repetitions: u64) -> bool {
        self.runs.len() as u64 == repetitions
    }
}
