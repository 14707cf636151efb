//! Pictures of a port: delays and drops of single runs, the effect of each axis of numbers, and counts for each rank. The latter are as in
//! SP-PIFO (NSDI'20), figures 5 and 6.

use super::report::{CellReport, Report};
use super::result::quantiles;
use crate::error::Result;
use crate::figure::{Axis, Figure, Point, Unit};
use crate::frame::{Frame, Row};
use crate::picture::{Across, Picture, Recipe, Sweep, Table};
use std::collections::HashMap;

const OF_SINGLE_RUNS: Recipe = Recipe {
    name: "drops-by-policy",
    what: "share of packets dropped",
    y: &[("drop_share", false)],
    across: Across::Field("policy"),
    subject: None,
};

const OF_SWEEPS: [Recipe; 5] = [
    Recipe {
        name: "",
        what: "inversions, drops and delay",
        y: &[("inversions_per_packet", false), ("drop_share", false), ("delay:mean", true)],
        across: Across::EachAxis,
        subject: None,
    },
    of_ranks("inversions", "inversions that each rank causes, per repetition", &[("inversions", false)]),
    of_ranks("drops", "share of packets dropped, by rank", &[("drop_share", false)]),
    of_ranks("delay", "mean delay, by rank", &[("delay:mean", true)]),
    of_ranks("delay-p99", "99th percentile of the delay, by rank", &[("delay:p99", true)]),
];

/// Ranks of fewer packets, over all repetitions, have shares and delays that say little.
const MIN_PACKETS: f64 = 50.0;

const fn of_ranks(name: &'static str, what: &'static str, y: &'static [(&'static str, bool)]) -> Recipe {
    Recipe { name, what, y, across: Across::Field("rank"), subject: None }
}

/// Returns all pictures of a result with this frame.
pub fn pictures(report: &Report, frame: &Frame) -> Result<Vec<Picture>> {
    let packets = packets_of_ranks(frame);
    let cut = report.results.iter().filter_map(cut_bin).collect::<Vec<_>>();
    let table = Table::of_rows(frame, |row| {
        let is_few = packets.get(&place(row)).is_some_and(|packets| *packets < MIN_PACKETS);
        row.subject.kind != "rank"
            || if row.metric == "inversions" { !cut.contains(&row.subject.item) } else { !is_few }
    });
    let of_policies = &report.policy_axes;
    let sweep = Sweep { scenario: &report.scenario, frame, table: &table, of_policies };
    let mut pictures = Vec::new();
    if report.is_single() {
        pictures.extend(delays(report));
        pictures.extend(sweep.pictures(&[OF_SINGLE_RUNS])?);
    }
    pictures.extend(sweep.pictures(&OF_SWEEPS)?);
    Ok(pictures)
}

/// The share of packets that were sent within each delay.
fn delays(report: &Report) -> Option<Picture> {
    let axes = [
        &Axis::logarithmic("delay from arrival to last bit sent", Unit::Seconds),
        &Axis::linear("share of packets sent within", Unit::Share),
    ];
    let mut figure = Figure::titled("", "policy");
    for result in &report.results {
        let delays = result.runs.iter().take(1).flat_map(|run| &run.delay_curve);
        let points: Vec<Point> = delays.zip(quantiles()).map(|(ns, share)| Point::of(ns / 1e9, share)).collect();
        if !points.is_empty() {
            figure.panel("", axes).add(&result.policy, points);
        }
    }
    Picture::of_panels("delays", "distribution", figure)
}

/// The values of the axes, the policy, and the rank of a row.
type Place<'a> = (&'a [Option<String>], &'a str, &'a str);

fn place<'a>(row: &Row<'a>) -> Place<'a> {
    (row.axes, row.policy, &row.subject.item)
}

/// Returns the number of packets of each rank that arrived, over all repetitions.
fn packets_of_ranks(frame: &Frame) -> HashMap<Place<'_>, f64> {
    let mut packets = HashMap::new();
    for row in frame.rows().filter(|row| row.subject.kind == "rank" && row.metric == "packets_in") {
        *packets.entry(place(&row)).or_default() += row.value;
    }
    packets
}

/// The lowest rank of a last bin that is narrower than the others, and so has fewer packets.
fn cut_bin(cell: &CellReport) -> Option<String> {
    let ranks = cell.per_rank.as_ref()?;
    ranks.lowest_rank.get(ranks.full_bins()).map(u64::to_string)
}
