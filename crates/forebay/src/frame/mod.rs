//! The result of every kind of scenario as one long table: a row for each number.
//!
//! The columns are the axes of the sweep, the policy, the subject of the number (`subject` and `item`), the metric, its unit, the
//! repetition and the value. Values are in SI base units: seconds, bytes, bits per second. A statistic of a metric follows a colon:
//! `fct:p99`.
//!
//! ```
//! use forebay::demo::{Embedded, SCENARIO};
//! use forebay::{Changes, Question, Session};
//!
//! let demo = Question::parse("demo", SCENARIO, &Embedded, &Changes::default())?;
//! let frame = demo.run(&Session::default())?.frame();
//! let row = frame.rows().find(|row| row.metric == "delay:p99" && row.subject.kind == "all").unwrap();
//! assert_eq!((row.policy, row.unit), ("FIFO", "s"));
//! assert!(frame.csv().starts_with("policy,subject,item,metric,unit,repetition,value\n"));
//! # Ok::<(), forebay::UserError>(())
//! ```

mod attack;
mod cache;
mod columns;
mod network;
#[cfg(feature = "parquet")]
mod parquet;
mod port;
mod summary;

use crate::metric::find;
use crate::output::csv::lines;
use crate::statistics::Quantities;
use crate::sweep::{AxisValue, names, value};
pub use columns::FrameColumn;
use forebay_core::units::parse_bytes;
use forebay_core::{Clock, Duration, Rate};
pub use summary::{Difference, Summary, SummaryRow};

/// A long table.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    axes: Vec<String>,
    cells: Vec<Cell>,
}

/// The numbers of one policy with one value of each axis.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    policy: String,
    /// The values as the scenario writes them, in the order of the frame's axes; [`None`] if the cell has no value.
    axes: Vec<Option<String>>,
    /// The meaning of the cell's ticks, if metrics have some.
    clock: Clock,
    numbers: Vec<Numbers>,
}

/// A metric of a subject, in each repetition.
#[derive(Debug, Clone)]
struct Numbers {
    subject: Subject,
    metric: &'static str,
    unit: &'static str,
    /// The number of the repetition, and the value.
    values: Vec<(u64, f64)>,
}

/// The subject of a number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// `all`, or a kind: `capacity`, `class`, `rank`, `size_class`, `workload`, `link`, `state`.
    pub kind: &'static str,
    /// The subject of this kind.
    pub item: String,
}

impl Subject {
    /// Returns the subject for numbers of the whole run.
    #[must_use]
    pub fn all() -> Self {
        Self { kind: "all", item: String::new() }
    }

    pub(crate) fn of(kind: &'static str, item: impl Into<String>) -> Self {
        Self { kind, item: item.into() }
    }
}

/// One number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row<'a> {
    /// The value of each axis as the scenario writes it, in the order of [`Frame::axes`].
    pub axes: &'a [Option<String>],
    /// The policy.
    pub policy: &'a str,
    /// The subject of the number.
    pub subject: &'a Subject,
    /// The name of the number, like `fct:p99`.
    pub metric: &'a str,
    /// The number's unit; `1` for shares and ratios.
    pub unit: &'static str,
    /// The repetition of the number, from 0.
    pub repetition: u64,
    /// The number.
    pub value: f64,
}

impl Frame {
    pub(crate) fn new(axes: Vec<String>) -> Self {
        Self { axes, cells: Vec::new() }
    }

    /// All axes of these cells, in their order.
    fn axes_of<'a>(cells: impl Iterator<Item = &'a [(String, AxisValue)]>) -> Vec<String> {
        names(cells)
    }

    /// Returns the values that a cell has of these axes.
    fn values_of(axes: &[String], own: &[(String, AxisValue)]) -> Vec<Option<String>> {
        axes.iter().map(|axis| Some(value(own, axis)?.text.clone())).collect()
    }

    /// Adds a cell, and returns it so that numbers can be added.
    pub(crate) fn cell(&mut self, policy: &str, axes: Vec<Option<String>>) -> &mut Cell {
        self.cells.push(Cell { policy: policy.to_owned(), axes, clock: Clock::Slots, numbers: Vec::new() });
        let last = self.cells.len() - 1;
        &mut self.cells[last]
    }

    /// Returns the names of the swept fields, in the order of the scenario.
    #[must_use]
    pub fn axes(&self) -> &[String] {
        &self.axes
    }

    /// Returns all numbers, policy by policy and repetition by repetition.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.cells.iter().flat_map(|cell| {
            cell.numbers.iter().flat_map(move |numbers| {
                numbers.values.iter().map(move |&(repetition, value)| Row {
                    axes: &cell.axes,
                    policy: &cell.policy,
                    subject: &numbers.subject,
                    metric: numbers.metric,
                    unit: numbers.unit,
                    repetition,
                    value,
                })
            })
        })
    }

    /// Returns the names of the columns.
    pub(crate) fn header(&self) -> Vec<&str> {
        let own = ["policy", "subject", "item", "metric", "unit", "repetition", "value"];
        self.axes.iter().map(String::as_str).chain(own).collect()
    }

    /// Returns the rows as CSV with a header.
    #[must_use]
    pub fn csv(&self) -> String {
        lines(&self.header(), self.rows().map(|row| row.texts()))
    }
}

impl Row<'_> {
    /// Returns the texts of the row in the long table.
    pub(crate) fn texts(&self) -> Vec<String> {
        let axes = self.axes.iter().map(|value| value.as_deref().map_or_else(String::new, in_si));
        let own = [
            self.policy.to_owned(),
            self.subject.kind.to_owned(),
            self.subject.item.clone(),
            self.metric.to_owned(),
            self.unit.to_owned(),
            self.repetition.to_string(),
            self.value.to_string(),
        ];
        axes.chain(own).collect()
    }
}

impl Cell {
    /// Adds all metrics of a subject.
    fn add_all(&mut self, subject: &Subject, repetitions: &[u64], quantities: &Quantities) {
        for (name, estimate) in quantities.iter() {
            self.add(subject, name, repetitions, &estimate.values);
        }
    }

    /// Adds a metric by its name in JSON; repetitions that have none are left out.
    pub(crate) fn add(&mut self, subject: &Subject, name: &str, repetitions: &[u64], values: &[Option<f64>]) {
        let Some(metric) = find(name) else { return };
        let in_table = metric.unit.in_table(self.clock);
        let (times, over) = in_table.scale;
        let pairs = repetitions.iter().zip(values);
        let values: Vec<(u64, f64)> =
            pairs.filter_map(|(repetition, value)| Some((*repetition, (*value)? * times / over))).collect();
        if !values.is_empty() {
            self.numbers.push(Numbers {
                subject: subject.clone(),
                metric: metric.in_table,
                unit: in_table.unit,
                values,
            });
        }
    }
}

/// Returns the value of an axis: a quantity in its SI base unit without a unit, a percentage as a share, and any other text unchanged.
pub(crate) fn in_si(text: &str) -> String {
    let rate = || Some(Rate::parse(text).ok()?.bits_per_second().to_string());
    let seconds = || Some(Duration::parse(text).ok()?.as_secs_f64().to_string());
    let bytes = || Some(parse_bytes(text).ok()?.to_string());
    let share = || Some((text.strip_suffix('%')?.trim_end().parse::<f64>().ok()? / 100.0).to_string());
    let packets = || Some(text.strip_suffix("packets")?.trim_end().parse::<u64>().ok()?.to_string());
    rate().or_else(seconds).or_else(bytes).or_else(share).or_else(packets).unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests;
