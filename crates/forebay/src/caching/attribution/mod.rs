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
    /// The policy that differences count from.
    pub before: String,
    /// The policy that is compared with it.
    pub after: String,
}

impl Pair {
    /// Whether one of them is called so.
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

/// The changes at one place.
#[derive(Debug, Serialize)]
pub struct Attribution {
    /// The place.
    #[serde(flatten)]
    pub place: Place,
    /// The policy that differences count from.
    pub before: String,
    /// The policy that is taken instead.
    pub after: String,
    /// The sum over all objects before, in ticks.
    pub total_before: u64,
    /// And after.
    pub total_after: u64,
    /// Objects by how bursty their requests are.
    pub by_burstiness: Vec<Group>,
    /// Along the trace: windows of equal numbers of requests. Requests at its end that fill none are in none.
    pub by_time: Vec<Window>,
    /// Every object, the greatest gain first.
    #[serde(skip)]
    pub objects: Vec<Object>,
    /// Whose latency falls, the greatest gain first.
    pub gainers: Vec<Object>,
    /// The greatest loss first.
    pub losers: Vec<Object>,
}

/// Objects whose Goh-Barabasi score is within these limits; `None`: too few requests for one.
#[derive(Debug, Serialize)]
pub struct Group {
    /// The least score.
    pub from: Option<f64>,
    /// The score that is the next group's; of the last group its own.
    pub to: Option<f64>,
    /// How many objects.
    pub objects: u64,
    /// Their requests.
    pub requests: u64,
    /// Their wait before, in ticks.
    pub latency_before: u64,
    /// And after.
    pub latency_after: u64,
}

/// The change for one object; latencies are sums over its requests, in ticks.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Object {
    /// Which.
    pub key: u64,
    /// Its requests.
    pub requests: u64,
    /// Goh-Barabasi score of their times; [`None`] of fewer than three.
    pub burstiness: Option<f64>,
    /// Their wait before, in ticks.
    pub latency_before: u64,
    /// And after.
    pub latency_after: u64,
}

/// The change in a part of the trace.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Window {
    /// When its first request arrives, in ticks.
    pub start: u64,
    /// How many requests it has.
    pub requests: u64,
    /// Their wait before, in ticks.
    pub latency_before: u64,
    /// And after.
    pub latency_after: u64,
}

/// What was watched of a policy or a schedule.
pub(super) struct Side<'a> {
    pub(super) name: &'a str,
    pub(super) objects: Vec<ObjectLatency>,
    pub(super) spread: Option<&'a Spread>,
}

/// How many gainers and losers are named.
const NAMED: usize = 10;
/// Limits between the groups of burstiness.
const LIMITS: [f64; 6] = [-1.0, -0.2, 0.0, 0.2, 0.4, 1.0];

/// Compares what two policies did to each object, and along the trace.
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
