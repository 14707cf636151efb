//! Warnings about a scenario of networks before it runs: flows that are left out, guesses, policies that know the future.

use super::cell::Cell;
use super::recorded::Recorded;
use super::run_result::Completion;
use super::workload::{Flows, WorkloadPlan};
use crate::error::Result;
use forebay_sim::net::workload::SizeTable;
use std::collections::BTreeSet;

/// Returns each different warning, in the order of the cells.
pub(super) fn of_cells(cells: &[Cell]) -> Result<Vec<String>> {
    let mut warnings = Vec::new();
    for cell in cells {
        warnings.extend(unacknowledged(cell)?);
    }
    warnings.extend(cells.iter().filter_map(foresighted));
    let plans = || cells.iter().flat_map(|cell| &cell.common.workloads).map(|carried| &carried.plan);
    warnings.extend(plans().filter_map(late));
    warnings.extend(plans().filter_map(doubt));
    warnings.extend(cells.iter().flat_map(of_recording));
    let mut said = BTreeSet::new();
    warnings.retain(|warning| said.insert(warning.clone()));
    Ok(warnings)
}

/// A warning of flows without acknowledgements, where flows are complete when they are acknowledged.
fn unacknowledged(cell: &Cell) -> Result<Vec<String>> {
    if cell.common.settings.completion != Completion::Acknowledged {
        return Ok(Vec::new());
    }
    let warning = |workload| {
        format!(
            "{}: the transport of workload `{workload}` sends no acknowledgements, so its flows are complete when received",
            cell.policy.name
        )
    };
    Ok(cell.unacknowledged()?.into_iter().map(warning).collect())
}

/// Which policies know the future, and how.
fn foresighted(cell: &Cell) -> Option<String> {
    cell.looks_ahead().then(|| {
        format!(
            "{}: runs twice; its policy knows the lookups of a first run under LRU, whose times differ a little from its own",
            cell.policy.name
        )
    })
}

/// Which flows of a file start too late to be replayed.
fn late(plan: &WorkloadPlan) -> Option<String> {
    let WorkloadPlan { name, flows: Flows::Replayed(replay), late: late @ 1.., .. } = plan else { return None };
    let all = replay.flows().len() as u64 + late;
    Some(format!("workload `{name}`: {late} of {all} flows of its file start after `duration` and are left out"))
}

/// Which sizes of flows may be meant otherwise, and which files may be cut.
fn doubt(plan: &WorkloadPlan) -> Option<String> {
    let doubt = match &plan.flows {
        Flows::Drawn(drawn) => drawn.table.as_ref().and_then(SizeTable::doubt),
        Flows::Replayed(replay) => replay.warning().map(str::to_owned),
    }?;
    Some(format!("workload `{}`: {doubt}", plan.name))
}

/// Returns warnings about the parts of a recording that are left out or guessed.
fn of_recording(cell: &Cell) -> Vec<String> {
    let Some(recorded) = &cell.common.settings.topology.recorded else { return Vec::new() };
    recorded.warnings.iter().cloned().chain(several_dscps(cell, recorded)).collect()
}

/// Warnings of classes of a recording that are ignored, or not sent.
fn several_dscps(cell: &Cell, recorded: &Recorded) -> Option<String> {
    let all = recorded.dscps();
    let sent: Vec<Option<u8>> = cell.common.workloads.iter().map(|carried| carried.plan.dscp).collect();
    let listed = |dscps: &[u8]| dscps.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
    if sent.iter().all(Option::is_none) {
        return (all.len() > 1).then(|| {
            format!(
                "the DSCPs of flows ({}) are ignored: all packets have the class of their workload; to keep the DSCPs, write a \
                 [[workload]] with `dscp` for each",
                listed(&all)
            )
        });
    }
    let missing: Vec<u8> =
        all.into_iter().filter(|dscp| !sent.contains(&None) && !sent.contains(&Some(*dscp))).collect();
    (!missing.is_empty()).then(|| {
        format!("the flows of the recording with DSCP {} are left out, since no workload sends them", listed(&missing))
    })
}
