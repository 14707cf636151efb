//! Plays schedules: from a file, and the best one that a search for bounds has found.

use super::object_rows::write_objects;
use super::outcome::{ObjectNumbers, object_numbers};
use super::scenario::Setting;
use super::schedule_rows::{SCHEDULE, ScheduleRows};
use super::spread::Spread;
use super::watch::{observer, watched};
use crate::detail::{Part, PartWriter, Rows};
use crate::error::{Result, UserError};
use forebay_cache::belatedly::{Overfull, Schedule, simulate_each};
use forebay_cache::latency::Latencies;
use forebay_cache::{Counts, RequestOutcome};
use forebay_core::Request;

/// The result of a schedule.
pub(super) struct Scheduled {
    pub(super) counts: Counts,
    pub(super) spread: Option<Spread>,
    pub(super) objects: Option<Vec<ObjectNumbers>>,
    /// The rows that are wanted and kept.
    pub(super) parts: Vec<Part>,
}

/// A schedule, and the trace and cache on which it is played.
pub(super) struct Stage<'a> {
    /// The schedule's name in results.
    pub(super) name: &'a str,
    pub(super) setting: &'a Setting,
    pub(super) requests: &'a [Request],
    pub(super) capacity: u64,
    pub(super) latencies: &'a Latencies,
    pub(super) schedule: &'a Schedule,
    pub(super) rows: &'a Rows<'a>,
}

impl Stage<'_> {
    /// Plays the schedule. `each` receives a row for each request. The schedule itself is written if it was searched for and the scenario
    /// asks for it.
    pub(super) fn play(
        &self,
        is_searched: bool,
        each: Option<PartWriter>,
        wrong: impl Fn(&Overfull) -> UserError,
    ) -> Result<Scheduled> {
        let Self { setting, requests, capacity, latencies, schedule, rows, .. } = self;
        let clock = setting.facts.clock;
        let mut heard = observer(setting.watches(self.name), None, each, clock);
        let writer = if is_searched && setting.records_schedule { rows.begin(&SCHEDULE)? } else { None };
        let mut written = writer.map(|writer| ScheduleRows::new(writer, &schedule.stays, clock));
        // Who leaves is not counted: a schedule says when objects leave, and not for which.
        let mut counts = Counts::default();
        let watch = |request: &Request, outcome: RequestOutcome| {
            heard.outcome(request, outcome);
            if let Some(written) = &mut written {
                written.row(request, outcome);
            }
            counts.count(request, outcome);
        };
        let latency_of = |request: &Request| latencies.expected(request.key, request.size);
        simulate_each(requests, *capacity, latency_of, schedule, watch).map_err(|error| wrong(&error))?;
        let (watch, requests_written) = watched(Some(heard));
        let mut parts = Vec::new();
        for writer in [written.map(ScheduleRows::into_writer), requests_written.map(|own| own.into_writer())] {
            parts.extend(writer.map(PartWriter::finish).transpose()?);
        }
        let spread = watch.as_ref().map(|watch| Spread::new(&watch.waits, &counts, clock, 1.0));
        let objects = watch.and_then(|watch| watch.objects).map(|objects| object_numbers(objects.latencies()));
        parts.extend(write_objects(rows, objects.as_deref(), clock)?);
        Ok(Scheduled { counts, spread, objects, parts })
    }
}
