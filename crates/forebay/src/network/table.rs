//! A network scenario as a table for people, with notes for its readers.

use super::report::{CellReport, GroupReport, NetworkReport, StateReport};
use super::run_result::Completion;
use super::unfinished_flows;
use crate::output::columns::{self, Column, tables};
use crate::output::digits::{alone, count, time_unit, with_interval};
use crate::output::table::percent;

/// Lines of one kind of note at most.
const MAX_NOTES: usize = 6;
/// The least number of values for a 99th percentile: with fewer, it is the greatest value.
const ENOUGH_FOR_P99: f64 = 100.0;

/// Returns the table, with notes below it.
pub fn report(report: &NetworkReport) -> String {
    let network = &report.network;
    let complete = match network.settings.completion {
        Completion::Received => "received",
        Completion::Acknowledged => "acknowledged",
    };
    let times = if network.repetitions == 1 { "once".to_owned() } else { format!("{} times", network.repetitions) };
    let mut out = format!(
        "{}: {}, each {times}, flows complete when {complete}, seed {}\n",
        report.scenario, network.settings.topology, report.seed
    );
    if !report.results.is_empty() {
        out.push('\n');
        let cells: Vec<&CellReport> = report.results.iter().collect();
        out.push_str(&tables(&keys(&cells), &[of_flows(&report.results), of_packets(&report.results)]));
        out.push_str(&by_workload(&report.results));
        out.push_str(&by_state(&report.results));
    }
    out + &notes(report)
}

/// Returns the key columns: axes and policy.
fn keys(cells: &[&CellReport]) -> Vec<Column> {
    columns::keys(cells.iter().map(|cell| (cell.policy.as_str(), &cell.axes[..], cell.complete)))
}

/// Returns the columns about flows.
fn of_flows(cells: &[CellReport]) -> Vec<Column> {
    let of_runs =
        |cell: &CellReport, name: &str| cell.quantities.get(name).map_or_else(String::new, |it| with_interval(it, 1.0));
    let load = |cell: &CellReport| {
        let load = cell.quantities.mean("offered_load");
        load.map_or_else(|| "-".to_owned(), |load| if load < 0.000_5 { alone(load) } else { format!("{load:.3}") })
    };
    let all: Vec<Option<&GroupReport>> = cells.iter().map(|cell| cell.group(None)).collect();
    let mut columns = vec![Column::new("load\noffered", cells.iter().map(load))];
    columns.extend(counts(&all));
    if cells.iter().any(|cell| cell.quantities.mean("endless").is_some_and(|count| count > 0.0)) {
        columns.push(Column::new("endless", cells.iter().map(|cell| of_runs(cell, "endless"))));
        let delivered = |cell: &CellReport| {
            cell.quantities.get("delivered_bps").map_or_else(String::new, |it| with_interval(it, 1e9))
        };
        columns.push(Column::new("to hosts\nGbps", cells.iter().map(delivered)));
    }
    let small: Vec<_> = cells.iter().map(|cell| cell.size_classes().next().map(|(group, _)| group)).collect();
    let large: Vec<_> = cells.iter().map(|cell| cell.size_classes().last().map(|(group, _)| group)).collect();
    columns.extend([
        times(&small, "mean"),
        times(&small, "p99"),
        times(&large, "mean"),
        times(&all, "mean"),
        slowdown(&all, "p99"),
    ]);
    columns.retain(Column::says_something);
    columns
}

/// Returns the table for each workload, if there are several.
fn by_workload(cells: &[CellReport]) -> String {
    let groups = cells.iter().flat_map(|cell| cell.groups.iter().map(move |group| (cell, group)));
    let rows: Vec<(&CellReport, &GroupReport)> =
        groups.filter(|(_, group)| group.workload.is_some() && group.sizes.is_none()).collect();
    if rows.is_empty() {
        return String::new();
    }
    let (cells, groups): (Vec<&CellReport>, Vec<Option<&GroupReport>>) =
        rows.iter().map(|(cell, group)| (*cell, Some(*group))).unzip();
    let names = rows.iter().map(|(_, group)| group.workload.clone().unwrap_or_default());
    let mut keys = keys(&cells);
    keys.push(Column::new("workload", names));
    let mut columns = Vec::from(counts(&groups));
    columns.extend([
        times(&groups, "mean"),
        times(&groups, "p99"),
        slowdown(&groups, "mean"),
        slowdown(&groups, "p99"),
    ]);
    columns.retain(Column::says_something);
    format!("\n{}", tables(&keys, &[columns]))
}

/// Returns the table of accesses to states in nodes.
fn by_state(cells: &[CellReport]) -> String {
    let rows: Vec<(&CellReport, &StateReport)> =
        cells.iter().flat_map(|cell| cell.states.iter().map(move |state| (cell, state))).collect();
    if rows.is_empty() {
        return String::new();
    }
    let cells: Vec<&CellReport> = rows.iter().map(|(cell, _)| *cell).collect();
    let mut keys = keys(&cells);
    keys.push(Column::new("state", rows.iter().map(|(_, state)| state.name.clone())));
    keys.push(Column::new("policy", rows.iter().map(|(_, state)| state.policy.clone())));
    let of = |name: &'static str| rows.iter().filter_map(move |(_, state)| state.quantities.get(name));
    let counts = |head: &str, name| {
        Column::new(head, of(name).map(|it| it.mean.map_or_else(|| "-".to_owned(), |mean| count(mean.round()))))
    };
    let shares = |head: &str, name| Column::new(head, of(name).map(|it| with_interval(it, 0.01)));
    // Of what is mostly 0, and then no column.
    let where_any = |head: &str, part: &'static str, whole: &'static str| {
        let means = |name| of(name).map(|it| it.mean.unwrap_or(0.0));
        let shares: Vec<f64> = means(part).zip(means(whole)).map(|(part, whole)| part / whole.max(1.0)).collect();
        let any = shares.iter().any(|share| *share > 0.0);
        let shown = |share: &f64| if any { format!("{:.1}", share * 100.0) } else { "-".to_owned() };
        Column::new(head, shares.iter().map(shown))
    };
    let mut columns = vec![
        counts("entries", "entries"),
        counts("accesses", "accesses"),
        shares("misses\n%", "miss_share"),
        shares("Belady\n%", "optimum_miss_share"),
        shares("delayed\nhits, %", "delayed_hit_share"),
        counts("fetches", "fetches"),
        Column::new("wait\nmean, ns", of("mean_wait_ns").map(|it| with_interval(it, 1.0))),
        Column::new("over network\nmean, ns", of("mean_fetch_ns").map(|it| with_interval(it, 1.0))),
    ];
    columns.retain(Column::says_something);
    let mut told = vec![
        counts("pre-\nfetches", "prefetches"),
        counts("\nlate", "prefetches_late"),
        counts("\nunused", "prefetches_unused"),
        Column::new("known\nns before", of("mean_lead_ns").map(|it| with_interval(it, 1.0))),
        Column::new("told\nMbps", of("fpm_bps").map(|it| with_interval(it, 1e6))),
        shares("control\npackets, %", "control_share"),
        where_any("lost\nof told, %", "fpms_lost", "fpms_sent"),
        where_any("mis-\ntimed, %", "mistimed", "fpms_used"),
        where_any("fore-\ncast, %", "forecasts", "fpms_made"),
    ];
    told.retain(Column::says_something);
    format!("\n{}", tables(&keys, &[columns, told]))
}

/// Returns the numbers of flows, and of unfinished flows among those that end.
fn counts(groups: &[Option<&GroupReport>]) -> [Column; 2] {
    let mean = |group: &GroupReport, name: &str| alone(group.quantities.mean(name).unwrap_or(0.0).round());
    let flows = |group: &Option<&GroupReport>| group.map_or_else(|| "-".to_owned(), |group| mean(group, "flows"));
    let unfinished = |group: &Option<&GroupReport>| {
        let share = group.and_then(|group| Some((group, unfinished_flows::share(group)?)));
        match share {
            None => "-".to_owned(),
            Some((_, 0.0)) => "0".to_owned(),
            Some((group, share)) => format!("{} ({:.1} %)", mean(group, "unfinished"), share * 100.0),
        }
    };
    [Column::new("flows", groups.iter().map(flows)), Column::new("un-\nfinished", groups.iter().map(unfinished))]
}

/// Completion times of some flows, in the unit that suits their means.
fn times(groups: &[Option<&GroupReport>], statistic: &str) -> Column {
    let means = groups.iter().flatten().filter_map(|group| group.quantities.mean("fct_ns_mean"));
    let (unit, name) = time_unit(means);
    let sizes = groups.iter().flatten().next().map_or("all", |group| group.size_name());
    let quantity = format!("fct_ns_{statistic}");
    Column::new(format!("{sizes}\n{statistic}, {name}"), groups.iter().map(|group| of(*group, &quantity, unit)))
}

fn slowdown(groups: &[Option<&GroupReport>], statistic: &str) -> Column {
    let quantity = format!("slowdown_{statistic}");
    Column::new(format!("slowdown\n{statistic}"), groups.iter().map(|group| of(*group, &quantity, 1.0)))
}

fn of(group: Option<&GroupReport>, name: &str, unit: f64) -> String {
    group
        .and_then(|group| group.quantities.get(name))
        .map_or_else(|| "-".to_owned(), |estimate| with_interval(estimate, unit))
}

/// Returns the columns about packets.
fn of_packets(cells: &[CellReport]) -> Vec<Column> {
    let rounded = |cell: &CellReport, name: &str| count(cell.quantities.mean(name).unwrap_or(0.0));
    let drops = |cell: &CellReport| {
        let share = cell.quantities.mean("drop_share").unwrap_or(0.0);
        if share == 0.0 { rounded(cell, "drops") } else { format!("{} ({})", rounded(cell, "drops"), percent(share)) }
    };
    let busiest = |cell: &CellReport| {
        cell.quantities
            .mean("busiest_utilisation")
            .map_or_else(|| "-".to_owned(), |share| format!("{:.0} %", share * 100.0))
    };
    let mut columns = vec![Column::new("drops", cells.iter().map(drops))];
    for (name, head) in [("marks", "marks"), ("retransmissions", "sent\nagain"), ("timeouts", "time-\nouts")] {
        if cells.iter().any(|cell| cell.quantities.mean(name).is_some_and(|count| count > 0.0)) {
            columns.push(Column::new(head, cells.iter().map(|cell| rounded(cell, name))));
        }
    }
    columns.push(Column::new("busiest\nlink", cells.iter().map(busiest)));
    if cells.iter().any(|cell| cell.quantities.mean("inversions").is_some()) {
        columns.push(Column::new("inversions", cells.iter().map(|cell| rounded(cell, "inversions"))));
    }
    columns.retain(Column::says_something);
    columns
}

/// Returns further notes for the reader.
fn notes(report: &NetworkReport) -> String {
    let mut notes = Vec::new();
    if report.results.is_empty() {
        notes.push("no run is complete".to_owned());
    } else if report.network.repetitions > 1 {
        notes.push("means over repetitions; +- is the 95 % confidence interval of the mean".to_owned());
    }
    let runs: usize = report.results.iter().map(|cell| cell.repetitions.len()).sum();
    if (runs as u64) < report.network.runs {
        notes.push(format!("{runs} of {} runs are complete", report.network.runs));
    }
    if report.results.iter().any(drops_elsewhen) {
        notes.push(
            "drops, marks and the busiest link: of the counted time; sent again and time-outs: of whole flows"
                .to_owned(),
        );
    }
    notes.extend(few_flows(&report.results));
    notes.extend(first(report.results.iter().filter_map(causes).collect()));
    notes.extend(first(report.results.iter().filter_map(counters).collect()));
    let sum = |name: &str| {
        let values = report.results.iter().filter_map(|cell| cell.quantities.get(name)).flat_map(|it| &it.values);
        count(values.flatten().sum())
    };
    if runs > 0 {
        notes.push(format!("{} packets sent over links, {} events", sum("packet_hops"), sum("events")));
    }
    format!("\n{}\n", notes.join("\n"))
}

/// Returns whether packets were also dropped outside of the counted window.
fn drops_elsewhen(cell: &CellReport) -> bool {
    let mean = |name: &str| cell.quantities.mean(name).unwrap_or(0.0);
    mean("all_drops_discipline") > mean("switch_drops_discipline") + mean("card_drops")
}

/// The first lines, and how many more there are.
fn first(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(MAX_NOTES);
    if more > 1 {
        lines.truncate(MAX_NOTES);
        lines.push(format!("... and {more} more like these; the JSON result has their numbers"));
    }
    lines
}

/// Classes whose 99th percentile says little.
fn few_flows(cells: &[CellReport]) -> Option<String> {
    let least = |group: &GroupReport| {
        let values = group.quantities.get("completed").into_iter().flat_map(|completed| &completed.values);
        values.flatten().copied().filter(|&count| count > 0.0).reduce(f64::min)
    };
    let first = cells.first()?.groups.iter().enumerate().filter(|(_, group)| group.workload.is_none());
    let is_small = |place: usize| {
        let groups = cells.iter().filter_map(|cell| cell.groups.get(place));
        groups.filter_map(least).any(|least| least < ENOUGH_FOR_P99)
    };
    let small: Vec<&str> = first.filter(|(place, _)| is_small(*place)).map(|(_, group)| group.size_name()).collect();
    (!small.is_empty()).then(|| {
        format!(
            "fewer than 100 flows were completed in a run ({}), so their p99 is the largest value",
            small.join(", ")
        )
    })
}

/// Why packets were dropped, where that was not only the discipline of a switch.
fn causes(cell: &CellReport) -> Option<String> {
    let causes = [
        ("switch_drops_shared_buffer", "shared memory"),
        ("switch_drops_link", "links of switches"),
        ("switch_drops_no_route", "no route"),
        ("switch_drops_state", "no room to wait for a state"),
        ("card_drops", "hosts"),
    ];
    let counts = causes.iter().filter_map(|(name, words)| {
        let mean = cell.quantities.mean(name).filter(|&mean| mean > 0.0)?;
        Some(format!("{words} {}", count(mean)))
    });
    let counts: Vec<String> = counts.collect();
    (!counts.is_empty())
        .then(|| format!("{}: drops other than by queues of switches: {}", cell.title(), counts.join(", ")))
}

/// Describes the other counters of disciplines and policies, with their cells.
fn counters(cell: &CellReport) -> Option<String> {
    // Marks have a column.
    let counters = cell.counters.iter().filter(|(name, _)| *name != "packets_marked");
    let counters: Vec<String> = counters.map(|(name, value)| format!("{} {value}", name.replace('_', " "))).collect();
    let runs = if cell.repetitions.len() > 1 { "all runs" } else { "the whole run" };
    (!counters.is_empty())
        .then(|| format!("{}: counters of all ports, hosts' too, over {runs}: {}", cell.title(), counters.join(", ")))
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
