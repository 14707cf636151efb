//! Reads `schedule` of `[cache]`: a file with a schedule that is played next to the policies.

use super::bounds::known;
use super::scenario::Setting;
use super::schedule_file::ScheduleFile;
use super::service;
use crate::document::Table;
use crate::error::Result;
use crate::scenario::Files;
use forebay_cache::Model;
use forebay_core::Seed;
use std::sync::Arc;

/// Reads the file, if there is one. A schedule must cover all requests, in the model with delayed hits, with known latencies.
pub(super) fn read(
    table: &Table<'_>,
    setting: &mut Setting,
    seed: Seed,
    files: &dyn Files,
) -> Result<Option<Arc<ScheduleFile>>> {
    let Some(node) = table.get("schedule") else { return Ok(None) };
    let wrong = |message: &str| Err(node.error(message));
    if !setting.models.contains(&Model::DelayedHits) {
        return wrong("a schedule is played with delayed hits; leave `model` out");
    }
    if let Some((field, _)) = service::beyond_bounds(table) {
        return Err(node.error(format!("a schedule does not support `{field}`; leave one of them out")));
    }
    if setting.warmup > 0 {
        return wrong("a schedule covers all requests; leave `warmup` out");
    }
    if setting.sample.is_some() {
        return wrong("a schedule covers all requests; leave `sample` out");
    }
    known(&setting.latency.1, seed).map_err(|error| setting.places.latency.error(error))?;
    setting.places.schedule = node.clone();
    let file = ScheduleFile::read(node.text("schedule")?, files).map_err(|error| node.error(error))?;
    Ok(Some(Arc::new(file)))
}
