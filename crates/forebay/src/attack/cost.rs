//! Estimates the work of the runs of a cell, before any run is made.

use super::scenario::{AttackScenario, Cell};
use crate::error::Result;
use crate::observer::Unit;
use crate::run::{Cost, Job as _, Memory, Part};
use std::collections::BTreeMap;

/// Packets that a core simulates through a processor in a second of CPU time. It is 5.5 million in the example, and 8 million in the
/// scenarios of applications in docs/studies. It is more where most of an attack is dropped at once.
const PACKETS_PER_CPU_SECOND: f64 = 7e6;

/// Returns the cost of each cell of a scenario, in the order of the report, over the runs that `part` selects. A run without an attack
/// counts for the first cell that needs it.
pub(crate) fn costs(scenario: &AttackScenario, part: &Part) -> Result<Vec<Cost>> {
    let plan = scenario.plan()?;
    let mut packets: BTreeMap<usize, f64> = BTreeMap::new();
    for (cell, job) in &plan.jobs {
        *packets.entry(*cell).or_default() += job.length() as f64 / scenario.repetitions as f64;
    }
    let cost = |(number, (cell, runs)): (usize, (&Cell, u64))| {
        let (setting, packets) = (&cell.setting, packets.get(&number).copied().unwrap_or(0.0));
        Cost {
            policy: cell.policy.name.clone(),
            axes: cell.axes.iter().map(|(name, value)| (name.clone(), value.text.clone())).collect(),
            runs,
            simulated: setting.time_of(setting.packets.saturating_add(setting.warmup)),
            counted: Unit::Packets,
            packets,
            cpu_seconds: packets / PACKETS_PER_CPU_SECOND,
            memory: Memory::with_waiting(0.0, packets, [cell.policy.discipline.buffer()]),
        }
    };
    Ok(scenario.cells.iter().zip(plan.runs_in(part)).enumerate().map(cost).collect())
}
