//! The service of requests of `[cache]`, apart from fetches. These fields are the latency of hits, the release of requests that waited, the
//! number of parallel fetches of a store, and the lifetime of objects.

use super::lifetime;
use crate::document::{Node, Table};
use crate::error::Result;
use crate::requests::RequestTrace;
use forebay_cache::Service;
use forebay_core::Clock;

/// A field, and how it is written.
const FIELDS: [&str; 5] = ["hit_latency", "release_interval", "parallel", "ttl", "prefetch"];

/// Returns the first of these fields that is present and that bounds of all policies ignore.
pub(super) fn beyond_bounds<'a>(table: &Table<'a>) -> Option<(&'static str, &'a Node)> {
    FIELDS.into_iter().find_map(|field| Some((field, table.get(field)?)))
}

/// Returns the first of these fields that is present and that makes a sample of the objects wrong.
pub(super) fn beyond_samples<'a>(table: &Table<'a>) -> Option<(&'static str, &'a Node)> {
    // Hits that a sample lacks are added by their number, a store would have less to do, and what follows an object may be left out.
    ["hit_latency", "parallel", "prefetch"].into_iter().find_map(|field| Some((field, table.get(field)?)))
}

/// Reads the fields, with the notes about them.
pub(super) fn read(table: &Table<'_>, clock: Clock, trace: &RequestTrace) -> Result<(Service, Option<String>)> {
    let ticks = |field: &'static str| table.get(field).map_or(Ok(0), |node| lifetime::ticks(node, field, clock));
    let parallel = table.get("parallel").map(|node| node.integer("parallel", 1, 1_000_000)).transpose()?;
    let (lifetime, note) = match table.get("ttl") {
        Some(node) => lifetime::read(node, clock, trace)?,
        None => Default::default(),
    };
    let service = Service {
        hit_latency: ticks("hit_latency")?,
        release_interval: ticks("release_interval")?,
        parallel: parallel.and_then(|parallel| u32::try_from(parallel).ok()),
        lifetime,
        prefetch: None,
    };
    Ok((service, note))
}
