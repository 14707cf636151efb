//! The numbers for the pictures of a page: the summary of the long table in columns. Equal texts are stored once.

use super::css;
use crate::figure::{Unit, styles};
use crate::frame::{Frame, Summary, SummaryRow, in_si};
use crate::headline::{Kind, first_subject};
use crate::metric::meaning;
use crate::picture::{title_of_metric, unit_of_field, unit_of_metric};
use serde::Serialize;
use std::collections::HashMap;
use std::hash::Hash;

/// The maximum number of rows; a page with this many opens in a second on a phone.
pub(super) const MOST_ROWS: usize = 60_000;

#[derive(Debug, Serialize)]
pub(super) struct Numbers {
    policies: Vec<PolicyStyle>,
    axes: Vec<Axis>,
    subjects: Vec<(String, String)>,
    metrics: Vec<Metric>,
    baseline: Option<String>,
    /// The policy of each cell, and the place of its value on each axis; -1 if it has none.
    cells: Vec<Vec<i32>>,
    rows: Columns,
    /// The first pictures of the page.
    pictures: Vec<Picture>,
}

#[derive(Debug, Serialize)]
struct PolicyStyle {
    name: String,
    colour: String,
    /// In units of the width of a line.
    dash: Vec<f64>,
}

#[derive(Debug, Serialize)]
struct Axis {
    name: String,
    title: String,
    unit: &'static str,
    /// The texts as the scenario writes them.
    texts: Vec<String>,
    /// In SI units, if all are numbers.
    numbers: Option<Vec<f64>>,
}

#[derive(Debug, Serialize)]
struct Metric {
    name: String,
    title: String,
    /// In SI units, or what is counted.
    unit: String,
    about: String,
}

/// One entry for each row of the summary.
#[derive(Debug, Default, Serialize)]
struct Columns {
    cell: Vec<i32>,
    subject: Vec<i32>,
    metric: Vec<i32>,
    n: Vec<usize>,
    mean: Vec<f64>,
    ci95: Vec<Option<f64>>,
    difference: Vec<Option<f64>>,
    difference_ci95: Vec<Option<f64>>,
    ratio: Vec<Option<f64>>,
}

#[derive(Debug, Serialize)]
struct Picture {
    y: String,
    of: String,
    x: String,
}

/// Each value once, with its place.
struct Once<T> {
    places: HashMap<T, i32>,
    values: Vec<T>,
}

impl<T: Hash + Eq + Clone> Once<T> {
    fn new() -> Self {
        Self { places: HashMap::new(), values: Vec::new() }
    }

    fn place(&mut self, value: &T) -> i32 {
        if let Some(place) = self.places.get(value) {
            return *place;
        }
        let place = i32::try_from(self.values.len()).unwrap_or(i32::MAX);
        self.places.insert(value.clone(), place);
        self.values.push(value.clone());
        place
    }
}

impl Numbers {
    /// Returns the numbers, and a note about omitted ones.
    pub(super) fn new(
        frame: &Frame,
        summary: &Summary<'_>,
        baseline: Option<&str>,
        kind: Kind,
    ) -> (Self, Option<String>) {
        let (rows, left_out) = chosen(summary);
        let mut policies = Once::new();
        let mut axes: Vec<Once<String>> = frame.axes().iter().map(|_| Once::new()).collect();
        let mut subjects = Once::new();
        let mut metrics: Once<(String, &'static str)> = Once::new();
        let mut cells: Once<Vec<i32>> = Once::new();
        let mut columns = Columns::default();
        for row in rows {
            let mut cell = vec![policies.place(&row.policy.to_owned())];
            for (axis, value) in axes.iter_mut().zip(row.axes) {
                cell.push(value.as_ref().map_or(-1, |value| axis.place(value)));
            }
            columns.cell.push(cells.place(&cell));
            columns.subject.push(subjects.place(&(row.subject.kind.to_owned(), row.subject.item.clone())));
            columns.metric.push(metrics.place(&(row.metric.to_owned(), row.unit)));
            columns.n.push(row.repetitions);
            columns.mean.push(row.mean);
            columns.ci95.push(row.ci95);
            if baseline.is_some() {
                columns.difference.push(row.difference.map(|difference| difference.mean));
                columns.difference_ci95.push(row.difference.and_then(|difference| difference.ci95));
                columns.ratio.push(row.difference.and_then(|difference| difference.ratio));
            }
        }
        let axes: Vec<Axis> = frame.axes().iter().zip(axes).map(|(name, values)| axis(name, values.values)).collect();
        let pictures = pictures(summary, &axes, &subjects.values, kind);
        let numbers = Self {
            policies: looks(policies.values),
            axes,
            subjects: subjects.values,
            metrics: metrics.values.into_iter().map(|(name, unit)| metric(name, unit)).collect(),
            baseline: baseline.map(str::to_owned),
            cells: cells.values,
            rows: columns,
            pictures,
        };
        (numbers, left_out)
    }
}

/// Selects the rows that fit on a page: rows of all packets or requests precede rows of parts.
fn chosen<'s, 'a>(summary: &'s Summary<'a>) -> (Vec<&'s SummaryRow<'a>>, Option<String>) {
    let all = summary.rows();
    if all.len() <= MOST_ROWS {
        return (all.iter().collect(), None);
    }
    let mut of_kinds: Vec<(&str, usize)> = Vec::new();
    for row in all {
        match of_kinds.iter_mut().find(|(kind, _)| *kind == row.subject.kind) {
            Some((_, count)) => *count += 1,
            None => of_kinds.push((row.subject.kind, 1)),
        }
    }
    of_kinds.sort_by_key(|(kind, count)| (*kind != "all", *count));
    let mut room = MOST_ROWS;
    let mut kept = Vec::new();
    for (kind, count) in &of_kinds {
        if *count > room {
            break;
        }
        room -= count;
        kept.push(*kind);
    }
    // Even the numbers of all are too many.
    let rows: Vec<&SummaryRow<'_>> = match kept.is_empty() {
        true => all.iter().filter(|row| row.subject.kind == of_kinds[0].0).take(MOST_ROWS).collect(),
        false => all.iter().filter(|row| kept.contains(&row.subject.kind)).collect(),
    };
    let what = format!(
        "The pictures have {} of the {} means of this result, since a page has room for {MOST_ROWS}. result.csv and summary.csv, which \
         --out writes, have all numbers.",
        rows.len(),
        all.len()
    );
    (rows, Some(what))
}

fn looks(names: Vec<String>) -> Vec<PolicyStyle> {
    let styles = styles(names.iter().map(String::as_str));
    let look = |name: String| {
        let style = styles.get(&name).copied().unwrap_or_default();
        PolicyStyle { colour: css(style.colour()), dash: style.dash().to_vec(), name }
    };
    names.into_iter().map(look).collect()
}

fn axis(name: &str, texts: Vec<String>) -> Axis {
    let numbers: Option<Vec<f64>> = texts.iter().map(|text| in_si(text).parse().ok()).collect();
    let unit = match unit_of_field(name) {
        // A field that takes shares takes numbers of entries or packets, too.
        Unit::Share if !texts.iter().all(|text| text.ends_with('%')) => Unit::Plain,
        unit => unit,
    };
    let unit = word(&unit);
    Axis { name: name.to_owned(), title: name.replace('_', " "), unit, texts, numbers }
}

fn metric(name: String, unit: &'static str) -> Metric {
    let in_words = unit_of_metric(&name, unit);
    let unit = if let Unit::Count(what) = &in_words { what.clone() } else { word(&in_words).to_owned() };
    Metric { title: title_of_metric(&name), unit, about: meaning(&name).unwrap_or_default().to_owned(), name }
}

/// Returns the word for a unit in the scripts of a page.
fn word(unit: &Unit) -> &'static str {
    match unit {
        Unit::Share => "share",
        Unit::Seconds => "s",
        Unit::Bytes => "B",
        Unit::BitsPerSecond => "bit/s",
        Unit::Plain | Unit::Count(_) => "",
    }
}

/// The most telling metrics over the first axis that has several values; without one, over parts or policies.
fn pictures(summary: &Summary<'_>, axes: &[Axis], subjects: &[(String, String)], kind: Kind) -> Vec<Picture> {
    let of = first_subject(summary, kind.headlines());
    let items = subjects.iter().filter(|(own, _)| own == of).count();
    // An axis of many numbers says more than one of few, or of names.
    let swept = axes.iter().rev().filter(|axis| axis.texts.len() > 1);
    let axis = swept.max_by_key(|axis| (axis.numbers.is_some(), axis.texts.len()));
    let x = match axis {
        _ if items > 1 => of,
        Some(axis) => &axis.name,
        None => "policy",
    };
    let mut names: Vec<&str> = Vec::new();
    for headline in kind.headlines() {
        if summary.rows().iter().any(|row| row.metric == headline.0 && row.subject.kind == of) {
            names.push(headline.0);
        }
    }
    names.extend(summary.rows().first().filter(|_| names.is_empty()).map(|row| row.metric));
    let picture = |name: &str| Picture { y: name.to_owned(), of: of.to_owned(), x: x.to_owned() };
    names.into_iter().take(kind.pictures()).map(picture).collect()
}
