//! A report to send to others: one HTML file with the question, the scenario, a table, interactive pictures, warnings, and the command that
//! makes it again. It makes no network requests.
//!
//! ```
//! use forebay::demo::{Embedded, SCENARIO};
//! use forebay::report_page::ReportPage;
//! use forebay::{Changes, Question, Session};
//!
//! let demo = Question::parse("demo", SCENARIO, &Embedded, &Changes::default())?;
//! let answer = demo.run(&Session::default())?;
//! let page = ReportPage { scenario: demo.text(), command: "forebay run demo.toml" };
//! let html = page.html(&answer)?;
//! assert!(html.starts_with("<!DOCTYPE html>") && html.contains("SP-PIFO"));
//! # Ok::<(), forebay::UserError>(())
//! ```

mod escape;
mod numbers;
mod overview;
mod question_text;
#[cfg(test)]
mod tests;

use crate::answer::Answer;
use crate::error::{Result, UserError};
use crate::figure::Colour;
use escape::{in_html, in_script};
use numbers::Numbers;
use std::fmt::Write as _;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const UPLOT: &str = include_str!("uplot/uPlot.iife.min.js");
const UPLOT_STYLE: &str = include_str!("uplot/uPlot.min.css");
const UPLOT_LICENCE: &str = include_str!("uplot/LICENSE");
/// The scripts that draw pictures of the numbers, in the order in which they run.
const SCRIPTS: [&str; 4] = [
    include_str!("script/units.js"),
    include_str!("script/rows.js"),
    include_str!("script/chart.js"),
    include_str!("script/picture.js"),
];

/// Lines of the command's own table at most: a page is no listing.
const MOST_LINES: usize = 400;

/// The contents of a page apart from the answer.
#[derive(Debug, Clone, Copy)]
pub struct ReportPage<'a> {
    /// The text of the scenario.
    pub scenario: &'a str,
    /// The command that makes the page again.
    pub command: &'a str,
}

impl ReportPage<'_> {
    /// Returns the page.
    ///
    /// # Errors
    /// If there are no numbers.
    pub fn html(&self, answer: &Answer) -> Result<String> {
        let frame = answer.frame();
        let baseline = answer.baseline();
        let summary = frame.summary_to(baseline);
        let kind = answer.kind();
        let (numbers, left_out) = Numbers::new(&frame, &summary, baseline, kind);
        let data = serde_json::to_string(&numbers)
            .map_err(|error| UserError::new(format!("the numbers of the report cannot be written: {error}")))?;
        let name = question_text::name(answer);
        let scripts = SCRIPTS.concat();
        let parts = [
            ("title", in_html(name)),
            ("question", in_html(&question_text::question(answer))),
            ("facts", in_html(&question_text::facts(answer, &frame))),
            ("verdict", sentences("verdict", &question_text::verdicts(answer))),
            ("warnings", warnings(answer)),
            ("table", overview::html(&summary, frame.axes(), kind)),
            ("left-out", left_out.map_or_else(String::new, |what| paragraph("note", &what))),
            ("command-table", command_table(&answer.table())),
            ("scenario", in_html(self.scenario)),
            ("command", in_html(self.command)),
            ("version", in_html(crate::run::VERSION)),
            ("data", in_script(&data)),
            ("licence", UPLOT_LICENCE.to_owned()),
            ("style", [UPLOT_STYLE, STYLE].concat()),
            ("uplot", UPLOT.to_owned()),
            ("script", scripts),
        ];
        Ok(filled(PAGE, &parts))
    }
}

/// The template with each `{{name}}` replaced by its part. Parts are not read again, so they may hold anything.
fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut page = String::with_capacity(parts.iter().map(|(_, part)| part.len()).sum::<usize>() + template.len());
    let mut pieces = template.split("{{");
    page.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").unwrap_or((piece, ""));
        let part = parts.iter().find(|(known, _)| *known == name);
        debug_assert!(part.is_some(), "the template has {name}");
        page.push_str(part.map_or("", |(_, part)| part));
        page.push_str(rest);
    }
    page
}

fn paragraph(class: &str, text: &str) -> String {
    format!("<p class=\"{class}\">{}</p>\n", in_html(text))
}

fn sentences(class: &str, all: &[String]) -> String {
    all.iter().map(|text| paragraph(class, text)).collect()
}

/// Returns the warnings for readers of the numbers.
fn warnings(answer: &Answer) -> String {
    let mut all: Vec<&str> = answer.warnings().iter().map(String::as_str).collect();
    if !answer.is_complete() {
        all.insert(0, "The run was stopped before its end. These are the numbers up to there.");
    }
    if all.is_empty() {
        return String::new();
    }
    let items = all.iter().fold(String::new(), |mut items, warning| {
        let _ = writeln!(items, "<li>{}</li>", in_html(warning));
        items
    });
    format!(
        "<section class=\"warnings\" aria-labelledby=\"warnings\"><h2 id=\"warnings\">Warnings</h2>\n<ul>\n{items}</ul></section>\n"
    )
}

/// Returns the output of the command, up to [`MOST_LINES`].
fn command_table(table: &str) -> String {
    let lines = table.lines().count();
    let shown: Vec<&str> = table.lines().take(MOST_LINES).collect();
    let rest = if lines > MOST_LINES { format!("\n... and {} more lines", lines - MOST_LINES) } else { String::new() };
    in_html(&(shown.join("\n") + &rest))
}

/// A colour as style sheets write it.
fn css(Colour(red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
