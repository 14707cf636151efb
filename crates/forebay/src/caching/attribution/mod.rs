//! The gain and loss of each object when one policy replaces another.

mod files;
mod read;
mod table;

pub(crate) use files::files;
pub(super) use read::{names, read};
pub(super) use table::table;

use super::report::Place;
use super::spread::Spread;
use crate::caching::{BEST_SCHEDULE, SCHEDULE_OF_FILE};
use crate::error::WrongValue;
use forebay_cache::Choice;
use forebay_cache::attribution::{Change, ObjectLatency, changes};
use serde::Serialize;
use std::str::FromStr;

/// Two policies, `before,after`; one may be the best schedule that a search for bounds finds, or the schedule of a file.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The policy from which differences are counted.
    pub before: String,
    /// The policy that is compared with it.
    pub after: String,
}

impl Pair {
    /// Returns whether one of the two is called `name`.
    pub(super) fn has(&self, name: &str) -> bool {
        self.before == name || self.after == name
    }
}

impl FromStr for Pair {
    type Err = WrongValue;

    fn from_str(text: &str) -> Result<Self, WrongValue> {
        match super::list::split(text).as_slice() {
            [before, after] => {
                let name = |text: &str| match text {
                    BEST_SCHEDULE | SCHEDULE_OF_FILE => Ok(text.to_owned()),
                    _ => text.parse().map(|choice: Choice| choice.to_string()),
                };
                let (before, after) = (name(before)?, name(after)?);
                if before == after {
                    return Err(format!("`{text}` names one policy twice; name two, like lru,lru-mad").into());
                }
                Ok(Self { before, after })
            }
            _ => Err(format!("`{text}` must be two policies, like lru,lru-mad").into()),
        }
    }
}

/// The changes at one place of the sweep.
#[derive(Debug, Serialize)]
pub struct Attribution {
    /// The place of the sweep.
    #[serde(flatten)]
    pub place: Place,
    /// The policy from which differences are counted.
    pub before: String,
    /// The policy that replaces it.
    pub after: String,
    /// The total latency of all objects under `before`, in ticks.
    pub total_before: u64,
    /// The total latency of all objects under `after`, in ticks.
    pub total_after: u64,
    /// Groups of objects by the burstiness of their requests.
    pub by_burstiness: Vec<Group>,
    /// Windows of the trace with equal numbers of requests. Requests at the end that do not fill a window are left out.
    pub by_time: Vec<Window>,
    /// Every object, the greatest gain first.
    #[serde(skip)]
    pub objects: Vec<Object>,
    /// The objects whose latency falls, the greatest gain first.
    pub gainers: Vec<Object>,
    /// The objects whose latency rises, the greatest loss first.
    pub losers: Vec<Object>,
}

/// Objects whose Goh-Barabasi score is within these limits; the limits are `None` for objects with too few requests for a score.
#[derive(Debug, Serialize)]
pub struct Group {
    /// The least score of the group.
    pub from: Option<f64>,
    /// The least score of the next group; for the last group, its greatest score.
    pub to: Option<f64>,
    /// The number of objects.
    pub objects: u64,
    /// The number of requests for these objects.
    pub requests: u64,
    /// The total latency of these requests under `before`, in ticks.
    pub latency_before: u64,
    /// The total latency of these requests under `after`, in ticks.
    pub latency_after: u64,
}

/// The change for one object; latencies are sums over its requests, in ticks.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Object {
    /// The object's key.
    pub key: u64,
    /// The number of requests for the object.
    pub requests: u64,
    /// The Goh-Barabasi score of the requests' times; [`None`] for fewer than three requests.
    pub burstiness: Option<f64>,
    /// The total latency of the requests under `before`, in ticks.
    pub latency_before: u64,
    /// The total latency of the requests under `after`, in ticks.
    pub latency_after: u64,
}

/// The change in a part of the trace.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Window {
    /// The time at which the window's first request arrives, in ticks.
    pub start: u64,
    /// The number of requests in the window.
    pub requests: u64,
    /// The total latency of the window's requests under `before`, in ticks.
    pub latency_before: u64,
    /// The total latency of the window's requests under `after`, in ticks.
    pub latency_after: u64,
}

/// The observations of a policy or a schedule.
pub(super) struct Side<'a> {
    pub(super) name: &'a str,
    pub(super) objects: Vec<ObjectLatency>,
    pub(super) spread: Option<&'a Spread>,
}

/// The number of gainers, and of losers, that are named.
const NAMED: usize = 10;
/// Limits between the groups of burstiness.
const LIMITS: [f64; 6] = [-1.0, -0.2, 0.0, 0.2, 0.4, 1.0];

/// Compares the latencies of each object under two policies, and the latencies along the trace.
pub(super) fn attribution(place: Place, before: &Side<'_>, after: &Side<'_>) -> Attribution {
    let objects: Vec<Object> = changes(&before.objects, &after.objects).into_iter().map(Object::from).collect();
    let rises = |object: &&Object| object.latency_after > object.latency_before;
    let falls = |object: &&Object| object.latency_after < object.latency_before;
    Attribution {
        place,
        before: before.name.to_owned(),
        after: after.name.to_owned(),
        total_before: objects.iter().map(|object| object.latency_before).sum(),
        total_after: objects.iter().map(|object| object.latency_after).sum(),
        by_burstiness: groups(&objects),
        by_time: windows(before.spread, after.spread),
        gainers: objects.iter().filter(falls).take(NAMED).copied().collect(),
        losers: objects.iter().rev().filter(rises).take(NAMED).copied().collect(),
        objects,
    }
}

/// Both were watched over the same blocks, since they saw the same requests.
fn windows(before: Option<&Spread>, after: Option<&Spread>) -> Vec<Window> {
    let (Some(before), Some(after)) = (before, after) else { return Vec::new() };
    let blocks = before.block_starts.iter().zip(&before.blocks).zip(&after.blocks);
    let window = |((&start, &latency_before), &latency_after)| Window {
        start,
        requests: before.block_requests,
        latency_before,
        latency_after,
    };
    blocks.map(window).collect()
}

fn groups(objects: &[Object]) -> Vec<Group> {
    let group = |from: Option<f64>, to: Option<f64>| {
        let last = to == LIMITS.last().copied();
        let within = |object: &&Object| match (object.burstiness, from, to) {
            (None, None, None) => true,
            (Some(score), Some(from), Some(to)) => score >= from && (score < to || last && score <= to),
            _ => false,
        };
        let own: Vec<_> = objects.iter().filter(within).collect();
        Group {
            from,
            to,
            objects: own.len() as u64,
            requests: own.iter().map(|object| object.requests).sum(),
            latency_before: own.iter().map(|object| object.latency_before).sum(),
            latency_after: own.iter().map(|object| object.latency_after).sum(),
        }
    };
    let scored = LIMITS.windows(2).map(|limits| group(Some(limits[0]), Some(limits[1])));
    std::iter::once(group(None, None)).chain(scored).collect()
}

impl From<Change> for Object {
    fn from(change: Change) -> Self {
        let Change { key, requests, burstiness, before, after } = change;
        Self { key, requests, burstiness, latency_before: before, latency_after: after }
    }
}
