//! Means over repetitions with their confidence intervals, and differences to a baseline.

use super::{Frame, Subject, in_si};
use crate::error::{Result, UserError};
use crate::output::csv::lines;
use crate::scenario::unknown_policy;
use crate::statistics::mean_and_ci95;

/// One line for each metric of each subject in each cell.
#[derive(Debug, Clone)]
pub struct Summary<'a> {
    frame: &'a Frame,
    baseline: Option<&'a str>,
    rows: Vec<SummaryRow<'a>>,
}

/// A mean over repetitions.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryRow<'a> {
    /// The value of each axis as the scenario writes it.
    pub axes: &'a [Option<String>],
    /// The policy.
    pub policy: &'a str,
    /// The subject of the number.
    pub subject: &'a Subject,
    /// The name of the number.
    pub metric: &'a str,
    /// The number's unit.
    pub unit: &'static str,
    /// The number of repetitions that have a value.
    pub repetitions: usize,
    /// The number and the value of each of these repetitions.
    pub values: &'a [(u64, f64)],
    /// The mean of these values.
    pub mean: f64,
    /// Half the width of the 95 % confidence interval of the mean (Student's t); [`None`] with fewer than two values.
    pub ci95: Option<f64>,
    /// The difference from the baseline, if a baseline is given and has the number in the same repetitions.
    pub difference: Option<Difference>,
}

/// A policy's number minus the baseline's, repetition by repetition: both had the same random numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The number of repetitions that both have.
    pub pairs: usize,
    /// The mean of the differences.
    pub mean: f64,
    /// Half the width of the difference's own 95 % confidence interval. It is narrower than the intervals of the two means suggest if
    /// chance moves both alike.
    pub ci95: Option<f64>,
    /// The mean over the baseline's mean; [`None`] if that is zero.
    pub ratio: Option<f64>,
}

impl Frame {
    /// Returns means over repetitions, and differences from a policy if one is named.
    ///
    /// # Errors
    /// If there is no such policy.
    pub fn summary<'a>(&'a self, baseline: Option<&'a str>) -> Result<Summary<'a>> {
        let policies = || self.cells.iter().map(|cell| cell.policy.as_str());
        match baseline.and_then(|name| unknown_policy(name, policies())) {
            Some(message) => Err(UserError::argument("baseline", message)),
            None => Ok(self.summary_to(baseline)),
        }
    }

    /// Returns the summary; without differences if there is no such policy, as in a run that was stopped early.
    pub(crate) fn summary_to<'a>(&'a self, baseline: Option<&'a str>) -> Summary<'a> {
        self.summary_of(baseline, |_| true)
    }

    /// Returns the summary of the wanted metrics only.
    pub(crate) fn summary_of<'a>(&'a self, baseline: Option<&'a str>, is_wanted: impl Fn(&str) -> bool) -> Summary<'a> {
        let mut rows = Vec::new();
        for cell in &self.cells {
            let other = self
                .cells
                .iter()
                .find(|other| Some(other.policy.as_str()) == baseline && agree(&other.axes, &cell.axes));
            for numbers in cell.numbers.iter().filter(|numbers| is_wanted(numbers.metric)) {
                let values = || numbers.values.iter().map(|(_, value)| *value);
                let (mean, ci95) = mean_and_ci95(values());
                let of_baseline = other.filter(|other| other.policy != cell.policy).and_then(|other| {
                    other.numbers.iter().find(|own| own.metric == numbers.metric && own.subject == numbers.subject)
                });
                rows.push(SummaryRow {
                    axes: &cell.axes,
                    policy: &cell.policy,
                    subject: &numbers.subject,
                    metric: numbers.metric,
                    unit: numbers.unit,
                    repetitions: numbers.values.len(),
                    values: &numbers.values,
                    mean: mean.unwrap_or(0.0),
                    ci95,
                    difference: of_baseline.and_then(|own| Difference::between(&numbers.values, &own.values)),
                });
            }
        }
        Summary { frame: self, baseline, rows }
    }
}

/// Whether two cells have the same value on each axis that both have.
fn agree(a: &[Option<String>], b: &[Option<String>]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.is_none() || b.is_none() || a == b)
}

impl Difference {
    /// Returns the difference over the repetitions that both have.
    pub(crate) fn between(own: &[(u64, f64)], baseline: &[(u64, f64)]) -> Option<Self> {
        let of_baseline = |repetition: u64| baseline.iter().find(|(other, _)| *other == repetition);
        let pairs: Vec<(f64, f64)> =
            own.iter().filter_map(|(repetition, value)| Some((*value, of_baseline(*repetition)?.1))).collect();
        let (mean, ci95) = mean_and_ci95(pairs.iter().map(|(own, other)| own - other));
        let sums = pairs.iter().fold((0.0, 0.0), |sums, (own, other)| (sums.0 + own, sums.1 + other));
        Some(Self { pairs: pairs.len(), mean: mean?, ci95, ratio: (sums.1 != 0.0).then(|| sums.0 / sums.1) })
    }
}

impl<'a> Summary<'a> {
    /// Returns the rows, in the order of the frame.
    #[must_use]
    pub fn rows(&self) -> &[SummaryRow<'a>] {
        &self.rows
    }

    /// Returns the rows as CSV with a header.
    #[must_use]
    pub fn csv(&self) -> String {
        let own = ["policy", "subject", "item", "metric", "unit", "repetitions", "mean", "ci95"];
        let of_baseline = ["baseline", "difference", "difference_ci95", "ratio"];
        let axes = self.frame.axes.iter().map(String::as_str);
        let header: Vec<&str> = match self.baseline {
            Some(_) => axes.chain(own).chain(of_baseline).collect(),
            None => axes.chain(own).collect(),
        };
        let or_empty = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
        let rows = self.rows.iter().map(|row| {
            let mut fields: Vec<String> =
                row.axes.iter().map(|value| value.as_deref().map_or_else(String::new, in_si)).collect();
            fields.extend([
                row.policy.to_owned(),
                row.subject.kind.to_owned(),
                row.subject.item.clone(),
                row.metric.to_owned(),
                row.unit.to_owned(),
                row.repetitions.to_string(),
                row.mean.to_string(),
                or_empty(row.ci95),
            ]);
            if let Some(baseline) = self.baseline {
                let difference = row.difference;
                fields.extend([
                    difference.map_or_else(String::new, |_| baseline.to_owned()),
                    or_empty(difference.map(|difference| difference.mean)),
                    or_empty(difference.and_then(|difference| difference.ci95)),
                    or_empty(difference.and_then(|difference| difference.ratio)),
                ]);
            }
            fields
        });
        lines(&header, rows)
    }
}
