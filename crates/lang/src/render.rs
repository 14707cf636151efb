//! Diagnostics for people: the lines of the file with carets below.

use crate::diagnostic::{Diagnostic, Severity};
use crate::lines::Lines;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use rowan::{TextRange, TextSize};
use std::fmt::Write;
use std::ops::Range;

/// How a terminal shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Without colour.
    Plain,
    /// With the colours of a terminal.
    Coloured,
}

/// The diagnostics of a file, one after the other. `path` is what the file is called.
///
/// ```
/// use forebay_lang::{parse, render};
/// let text = "q1 = Queue(B\n";
/// let shown = render::render("a.oq", text, parse(text).diagnostics(), render::Style::Plain);
/// assert!(shown.starts_with("error[unclosed]: this parenthesis is not closed"));
/// assert!(shown.contains("a.oq:1:13"));
/// ```
#[must_use]
pub fn render(path: &str, text: &str, diagnostics: &[Diagnostic], style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let lines = Lines::new(text);
    let mut out = String::new();
    for diagnostic in diagnostics {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{}\n", render_one(&renderer, path, text, &lines, diagnostic));
    }
    out
}

fn render_one(renderer: &Renderer, path: &str, text: &str, lines: &Lines, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    // Only the lines that matter, so that many diagnostics of a large file are fast.
    let spans = || diagnostic.labels.iter().map(|label| label.span).chain([diagnostic.span]);
    let first_line = spans().map(|span| lines.position(span.start()).line).min().unwrap_or(0);
    let last_line = spans().map(|span| lines.position(span.end()).line).max().unwrap_or(0);
    let start = lines.start(first_line).unwrap_or_default();
    let end = lines.start(last_line + 1).unwrap_or(TextSize::of(text));
    let within =
        |span: TextRange| -> Range<usize> { usize::from(span.start() - start)..usize::from(span.end() - start) };
    let mut snippet = Snippet::source(&text[TextRange::new(start, end)])
        .path(path)
        .line_start(first_line as usize + 1)
        .annotation(AnnotationKind::Primary.span(within(diagnostic.span)).label(diagnostic.here.as_str()));
    for label in &diagnostic.labels {
        snippet = snippet.annotation(AnnotationKind::Context.span(within(label.span)).label(label.text.as_str()));
    }
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.as_str());
    let mut group = title.element(snippet);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}
