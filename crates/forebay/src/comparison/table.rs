//! Differences as a table for people.

use super::{Compared, Comparison};
use crate::output::columns::{Column, tables};
use crate::output::digits::with_interval;
use crate::picture::{title_of_metric, unit_of_metric};
use crate::statistics::Estimate;

/// The maximum number of metrics in a table: the most important ones.
const MOST_METRICS: usize = 4;

impl Comparison {
    /// Returns the table with its heading, if there is a baseline, and the notes below it.
    pub(crate) fn table(&self) -> String {
        let table = self.baseline.as_ref().map_or_else(String::new, |baseline| self.to_baseline(baseline));
        if self.notes.is_empty() { table } else { format!("{table}\n{}\n", self.notes.join("\n")) }
    }

    fn to_baseline(&self, baseline: &str) -> String {
        let metrics = self.metrics();
        // All metrics of a policy at a place stand beside each other.
        let mut lines: Vec<Vec<&Compared>> = Vec::new();
        for own in self.differences.iter().filter(|own| metrics.contains(&own.metric.as_str())) {
            match lines.iter_mut().find(|line| line[0].is_beside(own)) {
                Some(line) => line.push(own),
                None => lines.push(vec![own]),
            }
        }
        if lines.is_empty() {
            return format!(
                "\nno difference to {baseline}: the metrics that matter most are equal, or no run has them\n"
            );
        }
        let pairs = self.differences.iter().map(|own| own.pairs).max().unwrap_or(0);
        let how = match pairs {
            1 => "one repetition, so there is no interval".to_owned(),
            _ => "paired by repetition; +- is the 95 % confidence interval of the difference".to_owned(),
        };
        let columns: Vec<Column> = metrics.iter().map(|metric| column(metric, &lines)).collect();
        format!("\ndifference to {baseline}, {how}\n\n{}", tables(&keys(&lines), &[columns]))
    }

    /// Returns the metrics that differ anywhere, the most important first.
    fn metrics(&self) -> Vec<&str> {
        let differs = |metric: &&str| self.differences.iter().any(|own| own.metric == *metric && own.size() > 0.0);
        self.headlines.iter().map(|headline| headline.0).filter(differs).take(MOST_METRICS).collect()
    }
}

impl Compared {
    /// The greater of the difference and its interval.
    fn size(&self) -> f64 {
        self.difference.abs().max(self.difference_ci95.unwrap_or(0.0))
    }

    /// Whether it is of the same policy at the same place.
    fn is_beside(&self, other: &Self) -> bool {
        (&self.policy, &self.axes, &self.item) == (&other.policy, &other.axes, &other.item)
    }
}

/// Returns the key columns of lines: policy, axes, and the item if there are several.
fn keys(lines: &[Vec<&Compared>]) -> Vec<Column> {
    let firsts = || lines.iter().map(|line| line[0]);
    let mut axes: Vec<&str> = Vec::new();
    for place in firsts().flat_map(|own| &own.axes) {
        if !axes.contains(&place.name.as_str()) {
            axes.push(&place.name);
        }
    }
    let text = |own: &Compared, axis: &str| {
        let place = own.axes.iter().find(|place| place.name == axis);
        place.map_or_else(|| "-".to_owned(), |place| place.text.clone())
    };
    let mut keys = vec![Column::new("policy", firsts().map(|own| own.policy.clone()))];
    keys.extend(axes.into_iter().map(|axis| Column::new(axis, firsts().map(|own| text(own, axis)))));
    if firsts().any(|own| !own.item.is_empty()) {
        keys.push(Column::new(lines[0][0].subject.replace('_', " "), firsts().map(|own| own.item.clone())));
    }
    keys
}

/// A metric, in the unit that suits its greatest number.
fn column(metric: &str, lines: &[Vec<&Compared>]) -> Column {
    let of = |line: &Vec<&Compared>| line.iter().find(|own| own.metric == metric).map(|own| (*own).clone());
    let all: Vec<Option<Compared>> = lines.iter().map(of).collect();
    let greatest = all.iter().flatten().map(Compared::size).fold(0.0, f64::max);
    let unit = all.iter().flatten().next().map_or("1", |own| own.unit);
    let (divisor, unit) = unit_of_metric(metric, unit).in_column(greatest);
    let cell = |own: &Option<Compared>| {
        let estimate =
            |own: &Compared| Estimate { mean: Some(own.difference), ci95: own.difference_ci95, values: Vec::new() };
        own.as_ref().map_or_else(|| "-".to_owned(), |own| with_interval(&estimate(own), divisor))
    };
    let head = format!("{}\n{}", title_of_metric(metric), unit.replace('µ', "u"));
    Column::new(head.trim_end(), all.iter().map(cell))
}
