//! Every number of every result: its names, its unit, its meaning, and how it is computed from the result of a run.
//!
//! A family of metrics is one file in `family/` and one line in `family/registry.rs`. JSON, the long table and its units, `forebay list`
//! and `explain`, the schema of results and the axes of plots come from there. `docs/add-a-metric.md` shows how to add one.

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

/// Metrics with one idea: an entry of the registry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Family {
    /// What they have in common, exactly.
    pub(crate) definition: &'static str,
    /// Which way is better, where a metric does not say otherwise.
    pub(crate) better: Better,
    /// What it costs to measure it, and to whom.
    pub(crate) cost: &'static str,
    /// Where the definition comes from, if it was published.
    pub(crate) source: Option<&'static str>,
    /// The numbers.
    pub(crate) metrics: &'static [Metric],
}

/// A number of a result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Metric {
    /// In JSON.
    pub(crate) name: &'static str,
    /// In the long table, where a statistic stands behind a colon.
    pub(crate) in_table: &'static str,
    /// The unit in JSON.
    pub(crate) unit: Unit,
    /// What it is.
    pub(crate) meaning: &'static str,
    /// If it is not that of the family.
    better: Option<Better>,
    /// At the axis of a plot, without its statistic, if that is not its name.
    axis: Option<&'static str>,
    /// Which results have it, and how it is computed from each.
    pub(crate) of: &'static [Of],
}

/// A metric that JSON and the long table call by the same name.
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

    /// Its name in the long table without the statistic.
    pub(crate) fn base(&self) -> &'static str {
        self.in_table.split(':').next().unwrap_or(self.in_table)
    }

    /// Which way is better, in this family.
    pub(crate) fn better_in(&self, family: &Family) -> Better {
        self.better.unwrap_or(family.better)
    }

    /// Whether such a result has it.
    pub(crate) fn is_of(&self, kind: ResultKind) -> bool {
        self.of.iter().any(|of| of.kind() == kind)
    }
}

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = &'static Metric> {
    FAMILIES.iter().flat_map(|family| family.metrics)
}

/// By its name in JSON.
pub(crate) fn find(name: &str) -> Option<&'static Metric> {
    all().find(|metric| metric.name == name)
}

/// What a metric of the long table is, in words.
pub(crate) fn meaning(in_table: &str) -> Option<&'static str> {
    all().find(|metric| metric.in_table == in_table).map(|metric| metric.meaning)
}

/// What an axis of a plot calls a metric of the long table, given without its statistic, if that is not its name.
pub(crate) fn axis_words(base: &str) -> Option<&'static str> {
    all().filter(|metric| metric.base() == base).find_map(|metric| metric.axis)
}

#[cfg(test)]
mod tests;
