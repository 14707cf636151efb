//! Diagnostics for people: the lines of the file with carets below.

use crate::diagnostic::{Diagnostic, Severity};
use crate::lines::Lines;
use crate::sources::Sources;
use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};
use rowan::{TextRange, TextSize};
use std::fmt::Write;
use std::ops::Range;

/// The style of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Without colour.
    Plain,
    /// With the colours of a terminal.
    Coloured,
}

/// Returns the diagnostics of a file as text. `path` is the file's name in this text.
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
    render_sources(&Sources::single(path, text), diagnostics, style)
}

/// Returns the diagnostics of a policy that may have several files, each with the file that it is in.
#[must_use]
pub fn render_sources(sources: &Sources, diagnostics: &[Diagnostic], style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let lines: Vec<Lines> = sources.files().iter().map(|file| Lines::new(&file.text)).collect();
    let mut out = String::new();
    for diagnostic in diagnostics {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{}\n", render_one(&renderer, sources, &lines, diagnostic));
    }
    out
}

fn render_one(renderer: &Renderer, sources: &Sources, lines: &[Lines], diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let labels: Vec<_> =
        diagnostic.labels.iter().map(|label| (sources.span(label.span), label.text.as_str())).collect();
    let (file, span) = sources.span(diagnostic.span);
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.as_str());
    let mut group = title.element(snippet(sources, lines, file, Some((span, &diagnostic.here)), &labels));
    let mut others: Vec<usize> = labels.iter().map(|((other, _), _)| *other).filter(|other| *other != file).collect();
    others.dedup();
    for other in others {
        group = group.element(snippet(sources, lines, other, None, &labels));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

/// Returns only those lines of a file that contain a mistake or its labels, so that many diagnostics of a large file are fast.
fn snippet<'a>(
    sources: &'a Sources,
    lines: &[Lines],
    file: usize,
    primary: Option<(TextRange, &'a str)>,
    labels: &[((usize, TextRange), &'a str)],
) -> Snippet<'a, Annotation<'a>> {
    let (source, lines) = (&sources.files()[file], &lines[file]);
    let labels = labels.iter().filter(|((of, _), _)| *of == file).map(|((_, span), text)| (*span, *text));
    let spans = || labels.clone().chain(primary).map(|(span, _)| span);
    let first_line = spans().map(|span| lines.position(span.start()).line).min().unwrap_or(0);
    let last_line = spans().map(|span| lines.position(span.end()).line).max().unwrap_or(0);
    let start = lines.start(first_line).unwrap_or_default();
    let end = lines.start(last_line + 1).unwrap_or(TextSize::of(&source.text));
    let within =
        |span: TextRange| -> Range<usize> { usize::from(span.start() - start)..usize::from(span.end() - start) };
    let mut snippet = Snippet::source(&source.text[TextRange::new(start, end)])
        .path(source.name.as_str())
        .line_start(first_line as usize + 1);
    if let Some((span, text)) = primary {
        snippet = snippet.annotation(AnnotationKind::Primary.span(within(span)).label(text));
    }
    for (span, text) in labels {
        snippet = snippet.annotation(AnnotationKind::Context.span(within(span)).label(text));
    }
    snippet
}
