//! The report of an experiment: published numbers beside measured ones.

use super::formula::Formula;
use super::published::{Basis, Origin, PublishedRow, Standing, with_test};
use super::{Measured, look_up};
use forebay::error::Result;
use forebay::output::table::plain_table;
use serde::Serialize;

/// The outcome of an experiment. Tools read it as JSON: see docs/experiments.md.
#[derive(Debug, Serialize)]
pub struct ExperimentOutcome {
    /// The name of the experiment.
    pub name: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// One row for each published quantity.
    pub rows: Vec<Row>,
    /// Further files: name and content.
    #[serde(skip)]
    pub files: Vec<(String, String)>,
}

/// A row: one quantity.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The description of the quantity.
    pub quantity: String,
    /// The published number.
    pub published: f64,
    /// The origin of the published number.
    #[serde(flatten)]
    pub origin: Origin,
    /// The measured number; absent (null) if it cannot be computed, such as a division by 0, or was skipped.
    pub measured: Option<f64>,
    /// The measured number divided by the published one.
    pub ratio: Option<f64>,
    /// The tolerance of the measured number.
    pub tolerance: String,
    /// Whether the row holds; absent (null) if it was skipped.
    pub holds: Option<bool>,
    /// The row's stated relation to its source.
    pub standing: Standing,
    /// Why the row cannot fail, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certain: Option<String>,
    /// Why the row is known not to hold, if so.
    pub differs: Option<String>,
    /// The result after the cause of the difference is changed, if the cause is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tested: Option<Changed>,
    /// The number of seeds, counted from 1, with which the row is as stated, like `4 of 5`; left out if all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds: Option<String>,
    /// Why the row was not measured, if so.
    pub skipped: Option<String>,
}

/// The result after the cause of a difference is changed.
#[derive(Debug, Clone, Serialize)]
pub struct Changed {
    /// The change.
    pub what: String,
    /// The number; absent (null) if it cannot be computed.
    pub measured: Option<f64>,
    /// Whether the number is within the stated tolerance.
    pub holds: bool,
}

impl Row {
    /// Compares a published quantity with the measured one, and also with the changed one if `with_causes`.
    pub(super) fn judge(row: &PublishedRow, measured: &Measured, with_causes: bool) -> Result<Self> {
        let tested = row.tested.as_ref().filter(|_| with_causes);
        let mut judged = Self {
            quantity: row.quantity.clone(),
            published: row.published,
            origin: row.origin.clone(),
            measured: None,
            ratio: None,
            tolerance: row.tolerance.to_string(),
            holds: None,
            standing: row.standing(),
            certain: row.certain.clone(),
            differs: row.differs.clone(),
            tested: None,
            seeds: row.seeds.as_ref().filter(|tried| tried.is_split()).map(ToString::to_string),
            skipped: None,
        };
        let formulas = [Some(&row.formula), tested.map(|tested| &tested.formula)];
        for formula in formulas.into_iter().flatten() {
            if let Some(why) = formula.why_skipped(measured)? {
                judged.skipped = Some(why.to_owned());
                return Ok(judged);
            }
        }
        let compute = |formula: &Formula| -> Result<(Option<f64>, bool)> {
            let value = formula.compute(&|name, node| look_up(measured, name, node))?;
            let value = Some(value).filter(|value| value.is_finite());
            Ok((value, value.is_some_and(|value| row.tolerance.holds(row.published, value))))
        };
        let (value, holds) = compute(&row.formula)?;
        judged.measured = value;
        judged.ratio = value.map(|value| value / row.published).filter(|ratio| ratio.is_finite());
        judged.holds = Some(holds);
        if let Some(tested) = tested {
            let (measured, holds) = compute(&tested.formula)?;
            judged.tested = Some(Changed { what: tested.what.clone(), measured, holds });
        }
        Ok(judged)
    }

    /// Whether the row has its stated relation to its source; also if it was not measured.
    pub fn is_as_stated(&self) -> bool {
        let changed = self.tested.as_ref().map(|tested| tested.holds);
        self.holds.is_none_or(|holds| self.standing.is_as_stated(holds, changed))
    }

    /// Returns the verdict for the table.
    fn verdict(&self) -> &'static str {
        match (self.holds, self.standing) {
            (None, _) => "skipped",
            (Some(true), Standing::Certain) => "yes, always",
            (Some(true), _) => "yes",
            (Some(false), Standing::Tested) if self.tested.is_some() => "NO, tested",
            (Some(false), Standing::Open) => "NO, open",
            (Some(false), _) => "NO",
        }
    }

    /// Returns the explanation of the row, if there is one.
    fn reason(&self) -> Option<String> {
        let reason = self.skipped.as_ref().or(self.differs.as_ref()).or(self.certain.as_ref());
        let reason = reason.map(|it| with_test(it, self.tested.as_ref().map(|tested| tested.what.as_str())));
        let seeds = self.seeds.as_ref().map(|seeds| format!("stands so with {seeds} seeds"));
        [reason, seeds].into_iter().flatten().reduce(|reason, seeds| format!("{reason}; {seeds}"))
    }
}

impl ExperimentOutcome {
    /// Whether every row that was measured has its stated relation to its source.
    pub fn is_as_stated(&self) -> bool {
        self.rows.iter().all(Row::is_as_stated)
    }

    /// Returns the rows as a table for people, with the meaning of its marks.
    pub fn table(&self) -> String {
        let is_tested = self.rows.iter().any(|row| row.tested.is_some());
        let header = ["quantity", "published", "measured", "ratio", "tolerance", "holds", "tested"];
        let columns = header.len() - usize::from(!is_tested);
        let mut reasons: Vec<String> = Vec::new();
        let rows = self.rows.iter().map(|row| {
            let mut verdict = row.verdict().to_owned();
            if let Some(reason) = row.reason() {
                let number = reasons.iter().position(|known| *known == reason).unwrap_or_else(|| {
                    reasons.push(reason);
                    reasons.len() - 1
                });
                verdict.push_str(&format!(" ({})", number + 1));
            }
            let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), short);
            let tested = row.tested.as_ref().map(|tested| number(tested.measured));
            let mut cells = vec![
                row.quantity.clone(),
                published(row),
                number(row.measured),
                row.ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}")),
                row.tolerance.clone(),
                verdict,
                tested.unwrap_or_default(),
            ];
            cells.truncate(columns);
            cells
        });
        let rows = rows.collect();
        let mut table = plain_table(header[..columns].iter().map(|&name| name.to_owned()).collect(), rows);
        let used = MARKS.iter().filter(|(basis, ..)| self.rows.iter().any(|row| row.origin.basis == *basis));
        let used: Vec<String> = used.map(|(_, mark, meaning)| format!("{mark} {meaning}")).collect();
        if !used.is_empty() {
            table.push_str(&format!("{}\n", used.join("; ")));
        }
        for (number, reason) in (1..).zip(reasons) {
            table.push_str(&format!("({number}) {reason}\n"));
        }
        table
    }
}

/// The marks of numbers that the source does not print exactly.
const MARKS: [(Basis, &str, &str); 4] = [
    (Basis::Range, "~", "end or middle of a range"),
    (Basis::Read, "^", "read off a picture or its data"),
    (Basis::Derived, "+", "follows from what the source says"),
    (Basis::Fitted, "!", "a constant was chosen so that it holds"),
];

/// Returns the published number, with a mark if the source does not print it.
fn published(row: &Row) -> String {
    let mark = MARKS.iter().find(|(basis, ..)| *basis == row.origin.basis).map_or("", |(_, mark, _)| mark);
    format!("{mark}{}", short(row.published))
}

/// Rounds a value to four significant digits.
fn short(value: f64) -> String {
    if value != 0.0 && (value.abs() < 1e-3 || value.abs() >= 1e7) {
        return format!("{value:.3e}");
    }
    let before_point = value.abs().max(1.0).log10().floor();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 3")]
    let decimals = (3.0 - before_point).max(0.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_short_and_plain() {
        for (value, text) in [
            (9.0, "9"),
            (0.262_522, "0.263"),
            (3.3, "3.3"),
            (22.456_7, "22.46"),
            (123_456.0, "123456"),
            (-0.5, "-0.5"),
            (0.0, "0"),
            (0.000_012, "1.200e-5"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
