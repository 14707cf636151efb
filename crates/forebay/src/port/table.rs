//! A scenario of a port as a table for people.

use super::report::{CellReport, ClassQuantities, Report};
use crate::output::columns::{self, Column, tables};
use crate::output::digits::{count, time_unit, with_interval};
use crate::output::table::{ns, rate};
use crate::statistics::Estimate;

/// The maximum number of classes for which a table has columns.
const MAX_CLASS_COLUMNS: usize = 6;
/// Characters of a baseline that the head of a column has room for.
const MAX_BASELINE: usize = 14;

/// Returns the table, and notes below it.
pub fn report(report: &Report) -> String {
    let port = &report.port;
    let buffer = port.settings.buffer.as_ref().map_or_else(String::new, |buffer| format!(", buffer {buffer}"));
    let offered = match report.results.first() {
        Some(first) if report.is_single() => format!(", offered load {:.2}", first.runs[0].offered_load),
        _ => String::new(),
    };
    let times = if port.repetitions == 1 { String::new() } else { format!(", each {} times", port.repetitions) };
    let (name, rate, seed) = (&report.scenario, rate(port.settings.rate_bps), report.seed);
    let mut out = format!("{name}: port {rate}{buffer}{offered}{times}, seed {seed}\n\n");
    if report.results.is_empty() {
        out.push_str("no run is complete\n");
        return out;
    }
    out.push_str(&tables(&keys(report), &columns(report)));
    if report.results[0].runs[0].classes.len() > 1 {
        let of_classes: Vec<Vec<Column>> = of_classes(report).into_iter().map(Vec::from).collect();
        out.push_str(&format!("\n{}", tables(&keys(report), &of_classes)));
    }
    out.push_str(&notes(report));
    out
}

/// Returns the key columns: policy and axes.
fn keys(report: &Report) -> Vec<Column> {
    columns::keys(report.results.iter().map(|cell| (cell.policy.as_str(), &cell.axes[..], cell.complete)))
}

/// Returns the columns about the fates of packets and their delays.
fn columns(report: &Report) -> [Vec<Column>; 2] {
    let cells = &report.results;
    let of = |name: &'static str| cells.iter().map(move |cell| cell.quantities.get(name));
    let shown = |head: &str, name, unit: f64| {
        Column::new(head, of(name).map(|it| it.map_or_else(|| "-".to_owned(), |it| with_interval(it, unit))))
    };
    let counts = |head: &str, name| {
        let mean = of(name).map(|it| it.and_then(|it| it.mean).map_or_else(|| "-".to_owned(), count));
        Column::new(head, mean)
    };
    let time = |head: &str, name| {
        let (unit, in_unit) = time_unit(of(name).filter_map(|it| it?.mean));
        shown(&format!("{head}\n{in_unit}"), name, unit)
    };
    let is_any = |name| of(name).any(|it| it.and_then(|it| it.mean).is_some_and(|mean| mean > 0.0));
    let mut packets = vec![counts("sent", "packets_out"), shown("dropped\n%", "drop_share", 0.01)];
    packets.extend(is_any("packets_queued").then(|| counts("queued", "packets_queued")));
    packets.extend(is_any("packets_marked").then(|| counts("marked", "packets_marked")));
    packets.push(shown("sent\n% of link", "utilisation", 0.01));
    packets.extend([
        time("mean delay", "delay_ns_mean"),
        time("p50", "delay_ns_p50"),
        time("p99", "delay_ns_p99"),
        time("max", "delay_ns_max"),
    ]);
    let vs = match &report.port.baseline {
        Some(baseline) if baseline.chars().count() <= MAX_BASELINE => format!("vs\n{baseline}"),
        _ => "vs\nbaseline".to_owned(),
    };
    let mut order = vec![shown("inversions", "inversions", 1.0), shown(&vs, "inversions_vs_baseline", 1.0)];
    order.push(counts("overtaken", "overtaken"));
    order.extend(is_any("drop_inversions").then(|| counts("drop\ninversions", "drop_inversions")));
    order.retain(Column::says_something);
    [packets, order]
}

/// Returns one table that fits on a screen: totals, and the p99 delay of each class.
pub fn overview(report: &Report) -> String {
    let [packets, order] = columns(report);
    let wanted = |column: &Column| {
        ["dropped", "mean delay", "p99", "inversions"].iter().any(|head| column.head.starts_with(head))
    };
    let mut columns: Vec<Column> = packets.into_iter().chain(order).filter(wanted).collect();
    columns.extend(of_classes(report).into_iter().map(|[p99, _]| p99));
    tables(&keys(report), &[columns]) + &notes(report)
}

/// Returns, for each class, the 99th percentile of the delay and the share of drops.
fn of_classes(report: &Report) -> Vec<[Column; 2]> {
    let of_cells: Vec<Vec<ClassQuantities>> = report.results.iter().map(CellReport::classes).collect();
    let of_class = |(class, name): (u8, String)| {
        let of = |number: &'static str| {
            let own = |classes: &Vec<ClassQuantities>| {
                classes.iter().find(|own| own.class == class)?.quantities.get(number).cloned()
            };
            of_cells.iter().map(own).collect::<Vec<Option<Estimate>>>()
        };
        let shown = |head: String, estimates: &[Option<Estimate>], unit| {
            let cell = |it: &Option<Estimate>| it.as_ref().map_or_else(|| "-".to_owned(), |it| with_interval(it, unit));
            Column::new(head, estimates.iter().map(cell))
        };
        let p99 = of("delay_ns_p99");
        let (unit, in_unit) = time_unit(p99.iter().filter_map(|it| it.as_ref()?.mean));
        [
            shown(format!("{name}\np99, {in_unit}"), &p99, unit),
            shown(format!("{name}\ndropped, %"), &of("drop_share"), 0.01),
        ]
    };
    classes(report).into_iter().map(of_class).collect()
}

/// The classes with the most packets, in order of their number, highest first.
fn classes(report: &Report) -> Vec<(u8, String)> {
    let mut classes: Vec<_> = report.results[0].runs[0].classes.iter().collect();
    classes.sort_by_key(|class| std::cmp::Reverse(class.counts.packets_in));
    classes.truncate(MAX_CLASS_COLUMNS);
    classes.sort_by_key(|class| std::cmp::Reverse(class.class));
    classes.into_iter().map(|class| (class.class, class.name.clone())).collect()
}

/// Returns further notes for the reader.
fn notes(report: &Report) -> String {
    let port = &report.port;
    let mut notes: Vec<String> = Vec::new();
    if port.repetitions > 1 {
        notes.push("means over repetitions; +- is the 95 % confidence interval of the mean".to_owned());
    }
    notes.extend(port.baseline.as_ref().map(|baseline| format!("baseline: {baseline}")));
    let runs: usize = report.results.iter().map(|cell| cell.runs.len()).sum();
    if (runs as u64) < port.runs {
        notes.push(format!("{runs} of {} runs are complete", port.runs));
    }
    for cell in &report.results {
        let counters = cell.counters().into_iter();
        notes.extend(counters.map(|(name, value)| format!("{}: {} = {value}", cell.title(), name.replace('_', " "))));
    }
    for cell in &report.results {
        notes.extend(changes(cell).map(|change| format!("{}: {change}", cell.title())));
    }
    if report.is_single() {
        let same = same_departures(&report.results).into_iter();
        notes.extend(same.map(|policies| format!("same packets sent at the same times: {}", policies.join(", "))));
    }
    if notes.is_empty() { String::new() } else { format!("\n{}\n", notes.join("\n")) }
}

/// A line for each change of a policy.
fn changes(result: &CellReport) -> impl Iterator<Item = String> {
    result.runs[0].openqueue.iter().flat_map(|openqueue| &openqueue.changes).map(|change| {
        let at = exact(change.at_ns);
        match (&change.refused, change.version) {
            (Some(why), _) => format!("at {at}: the change to {} was rejected: {why}", change.file),
            (None, None) => {
                format!("at {at}: the change to {} did not happen: the run ended before it", change.file)
            }
            (None, Some(version)) => {
                let end = match change.last_left_ns {
                    _ if change.packets_waiting == 0 => String::new(),
                    Some(left) => format!(", the last of which left {} later", ns(Some(left - change.at_ns))),
                    None => ", not all of which have left".to_owned(),
                };
                let (file, transition, waiting) = (&change.file, &change.transition, change.packets_waiting);
                format!("at {at}: version {version}, {file} ({transition}); {waiting} packets waited{end}")
            }
        }
    })
}

/// A time with all of its digits.
fn exact(ns: f64) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "us")];
    let (factor, unit) = units.into_iter().find(|(factor, _)| ns >= *factor).unwrap_or((1.0, "ns"));
    format!("{} {unit}", ns / factor)
}

/// Groups of policies that sent the same, in the order of the scenario.
fn same_departures(results: &[CellReport]) -> Vec<Vec<&str>> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for result in results {
        match groups.iter_mut().find(|(departures, _)| *departures == result.runs[0].departures) {
            Some((_, group)) => group.push(&result.policy),
            None => groups.push((&result.runs[0].departures, vec![&result.policy])),
        }
    }
    groups.into_iter().map(|(_, group)| group).filter(|group| group.len() > 1).collect()
}
