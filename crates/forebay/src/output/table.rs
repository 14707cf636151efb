//! Tables for people.
//!
//! ```
//! use forebay::output::table::plain_table;
//!
//! let header = ["policy", "drops"].map(str::to_owned).to_vec();
//! let rows = [["fifo", "120"], ["srpt", "7"]].map(|row| row.map(str::to_owned).to_vec());
//! assert_eq!(plain_table(header, rows.to_vec()), "policy  drops\nfifo      120\nsrpt        7\n");
//! ```

use crate::report::{Counts, PolicyReport, Report};
use comfy_table::{CellAlignment, Table};
use forebay_core::Duration;
use std::fmt::Write as _;

/// Most classes that a table has columns for.
const MAX_CLASS_COLUMNS: usize = 6;

/// A table without lines, which reads well everywhere and survives copying into a text: a column of names to the left, then
/// columns of numbers to the right.
pub fn plain_table(header: Vec<String>, rows: Vec<Vec<String>>) -> String {
    aligned_table(header, rows, 1)
}

/// The same of text alone.
pub fn text_table(header: Vec<String>, rows: Vec<Vec<String>>) -> String {
    aligned_table(header, rows, usize::MAX)
}

/// The same, with so many columns of text before those of numbers.
fn aligned_table(header: Vec<String>, rows: Vec<Vec<String>>, texts: usize) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    let columns = header.len();
    table.set_header(header);
    for row in rows {
        table.add_row(row);
    }
    for index in 0..columns {
        if let Some(column) = table.column_mut(index) {
            column.set_padding((0, 2));
            column.set_cell_alignment(if index < texts { CellAlignment::Left } else { CellAlignment::Right });
        }
    }
    trim_lines(&table.to_string())
}

/// Without spaces at the ends of lines.
pub fn trim_lines(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// All policies, then the classes if there are several.
pub(crate) fn report(report: &Report) -> String {
    let first = &report.results[0];
    let mut out = format!(
        "{}: port {}{}, offered load {:.2}, seed {}\n\n",
        report.scenario,
        rate(report.port.rate_bps),
        report.port.buffer.as_ref().map_or_else(String::new, |buffer| format!(", buffer {buffer}")),
        first.offered_load,
        report.seed
    );
    let header = ["policy", "sent", "dropped", "queued", "mean delay", "p50", "p99", "max", "inversions", "overtaken"];
    let rows = report
        .results
        .iter()
        .map(|result| {
            let delay = result.counts.delay_ns;
            vec![
                name(result),
                result.counts.packets_out.to_string(),
                dropped(&result.counts),
                result.counts.packets_queued.to_string(),
                ns(delay.mean),
                ns(delay.p50),
                ns(delay.p99),
                ns(delay.max),
                result.counts.inversions.to_string(),
                result.counts.overtaken.to_string(),
            ]
        })
        .collect();
    out.push_str(&plain_table(header.map(str::to_owned).to_vec(), rows));
    if first.classes.len() > 1 {
        out.push_str("\nper class: 99th percentile of delay, share dropped\n\n");
        out.push_str(&per_class(report));
    }
    out.push_str(&notes(report));
    out
}

/// One table that fits on a screen: totals, and the p99 delay of each class.
pub fn overview(report: &Report) -> String {
    let classes: Vec<(u8, String)> = classes(report);
    let mut header: Vec<String> = ["policy", "dropped", "mean delay", "p99", "inversions"].map(str::to_owned).to_vec();
    header.extend(classes.iter().map(|(_, name)| format!("{name} p99")));
    let rows = report
        .results
        .iter()
        .map(|result| {
            let mut row = vec![
                name(result),
                dropped(&result.counts),
                ns(result.counts.delay_ns.mean),
                ns(result.counts.delay_ns.p99),
                result.counts.inversions.to_string(),
            ];
            row.extend(classes.iter().map(|(class, _)| {
                let counts = result.classes.iter().find(|report| report.class == *class).map(|report| &report.counts);
                counts.map_or_else(|| "-".to_owned(), |counts| ns(counts.delay_ns.p99))
            }));
            row
        })
        .collect();
    plain_table(header, rows) + &notes(report)
}

fn per_class(report: &Report) -> String {
    let classes = classes(report);
    let mut header = vec!["policy".to_owned()];
    for (_, name) in &classes {
        header.extend([name.clone(), String::new()]);
    }
    let rows = report
        .results
        .iter()
        .map(|result| {
            let mut row = vec![name(result)];
            for (class, _) in &classes {
                match result.classes.iter().find(|report| report.class == *class) {
                    Some(class) => {
                        let p99 = class.counts.delay_ns.p99;
                        row.extend([ns(p99), percent(class.counts.drop_share())]);
                    }
                    None => row.extend(["-".to_owned(), "-".to_owned()]),
                }
            }
            row
        })
        .collect();
    plain_table(header, rows)
}

/// The classes with the most packets, in order of their number, highest first.
fn classes(report: &Report) -> Vec<(u8, String)> {
    let mut classes: Vec<_> = report.results[0].classes.iter().collect();
    classes.sort_by_key(|class| std::cmp::Reverse(class.counts.packets_in));
    classes.truncate(MAX_CLASS_COLUMNS);
    classes.sort_by_key(|class| std::cmp::Reverse(class.class));
    classes.into_iter().map(|class| (class.class, class.name.clone())).collect()
}

fn name(result: &PolicyReport) -> String {
    if result.complete { result.policy.clone() } else { format!("{} (cut short)", result.policy) }
}

/// What else the reader must know.
fn notes(report: &Report) -> String {
    let mut out = String::new();
    for result in &report.results {
        for (counter, value) in &result.counters {
            // Writing to a string cannot fail.
            let _ = write!(out, "\n{}: {} = {value}", result.policy, counter.replace('_', " "));
        }
    }
    for (policy, change) in
        report.results.iter().flat_map(|result| changes(result).map(|change| (&result.policy, change)))
    {
        let _ = write!(out, "\n{policy}: {change}");
    }
    for policies in same_departures(&report.results) {
        let _ = write!(out, "\nsame packets sent at the same times: {}", policies.join(", "));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// A line for each change of a policy.
fn changes(result: &PolicyReport) -> impl Iterator<Item = String> {
    result.openqueue.iter().flat_map(|openqueue| &openqueue.changes).map(|change| {
        let at = exact(change.at_ns);
        match (&change.refused, change.version) {
            (Some(why), _) => format!("at {at}: the change to {} was refused: {why}", change.file),
            (None, None) => {
                format!("at {at}: the change to {} did not come to pass: the run ended before", change.file)
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
fn same_departures(results: &[PolicyReport]) -> Vec<Vec<&str>> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for result in results {
        match groups.iter_mut().find(|(departures, _)| *departures == result.departures) {
            Some((_, group)) => group.push(&result.policy),
            None => groups.push((&result.departures, vec![&result.policy])),
        }
    }
    groups.into_iter().map(|(_, group)| group).filter(|group| group.len() > 1).collect()
}

fn dropped(counts: &Counts) -> String {
    percent(counts.drop_share())
}

/// A share in percent.
pub(crate) fn percent(share: f64) -> String {
    if share == 0.0 { "0 %".to_owned() } else { format!("{:.2} %", share * 100.0) }
}

/// A time in nanoseconds with the unit that suits it; `-` where there is none.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "delays are not negative and shorter than 200 days"
)]
pub(crate) fn ns(ns: Option<f64>) -> String {
    ns.map_or_else(|| "-".to_owned(), |ns| Duration::from_ps((ns * 1e3) as u64).to_string())
}

/// A rate with the unit that suits it.
pub(crate) fn rate(bps: u64) -> String {
    forebay_core::Rate::from_bits_per_second(bps).map_or_else(String::new, |rate| rate.to_string())
}
