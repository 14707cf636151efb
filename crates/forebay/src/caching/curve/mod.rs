//! Miss ratio and latency over the capacity.

mod csv;
mod pictures;
mod table;

pub use csv::curve_csv;
pub use pictures::curve_pictures;
pub use table::curve_table;

use super::CapacitySpec;
use super::compare::latency_value;
use super::plan::Plan;
use super::play::play;
use super::population::seen;
use super::reading::Reading;
use super::report::Played;
use super::units::{LatencyValue, capacity_unit, unit};
use crate::error::{Result, UserError};
use crate::observer::Observer;
use crate::requests::RequestTrace;
use forebay_cache::Counts;
use forebay_cache::curve::StackDistances;
use serde::Serialize;

/// Curves over capacity for one trace.
#[derive(Debug, Serialize)]
pub struct CurveReport {
    pub trace: String,
    pub format: &'static str,
    /// `slots` or `ns`.
    pub latency_unit: &'static str,
    /// `entries` or `bytes`.
    pub capacity_unit: &'static str,
    pub seed: u64,
    /// Requests of the whole trace.
    pub requests: u64,
    pub objects: u64,
    /// The share of the objects that was played.
    pub sample: f64,
    /// Whether every request was played.
    pub complete: bool,
    /// LRU in the classical model on the whole trace: exact, from stack distances.
    pub lru_miss_ratio: Vec<MissRatio>,
    pub curves: Vec<Curve>,
}

/// A miss ratio at one capacity.
#[derive(Debug, Serialize)]
pub struct MissRatio {
    pub capacity: u64,
    pub miss_ratio: f64,
}

/// One policy with one latency.
#[derive(Debug, Serialize)]
pub struct Curve {
    pub policy: String,
    pub offline: bool,
    pub latency: LatencyValue,
    pub points: Vec<Point>,
}

/// One capacity. Ratios are of all requests; latencies are means over all, in ticks.
#[derive(Debug, Serialize)]
pub struct Point {
    pub capacity: u64,
    /// With delayed hits.
    pub miss_ratio: Option<f64>,
    pub delayed_ratio: Option<f64>,
    pub mean_latency: Option<f64>,
    /// In the classical model.
    pub classical_miss_ratio: Option<f64>,
    pub classical_mean_latency: Option<f64>,
}

/// Where the least capacity stands if none are given: one of so many objects.
const LEAST_PART: f64 = 1_000.0;

/// A sampled cache below this says little of the whole one.
const LEAST_SAMPLED: u64 = 50;

/// Plays the plan at every capacity; `points` of them if the plan has none.
pub fn curves(plan: &Plan, trace: &RequestTrace, points: u32, observer: &dyn Observer) -> Result<CurveReport> {
    let facts = Reading::open(trace, plan.sized)?.facts();
    let mut distances = StackDistances::default();
    let mut unwarmed = plan.warmup;
    let seen = seen(trace, plan.sized, observer, |request| {
        if unwarmed == 0 {
            distances.request(request);
        } else {
            unwarmed -= 1;
            distances.warm_up(request);
        }
    })?;
    let mut plan = plan.clone();
    if plan.capacities.is_empty() {
        plan.capacities = spread(&plan, seen.population.objects, points);
    }
    let cells = plan.cells(&trace.place(), facts.clock, Some(seen.population))?;
    let least = cells.iter().map(|cell| plan.setup(cell, plan.models()[0]).capacity).min();
    if let Some(least) = least.filter(|least| plan.sample.is_some() && *least < LEAST_SAMPLED) {
        let message =
            format!("the smallest sampled cache holds {least} only; --sample should leave {LEAST_SAMPLED} or more");
        observer.warn(&format!("{}: {message}", trace.place()));
    }
    let played = play(&plan, trace, &cells, None, observer)?;
    let share = plan.sample.map_or(1.0, |sample| sample.share());
    // After an interrupt, each has seen its own part of the trace.
    let requests = (observer.goes_on()).then(|| (seen.requests.saturating_sub(plan.warmup)) as f64 * share);
    if requests == Some(0.0) {
        let message = format!("the trace has no more than {} requests; none is left to count", plan.warmup);
        return Err(UserError::argument("warmup", message));
    }
    let mut curves = Vec::new();
    for latency_index in 0..plan.latencies.len() {
        for policy in &plan.policies {
            let own = cells.iter().zip(&played).filter(|(cell, _)| {
                cell.latency_index == latency_index && cell.policy.to_string() == policy.to_string()
            });
            let own: Vec<_> = own.collect();
            let Some((first, _)) = own.first() else { continue };
            curves.push(Curve {
                policy: policy.to_string(),
                offline: policy.offline(),
                latency: latency_value(&plan, first),
                points: own.iter().map(|(cell, played)| point(cell.capacity, played, requests)).collect(),
            });
        }
    }
    let mut capacities: Vec<_> = cells.iter().map(|cell| cell.capacity).collect();
    capacities.sort_unstable();
    capacities.dedup();
    let hits = distances.hits(&capacities);
    let miss_ratio = |hits: u64| 1.0 - hits as f64 / distances.requests().max(1) as f64;
    let ratios = capacities.iter().zip(hits);
    Ok(CurveReport {
        trace: trace.place(),
        format: facts.format,
        latency_unit: unit(facts.clock),
        capacity_unit: capacity_unit(plan.sized),
        seed: plan.seed.0,
        requests: seen.requests,
        objects: seen.objects,
        sample: share,
        complete: observer.goes_on(),
        lru_miss_ratio: ratios.map(|(&capacity, hits)| MissRatio { capacity, miss_ratio: miss_ratio(hits) }).collect(),
        curves,
    })
}

/// Capacities at even distances on a logarithmic scale.
fn spread(plan: &Plan, objects: u64, points: u32) -> Vec<CapacitySpec> {
    let most = objects.max(1) as f64;
    let least = (most / LEAST_PART).max(1.0);
    let step = |index: u32| least * (most / least).powf(f64::from(index) / f64::from(points - 1));
    let mut capacities: Vec<_> = (0..points).map(|index| CapacitySpec::plain(plan, step(index))).collect();
    capacities.dedup_by_key(|capacity| capacity.to_string());
    capacities
}

/// A sample has a few requests more or less than its share, mostly since very popular
/// objects are in it or not. What it lacks are hits of such objects (SHARDS-adj); what it
/// has more cannot be told from the rest, so ratios are then those of the sample.
fn point(capacity: u64, played: &Played, requests: Option<f64>) -> Point {
    let part = |counts: Counts, of: fn(&Counts) -> u64| {
        let counted = counts.requests as f64;
        of(&counts) as f64 / requests.unwrap_or(counted).max(counted).max(1.0)
    };
    let ratio = |counts: Option<Counts>, of| counts.map(|counts| part(counts, of));
    Point {
        capacity,
        miss_ratio: ratio(played.delayed, |counts| counts.misses),
        delayed_ratio: ratio(played.delayed, |counts| counts.delayed_hits),
        mean_latency: ratio(played.delayed, |counts| counts.total_latency),
        classical_miss_ratio: ratio(played.classical, |counts| counts.misses),
        classical_mean_latency: ratio(played.classical, |counts| counts.total_latency),
    }
}

impl CurveReport {
    /// Each of its latencies once, in order.
    fn latencies(&self) -> Vec<&LatencyValue> {
        let mut latencies: Vec<_> = self.curves.iter().map(|curve| &curve.latency).collect();
        latencies.dedup();
        latencies
    }

    /// The curves of one latency.
    fn of<'a>(&'a self, latency: &'a LatencyValue) -> impl Iterator<Item = &'a Curve> {
        self.curves.iter().filter(move |curve| &curve.latency == latency)
    }
}
