//! Who gains and who loses when one policy is taken instead of another, object by object.

mod table;

pub(super) use table::table;

use super::report::Place;
use crate::error::WrongValue;
use forebay_cache::Choice;
use forebay_cache::attribution::{Change, ObjectLatency, changes};
use serde::Serialize;
use std::str::FromStr;

/// Two policies, `before,after`.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The policy that differences count from.
    pub before: Choice,
    /// The policy that is compared with it.
    pub after: Choice,
}

impl FromStr for Pair {
    type Err = WrongValue;

    fn from_str(text: &str) -> Result<Self, WrongValue> {
        match super::list::split(text).as_slice() {
            [before, after] => {
                let (before, after): (Choice, Choice) = (before.parse()?, after.parse()?);
                if before.to_string() == after.to_string() {
                    return Err(format!("`{text}` is one policy twice; name two, like lru,lru-mad").into());
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
    #[serde(flatten)]
    pub place: Place,
    pub before: String,
    pub after: String,
    /// The sum over all objects, in ticks.
    pub total_before: u64,
    pub total_after: u64,
    /// Objects by how bursty their requests are.
    pub by_burstiness: Vec<Group>,
    /// Whose latency falls most, and whose rises most.
    pub gainers: Vec<Object>,
    pub losers: Vec<Object>,
}

/// Objects whose Goh-Barabasi score is within these limits; `None`: too few requests for one.
#[derive(Debug, Serialize)]
pub struct Group {
    pub from: Option<f64>,
    pub to: Option<f64>,
    pub objects: u64,
    pub requests: u64,
    pub latency_before: u64,
    pub latency_after: u64,
}

/// What changes for one object; latencies are sums over its requests, in ticks.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Object {
    pub key: u64,
    pub requests: u64,
    pub burstiness: Option<f64>,
    pub latency_before: u64,
    pub latency_after: u64,
}

/// How many gainers and losers are named.
const NAMED: usize = 10;
/// Limits between the groups of burstiness.
const LIMITS: [f64; 6] = [-1.0, -0.2, 0.0, 0.2, 0.4, 1.0];

/// Compares what two policies did to each object.
pub(super) fn attribution(
    place: Place,
    [before_name, after_name]: [&String; 2],
    before: &[ObjectLatency],
    after: &[ObjectLatency],
) -> Attribution {
    let objects: Vec<Object> = changes(before, after).into_iter().map(Object::from).collect();
    let rises = |object: &&Object| object.latency_after > object.latency_before;
    let falls = |object: &&Object| object.latency_after < object.latency_before;
    Attribution {
        place,
        before: before_name.clone(),
        after: after_name.clone(),
        total_before: objects.iter().map(|object| object.latency_before).sum(),
        total_after: objects.iter().map(|object| object.latency_after).sum(),
        by_burstiness: groups(&objects),
        gainers: objects.iter().filter(falls).take(NAMED).copied().collect(),
        losers: objects.iter().rev().filter(rises).take(NAMED).copied().collect(),
    }
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
