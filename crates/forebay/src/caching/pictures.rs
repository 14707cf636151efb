//! Pictures of `forebay cache`: mean latencies with their lower bounds, and miss ratios.

use super::report::CacheReport;
use crate::error::Result;
use crate::figure::{Axis, Unit};
use crate::frame::Frame;
use crate::picture::{Across, Picture, Recipe, Sweep, rows_of};
use std::collections::BTreeSet;

/// Returns the pictures; byte miss ratios only if objects have sizes, since otherwise they equal the miss ratios.
fn recipes(is_sized: bool) -> [Recipe; 3] {
    let latency =
        |across| Recipe { name: "latency", what: "mean latency", y: &[("latency:mean", false)], across, subject: None };
    let miss_ratio = Recipe {
        name: "miss-ratio",
        what: "miss ratio",
        y: if is_sized { &[("miss_ratio", false), ("byte_miss_ratio", false)] } else { &[("miss_ratio", false)] },
        across: Across::EachAxis,
        subject: None,
    };
    [latency(Across::Field("policy")), latency(Across::EachAxis), miss_ratio]
}

/// Returns all pictures of a result with this frame.
pub fn pictures(report: &CacheReport, frame: &Frame) -> Result<Vec<Picture>> {
    let recipes = recipes(report.traces.iter().any(|trace| trace.capacity_unit == "bytes"));
    let table = rows_of(frame, &recipes);
    let scenario = heading(report);
    let sweep = Sweep { scenario: &scenario, frame, table: &table, of_policies: &BTreeSet::new() };
    let mut pictures = sweep.pictures(&recipes)?;
    for panel in pictures.iter_mut().flat_map(|picture| &mut picture.figure.panels) {
        set_unit(&mut panel.x, report);
    }
    for picture in pictures.iter_mut().filter(|picture| picture.name == "latency-by-latency") {
        divide_by_x(picture);
    }
    // A picture for each policy alone says less than one over an axis.
    if pictures.iter().any(|picture| picture.name == "latency-by-latency") {
        pictures.retain(|picture| picture.name != "latency");
    }
    Ok(pictures)
}

/// The unit of capacities and latencies, which a scenario does not always name.
fn set_unit(x: &mut Axis, report: &CacheReport) {
    let Some(trace) = report.traces.first() else { return };
    let unit = match x.title.as_str() {
        "capacity" if x.unit == Unit::Share => return,
        "capacity" => trace.capacity_unit.as_str(),
        "latency" if trace.latency_unit == "ns" => "s",
        "latency" => trace.latency_unit.as_str(),
        _ => return,
    };
    x.unit = Unit::of_result(unit, false);
}

/// Mean latencies as shares of the latency of a fetch, since they would lie on one diagonal otherwise.
fn divide_by_x(picture: &mut Picture) {
    for panel in &mut picture.figure.panels {
        panel.x.title = "latency of a fetch".to_owned();
        panel.x.is_logarithmic = true;
        panel.y = Axis::linear("mean latency / latency of a fetch", Unit::Share);
        for point in panel.series.iter_mut().flat_map(|series| &mut series.points) {
            point.y /= point.x;
            point.ci95 = point.ci95.map(|ci95| ci95 / point.x);
        }
    }
}

/// The name of the trace, with the capacity and the latency where there is only one.
fn heading(report: &CacheReport) -> String {
    let mut words = match report.traces.as_slice() {
        [only] => vec![only.trace.clone()],
        _ => vec![report.scenario.clone()],
    };
    let (Some(first), Some(trace)) = (report.results.first(), report.traces.first()) else { return words.concat() };
    if report.results.iter().all(|row| row.place.capacity == first.place.capacity) {
        words.push(format!("{} {}", first.place.capacity, trace.capacity_unit));
    }
    if report.results.iter().all(|row| row.place.latency == first.place.latency) {
        words.push(format!("latency {}", first.place.latency.text(&trace.latency_unit)));
    }
    words.join(", ")
}
