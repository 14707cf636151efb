//! The table of a page: a row for each policy and value of the axes, a column for each of the most important metrics.

use super::css;
use super::escape::in_html;
use crate::figure::{Unit, styles};
use crate::frame::{Summary, SummaryRow};
use crate::headline::{Kind, first_subject, is_headline};
use crate::output::digits::with_interval;
use crate::picture::{title_of_metric, unit_of_metric};
use crate::statistics::Estimate;
use std::fmt::Write as _;

/// Columns at most.
const MOST_COLUMNS: usize = 7;
/// Rows at most.
const MOST_ROWS: usize = 300;

/// A row of the table: what it is of, and its numbers in the order of the columns.
struct Line<'s> {
    first: &'s SummaryRow<'s>,
    numbers: Vec<Option<&'s SummaryRow<'s>>>,
}

/// Returns the table as HTML, with a sentence about omitted rows.
pub(super) fn html(summary: &Summary<'_>, axes: &[String], kind: Kind) -> String {
    let headlines = kind.headlines();
    let of = first_subject(summary, headlines);
    let rows = || summary.rows().iter().filter(|row| row.subject.kind == of);
    let is_there = |name: &&str| rows().any(|row| row.metric == *name);
    let mut columns: Vec<&str> =
        headlines.iter().map(|headline| headline.0).filter(is_there).take(MOST_COLUMNS).collect();
    columns.dedup();
    let mut lines: Vec<Line<'_>> = Vec::new();
    for row in rows().filter(|row| is_headline(row.metric, headlines)) {
        let Some(column) = columns.iter().position(|name| *name == row.metric) else { continue };
        // Rows of a cell follow each other.
        let from = lines.len().saturating_sub(MOST_ROWS);
        let own = lines[from..].iter().rposition(|line| is_same(line.first, row)).map(|place| from + place);
        let place = own.unwrap_or_else(|| {
            lines.push(Line { first: row, numbers: vec![None; columns.len()] });
            lines.len() - 1
        });
        lines[place].numbers[column] = Some(row);
    }
    if lines.is_empty() {
        return "<p>No run is complete.</p>".to_owned();
    }
    let units: Vec<Shown> = (0..columns.len()).map(|column| Shown::new(&lines, column)).collect();
    let looks = styles(lines.iter().map(|line| line.first.policy));
    let mut out =
        "<table class=\"overview\"><caption>Means of the most telling metrics</caption>\n<thead><tr>".to_owned();
    let of_subject = (of != "all").then(|| of.replace('_', " "));
    let keys =
        std::iter::once("policy".to_owned()).chain(axes.iter().map(|name| name.replace('_', " "))).chain(of_subject);
    for key in keys {
        let _ = write!(out, "<th scope=\"col\">{}</th>", in_html(&key));
    }
    for (name, shown) in columns.iter().zip(&units) {
        let unit =
            if shown.unit.is_empty() { String::new() } else { format!(" <small>{}</small>", in_html(&shown.unit)) };
        let _ = write!(
            out,
            "<th scope=\"col\" class=\"number\" data-metric=\"{name}\">{}{unit}</th>",
            in_html(&title_of_metric(name))
        );
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for line in lines.iter().take(MOST_ROWS) {
        let policy = line.first.policy;
        let colour = looks.get(policy).map_or_else(String::new, |style| css(style.colour()));
        let _ = write!(out, "<tr><th scope=\"row\"><i style=\"background:{colour}\"></i>{}</th>", in_html(policy));
        for value in line.first.axes {
            let _ = write!(out, "<td>{}</td>", in_html(value.as_deref().unwrap_or("–")));
        }
        if of != "all" {
            let _ = write!(out, "<td>{}</td>", in_html(&line.first.subject.item));
        }
        for (row, shown) in line.numbers.iter().zip(&units) {
            let _ =
                write!(out, "<td class=\"number\">{}</td>", row.map_or_else(|| "–".to_owned(), |row| shown.text(row)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table>\n");
    if lines.len() > MOST_ROWS {
        let _ = writeln!(
            out,
            "<p class=\"note\">These are the first {MOST_ROWS} of {} rows. The pictures below have more of them, and result.csv, which --out \
             writes, has all.</p>",
            lines.len()
        );
    }
    out
}

/// Whether two rows are of the same policy, axes and item.
fn is_same(a: &SummaryRow<'_>, b: &SummaryRow<'_>) -> bool {
    a.policy == b.policy && a.axes == b.axes && a.subject == b.subject
}

/// The format of the numbers of a column.
struct Shown {
    divisor: f64,
    unit: String,
}

impl Shown {
    fn new(lines: &[Line<'_>], column: usize) -> Self {
        let rows = || lines.iter().filter_map(move |line| line.numbers[column]);
        let least = rows().map(|row| row.mean.abs()).filter(|mean| *mean > 0.0).reduce(f64::min);
        let unit = rows().next().map_or(Unit::Plain, |row| unit_of_metric(row.metric, row.unit));
        let (divisor, unit) = unit.in_column(least.unwrap_or(0.0));
        Self { divisor, unit }
    }

    fn text(&self, row: &SummaryRow<'_>) -> String {
        let estimate = Estimate { mean: Some(row.mean), ci95: row.ci95, values: Vec::new() };
        with_interval(&estimate, self.divisor).replace("+-", "±")
    }
}
