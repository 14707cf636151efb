//! Every number of every result: its names, its unit, its meaning, and its computation from the result of a run.
//!
//! A family of metrics is one file in `family/` and one line in `family/registry.rs`. JSON, the long table and its units, `forebay list`
//! and `explain`, the schema of results and the axes of plots are made from these families. `docs/add-a-metric.md` shows how to add one.

mod better;
#[path = "family/registry.rs"]
mod family;
mod measure;
mod measured;
mod unit;

pub(crate) use better::Better;
pub(crate) use family::FAMILIES;
pub(crate) use measure::{Measured, measure, of};
pub(crate) use measured::{Of, ResultKind};
pub(crate) use unit::Unit;

/// The cost of what every run counts anyhow.
const FREE: &str = "none: every run counts it";

/// Metrics that measure one property: an entry of the registry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Family {
    /// The exact definition that the metrics share.
    pub(crate) definition: &'static str,
    /// The direction in which the metrics are better, unless a metric states its own.
    pub(crate) better: Better,
    /// The cost of the measurement, and who bears it.
    pub(crate) cost: &'static str,
    /// The publication of the definition, if it was published.
    pub(crate) source: Option<&'static str>,
    /// The metrics of the family.
    pub(crate) metrics: &'static [Metric],
}

/// A number of a result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Metric {
    /// The metric's name in JSON.
    pub(crate) name: &'static str,
    /// The metric's name in the long table, where a statistic follows a colon.
    pub(crate) in_table: &'static str,
    /// The unit in JSON.
    pub(crate) unit: Unit,
    /// The metric's meaning.
    pub(crate) meaning: &'static str,
    /// If it is not that of the family.
    better: Option<Better>,
    /// At the axis of a plot, without its statistic, if that is not its name.
    axis: Option<&'static str>,
    /// The results that have the metric, and its computation from each.
    pub(crate) of: &'static [Of],
}

/// Declares a metric with the same name in JSON and in the long table.
pub(crate) const fn metric(name: &'static str, unit: Unit, meaning: &'static str, of: &'static [Of]) -> Metric {
    Metric { name, in_table: name, unit, meaning, better: None, axis: None, of }
}

impl Metric {
    /// With another name in the long table, like `fct:p99`.
    const fn in_table(self, name: &'static str) -> Self {
        Self { in_table: name, ..self }
    }

    /// With another direction than its family.
    const fn better(self, better: Better) -> Self {
        Self { better: Some(better), ..self }
    }

    /// With words for the axis of a plot.
    const fn at_axis(self, words: &'static str) -> Self {
        Self { axis: Some(words), ..self }
    }

    /// Returns the metric's name in the long table without the statistic.
    pub(crate) fn base(&self) -> &'static str {
        self.in_table.split(':').next().unwrap_or(self.in_table)
    }

    /// Returns the direction in which the metric is better, in this family.
    pub(crate) fn better_in(&self, family: &Family) -> Better {
        self.better.unwrap_or(family.better)
    }

    /// Returns whether results of this kind have the metric.
    pub(crate) fn is_of(&self, kind: ResultKind) -> bool {
        self.of.iter().any(|of| of.kind() == kind)
    }
}

/// Returns all metrics.
pub(crate) fn all() -> impl Iterator<Item = &'static Metric> {
    FAMILIES.iter().flat_map(|family| family.metrics)
}

/// Finds a metric by its name in JSON.
pub(crate) fn find(name: &str) -> Option<&'static Metric> {
    all().find(|metric| metric.name == name)
}

/// Returns the meaning of a metric of the long table.
pub(crate) fn meaning(in_table: &str) -> Option<&'static str> {
    all().find(|metric| metric.in_table == in_table).map(|metric| metric.meaning)
}

/// Returns the words for a metric on the axis of a plot, if they differ from its name; `base` is its name in the long table without the
/// statistic.
pub(crate) fn axis_words(base: &str) -> Option<&'static str> {
    all().filter(|metric| metric.base() == base).find_map(|metric| metric.axis)
}

#[cfg(test)]
mod tests;
