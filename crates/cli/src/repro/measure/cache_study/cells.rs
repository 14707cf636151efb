//! Plays every policy with every capacity and every latency of a trace, and finds bounds.

use super::study::{Study, StudyPolicy, StudyTrace};
use super::workload::Workload;
use crate::caching::Population;
use crate::error::{Result, UserError};
use crate::interrupt;
use forebay_cache::attribution::PerObject;
use forebay_cache::belatedly::{Bounds, Options, bound, simulate_each};
use forebay_cache::future::futures;
use forebay_cache::latency::Latencies;
use forebay_cache::{Counts, Future, Latency, Model, Observer as _, Outcome, Setup};
use forebay_core::{Request, Seed};
use rayon::prelude::*;
use std::any::Any;
use std::ops::ControlFlow;

/// What the schedule of the upper bound is called, beside the policies.
pub(super) const BELATEDLY: &str = "belatedly";
/// What the lower bound is called.
pub(super) const LOWER_BOUND: &str = "lower bound";

/// One latency and one capacity.
pub(super) struct Cell {
    /// As they are written.
    pub(super) latency: String,
    pub(super) capacity: String,
    /// What the capacity comes to.
    pub(super) entries: u64,
    pub(super) results: Vec<Outcomes>,
}

/// What one policy came to.
pub(super) struct Outcomes {
    pub(super) policy: String,
    pub(super) offline: bool,
    pub(super) mean_latency: f64,
    /// None of the lower bound, which is no schedule.
    pub(super) miss_ratio: Option<f64>,
    /// In the classical model.
    pub(super) idealized: Option<Idealized>,
    /// Object by object, if that was asked for.
    pub(super) objects: Option<PerObject>,
}

/// What the classical model says.
pub(super) struct Idealized {
    pub(super) mean_latency: f64,
    pub(super) miss_ratio: f64,
}

impl Cell {
    /// The policy, or bound, called so.
    pub(super) fn result(&self, policy: &str) -> Option<&Outcomes> {
        self.results.iter().find(|result| result.policy == policy)
    }

    pub(super) fn mean_latency(&self, policy: &str) -> Option<f64> {
        self.result(policy).map(|result| result.mean_latency)
    }
}

/// A latency with what follows from it for the trace.
struct Fetches {
    name: String,
    latency: Latency,
    latencies: Latencies,
    futures: Vec<Future>,
}

/// One simulation, or one search for bounds.
#[derive(Clone, Copy)]
struct Job<'a> {
    /// `None`: bounds.
    policy: Option<&'a StudyPolicy>,
    fetches: &'a Fetches,
    entries: u64,
}

/// All cells of a trace; some are missing after an interrupt.
pub(super) fn play(study: &Study, trace: &StudyTrace, workload: &Workload, seed: Seed) -> Result<Vec<Cell>> {
    let statistics = &workload.statistics;
    let population = Population { objects: statistics.objects, active: Some(statistics.most_active_objects) };
    let mut capacities = Vec::new();
    for spec in &trace.capacities {
        let entries = spec.resolve(false, Some(population)).map_err(|message| trace.node.error(message))?;
        capacities.push((spec.to_string(), entries));
    }
    let fetches = fetches(study, trace, workload, seed)?;
    let policies = study.policies.iter().map(Some).chain(study.bounds.map(|_| None));
    let policies: Vec<_> = policies.collect();
    let mut jobs = Vec::new();
    for fetches in &fetches {
        for (_, entries) in &capacities {
            jobs.extend(policies.iter().map(|&policy| Job { policy, fetches, entries: *entries }));
        }
    }
    let done: Vec<_> = jobs.par_iter().map(|job| job.run(study, &workload.requests, seed)).collect::<Result<_>>()?;
    let mut done = done.into_iter();
    let mut cells = Vec::new();
    for fetches in &fetches {
        for (capacity, entries) in &capacities {
            let results = done.by_ref().take(policies.len()).flatten().collect();
            let (latency, capacity) = (fetches.name.clone(), capacity.clone());
            cells.push(Cell { latency, capacity, entries: *entries, results });
        }
    }
    Ok(cells)
}

fn fetches(study: &Study, trace: &StudyTrace, workload: &Workload, seed: Seed) -> Result<Vec<Fetches>> {
    let look_ahead = study.policies.iter().any(|policy| policy.choice.offline());
    let each = trace.latencies.iter().map(|spec| {
        let latency = spec.resolve(workload.clock).map_err(|message| trace.node.error(message))?;
        let latencies = latency.prepare(seed).map_err(|error| trace.node.error(error.to_string()))?;
        let futures = if look_ahead { futures(&workload.requests, |key| latencies.expected(key)) } else { Vec::new() };
        Ok(Fetches { name: spec.to_string(), latency, latencies, futures })
    });
    each.collect()
}

impl Job<'_> {
    fn run(&self, study: &Study, requests: &[Request], seed: Seed) -> Result<Vec<Outcomes>> {
        if interrupt::requested() {
            return Ok(Vec::new());
        }
        match self.policy {
            Some(policy) => Ok(vec![self.simulate(study, policy, requests, seed)?]),
            None => self.bounds(study, requests),
        }
    }

    fn simulate(&self, study: &Study, policy: &StudyPolicy, requests: &[Request], seed: Seed) -> Result<Outcomes> {
        let StudyPolicy { name, choice } = policy;
        let play = |model: Model, watch: bool| {
            let setup = Setup {
                model,
                capacity: self.entries,
                entries: usize::try_from(self.entries).unwrap_or(0),
                ways: None,
                latency: self.fetches.latency.clone(),
                warmup: 0,
                seed,
                observer: watch.then(|| Box::<PerObject>::default() as _),
            };
            let mut simulation = choice.simulation(setup).map_err(|error| UserError::at(name, error.message))?;
            simulation.feed(requests, if choice.offline() { &self.fetches.futures } else { &[] });
            let counts = simulation.counts();
            let objects = simulation.into_observer().and_then(|observer| (observer as Box<dyn Any>).downcast().ok());
            Ok::<_, UserError>((counts, objects.map(|objects| *objects)))
        };
        let (counts, objects) = play(Model::DelayedHits, study.looks_at(name))?;
        let idealized = if study.classical { Some(play(Model::Classical, false)?.0) } else { None };
        let miss_ratio = |counts: Counts| counts.misses as f64 / counts.requests.max(1) as f64;
        Ok(Outcomes {
            offline: choice.offline(),
            mean_latency: counts.mean_latency(),
            miss_ratio: Some(miss_ratio(counts)),
            idealized: idealized
                .map(|counts| Idealized { mean_latency: counts.mean_latency(), miss_ratio: miss_ratio(counts) }),
            objects,
            policy: name.clone(),
        })
    }

    fn bounds(&self, study: &Study, requests: &[Request]) -> Result<Vec<Outcomes>> {
        let latency_of = |request: &Request| self.fetches.latencies.expected(request.key);
        let options = Options { iterations: study.bounds.unwrap_or(1), ..Options::default() };
        let watch = |_: &_| if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let wrong = |error: String| UserError::at(BELATEDLY, error);
        let found: Bounds =
            bound(requests, self.entries, latency_of, &options, watch).map_err(|error| wrong(error.to_string()))?;
        let objects = if study.looks_at(BELATEDLY) {
            let mut objects = PerObject::default();
            let watch = |request: &Request, latency| objects.outcome(request, Outcome::Miss(latency));
            simulate_each(requests, self.entries, latency_of, &found.schedule, watch)
                .map_err(|error| wrong(error.to_string()))?;
            Some(objects)
        } else {
            None
        };
        let per_request = |total: u64| total as f64 / requests.len().max(1) as f64;
        let offline = |policy: &str, total: u64| Outcomes {
            policy: policy.to_owned(),
            offline: true,
            mean_latency: per_request(total),
            miss_ratio: None,
            idealized: None,
            objects: None,
        };
        let upper = offline(BELATEDLY, found.upper);
        let upper = Outcomes { miss_ratio: Some(per_request(found.outcome.misses)), objects, ..upper };
        Ok(vec![upper, offline(LOWER_BOUND, found.lower)])
    }
}
