//! The bounds that stand beside the policies of `forebay cache --bound`.

use super::bounds::{Effort, Limits, check, known, limits, progress_text};
use super::plan::{Cell, Plan};
use super::reading::Reading;
use super::report::Place;
use crate::error::{Result, UserError};
use crate::observer::{Meter, Observer, Unit};
use crate::requests::RequestTrace;
use forebay_cache::latency::Latencies;
use forebay_core::Request;
use rayon::prelude::*;
use serde::Serialize;

/// The bounds at one place.
#[derive(Debug, Clone, Serialize)]
pub struct Bounded {
    #[serde(flatten)]
    pub place: Place,
    #[serde(flatten)]
    pub limits: Limits,
}

/// What bounds are searched with, known to have some.
pub(super) struct Question {
    pub(super) requests: Vec<Request>,
    /// In the order of the plan.
    latencies: Vec<Latencies>,
    effort: Effort,
}

/// Searches at one time look at so many requests at most, which limits their memory.
const REQUESTS_AT_A_TIME: usize = 8_000_000;

impl Question {
    /// Reads the trace; `None` if no bounds are asked for. What cannot be bounded is
    /// refused here, before anything is played.
    pub(super) fn new(plan: &Plan, trace: &RequestTrace, observer: &dyn Observer) -> Result<Option<Self>> {
        let Some(seconds) = plan.bound_seconds else { return Ok(None) };
        let wrong = |message: &str| Err(UserError::argument("bound", message));
        if !plan.delayed {
            return wrong("bounds are of the model with delayed hits; leave out --model classical");
        }
        if plan.warmup > 0 {
            return wrong("a bound is of all requests; leave out --warmup");
        }
        let mut reading = Reading::open(trace, plan.sized)?;
        let clock = reading.facts().clock;
        let latency = |spec: &super::LatencySpec| {
            let latency = spec.resolve(clock).map_err(|error| UserError::argument("latency", error))?;
            known(&latency, plan.seed)
        };
        let latencies = plan.latencies.iter().map(latency).collect::<Result<Vec<_>>>()?;
        let requests = reading.rest(observer)?;
        for latencies in &latencies {
            check(trace, &requests, latencies)?;
        }
        let effort = Effort::within(seconds, requests.len());
        Ok(Some(Self { requests, latencies, effort }))
    }

    /// The bounds at every capacity and latency; after an interrupt, those that there are.
    pub(super) fn bounded(
        &self,
        trace: &RequestTrace,
        cells: &[Cell],
        place: impl Fn(&Cell) -> Place,
        observer: &dyn Observer,
    ) -> Result<Vec<Bounded>> {
        let mut places: Vec<&Cell> = cells.iter().collect();
        places.dedup_by_key(|cell| (cell.latency_index, cell.capacity));
        let steps = u64::from(self.effort.iterations);
        let bar = Meter::new(observer, Unit::Steps, Some(steps * places.len() as u64));
        let search = |cell: &Cell| {
            if !observer.goes_on() {
                return Ok(None);
            }
            let mut done = 0;
            let latencies = &self.latencies[cell.latency_index];
            let found = limits(&self.requests, cell.capacity, latencies, self.effort, observer, |now| {
                bar.add(u64::from(now.iteration) - done);
                done = u64::from(now.iteration);
                bar.describe(&progress_text(now));
                true
            });
            bar.add(steps - done);
            found.map(Some).map_err(|error| UserError::at(trace.place(), error.to_string()))
        };
        let width = (REQUESTS_AT_A_TIME / self.requests.len().max(1)).max(1);
        let mut all = Vec::new();
        for places in places.chunks(width) {
            let found: Vec<_> = places.par_iter().map(|cell| search(cell)).collect::<Result<_>>()?;
            let bounded =
                |(cell, limits): (&&Cell, Option<Limits>)| Some(Bounded { place: place(cell), limits: limits? });
            all.extend(places.iter().zip(found).filter_map(bounded));
        }
        bar.finish();
        Ok(all)
    }
}
