//! `application = { name = "two-stage-matcher", ... }`: the filter, graded rules, and innocent payloads.

use super::{Innocents, Kind, cost};
use crate::document::Table;
use crate::error::Result;
use crate::scenario::distribution;
use forebay_core::Packet;
use forebay_core::convert::index;
use forebay_sim::attack::Quantity;
use forebay_sim::attack::applications::matcher::{Grades, InnocentPayloads, Matching, Rules};

const MAX_RULES: u64 = 1_000;
/// The most that a rule may cost on average, in nanoseconds per byte: a millisecond.
const MAX_NS_PER_BYTE: f64 = 1e6;

/// Reads the matcher's parameters; the caller finishes the table.
pub(super) fn read(table: &Table<'_>) -> Result<(Kind, Innocents)> {
    let usual = Matching::default();
    let filter = cost(table, "filter", usual.filter)?;
    let rules = Rules::graded(grades(table)?);
    let size_bytes = match table.get("size_bytes") {
        Some(node) => Quantity::Drawn(distribution(node, "size_bytes", 1, Packet::MAX_BYTES.into())?),
        None => usual.innocent.size_bytes,
    };
    let flows = match table.get("flows") {
        Some(node) => u32::try_from(node.integer("flows", 1, 1 << 20)?).expect("read as at most 2^20"),
        None => usual.innocent.flows,
    };
    let innocent = InnocentPayloads { rules, size_bytes, flows };
    let kind = Kind::Matcher(Box::new(Matching { filter, innocent, attack: usual.attack }));
    Ok((kind, Innocents { flows, gaps: "back-to-back", warnings: Vec::new() }))
}

fn grades(table: &Table<'_>) -> Result<Grades> {
    let usual = Grades::default();
    let count = table.get("rules").map_or(Ok(usual.count as u64), |node| node.integer("rules", 1, MAX_RULES))?;
    let from = |key, usual, least, most| table.get(key).map_or(Ok(usual), |node| node.number_from(key, least, most));
    let grades = Grades {
        count: index(count),
        decades: from("decades", usual.decades, 0.0, 9.0)?,
        candidates: from("candidates", usual.candidates.min(count as f64), 0.0, count as f64)?,
        matches: from("matches", usual.matches, 0.0, 1.0)?,
        ns_per_byte: from("ns_per_byte", usual.ns_per_byte, 0.0, MAX_NS_PER_BYTE)?,
        spread: from("spread", usual.spread, 0.0, 1.0)?,
    };
    if grades.ns_per_byte * 10_f64.powf(grades.decades) > MAX_NS_PER_BYTE {
        return Err(table.error(
            "the last of the rules would cost more than 1 ms for each byte; use fewer `decades`, or a smaller \
             `ns_per_byte`",
        ));
    }
    Ok(grades)
}
