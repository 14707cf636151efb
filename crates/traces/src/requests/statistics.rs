//! Statistics of a request trace, in memory proportional to its objects.

use super::Facts;
use forebay_core::{Burstiness, Clock, Request};
use serde::Serialize;
use std::collections::HashMap;

const NANOSECONDS_PER_SECOND: f64 = 1e9;

/// The counts of one object.
#[derive(Debug, Clone, Copy)]
struct Object {
    first: u64,
    last: u64,
    size: u64,
    requests: Burstiness,
}

impl Object {
    fn new(request: &Request) -> Self {
        let &Request { time, size, .. } = request;
        let mut requests = Burstiness::default();
        requests.event(time);
        Self { first: time, last: time, size, requests }
    }

    fn add(&mut self, request: &Request) {
        self.requests.event(request.time);
        self.last = request.time;
        self.size = request.size;
    }
}

/// Collects the statistics of a trace.
#[derive(Debug, Default)]
pub struct Collector {
    objects: Vec<Object>,
    places: HashMap<u64, usize>,
    requests: u64,
    bytes: u128,
    /// Requests whose object had another size the time before.
    size_changes: u64,
    smallest: Option<u64>,
    largest: u64,
    first: u64,
    last: u64,
}

impl Collector {
    /// Adds the next requests.
    pub fn add(&mut self, requests: &[Request]) {
        for request in requests {
            if self.requests == 0 {
                self.first = request.time;
            }
            self.requests += 1;
            self.last = request.time;
            self.bytes += u128::from(request.size);
            self.smallest = Some(self.smallest.map_or(request.size, |least| least.min(request.size)));
            self.largest = self.largest.max(request.size);
            let place = *self.places.entry(request.key).or_insert(self.objects.len());
            match self.objects.get_mut(place) {
                Some(object) => {
                    self.size_changes += u64::from(object.size != request.size);
                    object.add(request);
                }
                None => self.objects.push(Object::new(request)),
            }
        }
    }

    /// Returns the statistics of all requests so far.
    #[must_use]
    pub fn finish(&self, facts: Facts) -> Statistics {
        let span = if self.requests == 0 { 0 } else { self.last - self.first };
        let gaps = self.requests.saturating_sub(1);
        let burstiness: Vec<f64> = self.objects.iter().filter_map(|object| object.requests.score()).collect();
        let sizes = facts.sizes.then(|| Sizes {
            min: self.smallest.unwrap_or(0),
            mean: share(self.bytes as f64, self.requests as f64),
            max: self.largest,
            changes: self.size_changes,
            all_objects: self.objects.iter().fold(0, |sum, object| sum.saturating_add(object.size)),
        });
        let (clock, tick_s) = match facts.clock {
            Clock::Slots => ("slots", None),
            Clock::Nanoseconds => ("nanoseconds", Some(1.0 / NANOSECONDS_PER_SECOND)),
        };
        let per_tick = (gaps > 0 && span > 0).then(|| gaps as f64 / span as f64);
        Statistics {
            format: facts.format,
            clock,
            requests: self.requests,
            objects: self.objects.len() as u64,
            one_hit_wonders: self.objects.iter().filter(|object| object.requests.events() == 1).count() as u64,
            span_ticks: span,
            mean_gap_ticks: share(span as f64, gaps as f64),
            requests_per_tick: per_tick,
            requests_per_second: tick_s.and_then(|tick_s| Some(per_tick? / tick_s)),
            share_of_top_1_percent: self.share_of_top(100),
            share_of_top_10_percent: self.share_of_top(10),
            most_active_objects: self.most_active(),
            burstiness: (!burstiness.is_empty()).then(|| burstiness.iter().sum::<f64>() / burstiness.len() as f64),
            objects_with_burstiness: burstiness.len() as u64,
            size_bytes: sizes,
        }
    }

    /// The share of requests that the most requested objects have: one of `part`, at least one.
    fn share_of_top(&self, part: usize) -> f64 {
        let mut counts: Vec<u64> = self.objects.iter().map(|object| object.requests.events()).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let top = counts.len().div_ceil(part);
        share(counts[..top].iter().sum::<u64>() as f64, self.requests as f64)
    }

    /// The most objects that are between their first and their last request, both included.
    fn most_active(&self) -> u64 {
        let sorted = |time: fn(&Object) -> u64| {
            let mut times: Vec<u64> = self.objects.iter().map(time).collect();
            times.sort_unstable();
            times
        };
        let (begins, ends) = (sorted(|object| object.first), sorted(|object| object.last));
        let (mut ended, mut most) = (0, 0);
        for (begun, begin) in (1_u64..).zip(&begins) {
            while ends.get(ended).is_some_and(|end| end < begin) {
                ended += 1;
            }
            most = most.max(begun - ended as u64);
        }
        most
    }
}

/// 0 of nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// The statistics of a request trace. A tick is a slot or a nanosecond.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statistics {
    /// The name of the format, or of the generator.
    pub format: &'static str,
    /// The meaning of a tick: `slots` or `nanoseconds`.
    pub clock: &'static str,
    /// The number of requests.
    pub requests: u64,
    /// The number of different objects that are requested.
    pub objects: u64,
    /// The number of objects that are requested only once.
    pub one_hit_wonders: u64,
    /// The time from the first request to the last, in ticks.
    pub span_ticks: u64,
    /// Mean time from one request to the next, in ticks.
    pub mean_gap_ticks: f64,
    /// The inverse of the mean gap: for slots, their occupancy; `None` if all requests arrive at once.
    pub requests_per_tick: Option<f64>,
    /// The requests per second; `None` for slots.
    pub requests_per_second: Option<f64>,
    /// The share of the requests that are for the most requested 1 % of objects.
    pub share_of_top_1_percent: f64,
    /// The share of the requests that are for the most requested 10 % of objects.
    pub share_of_top_10_percent: f64,
    /// The largest number of objects that are active at one time: between their first and their last request (thesis, footnote 17: cache
    /// sizes are shares of this number).
    pub most_active_objects: u64,
    /// The mean over objects of (sigma - mu) / (sigma + mu) of the times between their requests: -1 for regular requests, 0 for Poisson
    /// arrivals, and near 1 for bursts.
    pub burstiness: Option<f64>,
    /// The number of objects in this mean: those with three requests or more, not all at once.
    pub objects_with_burstiness: u64,
    /// The sizes; `None` if the trace has none.
    pub size_bytes: Option<Sizes>,
}

/// Sizes in bytes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sizes {
    /// The least size of a request.
    pub min: u64,
    /// The mean size of a request.
    pub mean: f64,
    /// The greatest size of a request.
    pub max: u64,
    /// The sum of the sizes of all objects, each as it was last requested.
    pub all_objects: u64,
    /// The number of requests whose object had another size in its previous request.
    pub changes: u64,
}
