//! What an experiment came to: published beside measured.

use super::experiment::{Basis, PublishedRow};
use super::{Measured, look_up};
use forebay::error::Result;
use forebay::output::table::plain_table;
use serde::Serialize;

/// A whole experiment. As JSON, tools are built on it: see docs/result.md.
#[derive(Debug, Serialize)]
pub struct Outcome {
    /// The name of the experiment.
    pub name: String,
    /// Root of all random numbers.
    pub seed: u64,
    /// One for each published quantity.
    pub rows: Vec<Row>,
    /// Further files: name and content.
    #[serde(skip)]
    pub files: Vec<(String, String)>,
}

/// One quantity.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// What is compared.
    pub quantity: String,
    /// The published number.
    pub published: f64,
    /// Whether the source prints that number.
    pub basis: Basis,
    /// Absent (null) if it cannot be computed, as a ratio to nothing, or was skipped.
    pub measured: Option<f64>,
    /// Measured over published.
    pub ratio: Option<f64>,
    /// How far the measured number may be off.
    pub tolerance: String,
    /// Absent (null) if it was skipped.
    pub holds: Option<bool>,
    /// Why it is known not to hold, if it is.
    pub differs: Option<String>,
    /// Why it was not measured, if it was not.
    pub skipped: Option<String>,
}

impl Row {
    /// Compares one published quantity with what was measured for it.
    pub(super) fn judge(row: &PublishedRow, measured: &Measured) -> Result<Self> {
        let mut judged = Self {
            quantity: row.quantity.clone(),
            published: row.published,
            basis: row.basis,
            measured: None,
            ratio: None,
            tolerance: row.tolerance.to_string(),
            holds: None,
            differs: row.differs.clone(),
            skipped: None,
        };
        if let Some(why) = row.formula.why_skipped(measured)? {
            judged.skipped = Some(why.to_owned());
            return Ok(judged);
        }
        let value = row.formula.compute(&|name, node| look_up(measured, name, node))?;
        judged.measured = Some(value).filter(|value| value.is_finite());
        judged.ratio = judged.measured.map(|value| value / row.published).filter(|ratio| ratio.is_finite());
        judged.holds = Some(judged.measured.is_some_and(|value| row.tolerance.holds(row.published, value)));
        Ok(judged)
    }
}

impl Outcome {
    /// Whether every row that was measured holds but those of which it is known, with the
    /// reason, that they do not.
    pub fn is_as_stated(&self) -> bool {
        self.rows.iter().all(|row| row.holds.is_none_or(|holds| holds != row.differs.is_some()))
    }

    /// The rows as a table for people, and what marks in it mean.
    pub fn table(&self) -> String {
        let header = ["quantity", "published", "measured", "ratio", "tolerance", "holds"];
        let mut reasons: Vec<&str> = Vec::new();
        let rows = self.rows.iter().map(|row| {
            let mut holds = match row.holds {
                Some(true) => "yes",
                Some(false) => "NO",
                None => "skipped",
            }
            .to_owned();
            if let Some(reason) = row.skipped.as_ref().or(row.differs.as_ref()) {
                if !reasons.contains(&reason.as_str()) {
                    reasons.push(reason);
                }
                let number = reasons.iter().position(|known| known == reason).unwrap_or(0) + 1;
                holds.push_str(&format!(" ({number})"));
            }
            vec![
                row.quantity.clone(),
                published(row),
                row.measured.map_or_else(|| "-".to_owned(), short),
                row.ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}")),
                row.tolerance.clone(),
                holds,
            ]
        });
        let mut table = plain_table(header.map(str::to_owned).to_vec(), rows.collect());
        let marks = [
            (Basis::Statement, "* stated in words, without a number"),
            (Basis::Derived, "+ follows from the definitions"),
        ];
        let used = marks.iter().filter(|(basis, _)| self.rows.iter().any(|row| row.basis == *basis));
        let used: Vec<&str> = used.map(|(_, meaning)| *meaning).collect();
        if !used.is_empty() {
            table.push_str(&format!("{}\n", used.join("; ")));
        }
        for (number, reason) in (1..).zip(reasons) {
            table.push_str(&format!("({number}) {reason}\n"));
        }
        table
    }
}

/// The published number, marked if the source does not print it.
fn published(row: &Row) -> String {
    let mark = match row.basis {
        Basis::Number => "",
        Basis::Statement => "*",
        Basis::Derived => "+",
    };
    format!("{mark}{}", short(row.published))
}

/// Four digits that count.
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
