//! The change from one policy to another as a table.

use super::{Attribution, Object};
use crate::caching::units::{percent, ticks_text};
use crate::output::table::plain_table;
use std::fmt::Write as _;

/// Returns a table of objects by burstiness, and of the objects with the greatest gains and losses.
pub(in crate::caching) fn table(attribution: &Attribution, latency_unit: &str) -> String {
    let Attribution { before, after, total_before, total_after, .. } = attribution;
    let ticks = |ticks: u64| ticks_text(latency_unit, ticks as f64);
    let gain = |before: u64, after: u64| match before {
        0 => "-".to_owned(),
        _ => percent((before as f64 - after as f64) / before as f64),
    };
    let mut out =
        format!("\n{after} instead of {before}: {} of the latency saved\n\n", gain(*total_before, *total_after));
    let header = ["objects with burstiness", "objects", "requests", before.as_str(), after.as_str(), "saved"];
    let rows = attribution.by_burstiness.iter().map(|group| {
        let name = match (group.from, group.to) {
            (Some(from), Some(to)) => format!("{from:.1} to {to:.1}"),
            _ => "none: under 3 requests".to_owned(),
        };
        vec![
            name,
            group.objects.to_string(),
            group.requests.to_string(),
            ticks(group.latency_before),
            ticks(group.latency_after),
            gain(group.latency_before, group.latency_after),
        ]
    });
    out += &plain_table(header.map(str::to_owned).to_vec(), rows.collect());
    let mut named = |what: &str, objects: &[Object]| {
        let text = |object: &Object| {
            let change = object.latency_before.abs_diff(object.latency_after);
            format!("{} ({})", object.key, ticks(change))
        };
        let texts: Vec<_> = objects.iter().take(5).map(text).collect();
        if !texts.is_empty() {
            let _ = writeln!(out, "{what}: {}", texts.join(", "));
        }
    };
    named("\nmost saved", &attribution.gainers);
    named("most lost", &attribution.losers);
    out
}
