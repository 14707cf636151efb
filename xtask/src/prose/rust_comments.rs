//! Passages of the documentation comments in a Rust file. Each run of comment lines is a page in Markdown.

use super::markdown::Page;
use super::passage::{Kind, Passage, Text};
use super::sentence;

pub(crate) fn read(text: &str) -> Text {
    let mut page = Page::default();
    let mut marker_before = None;
    let mut starts = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let comment = comment(line);
        let marker = comment.map(|(marker, _)| marker);
        if marker != marker_before {
            page.end();
            starts.push(number);
        }
        if let Some((_, prose)) = comment {
            page.line(number, prose);
        }
        marker_before = marker;
    }
    let mut text = page.text();
    text.passages = text.passages.into_iter().flat_map(|passage| with_summary(passage, &starts)).collect();
    text
}

/// The marker of a documentation comment, and its text.
fn comment(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let marker = ["///", "//!"].into_iter().find(|marker| line.starts_with(marker))?;
    let prose = &line[marker.len()..];
    // Four slashes are an ordinary comment.
    (!prose.starts_with('/')).then(|| (marker, prose.strip_prefix(' ').unwrap_or(prose)))
}

/// A passage at the start of a comment as its first sentence and the rest.
fn with_summary(passage: Passage, starts: &[usize]) -> Vec<Passage> {
    if passage.kind != Kind::Prose || starts.binary_search(&passage.line).is_err() {
        return vec![passage];
    }
    let first = sentence::split(&passage).first().map_or(0, |first| first.text.len());
    let (first, rest) = passage.text.split_at(first);
    let after = passage.line + first.matches('\n').count();
    let summary = Passage::new(Kind::Summary, passage.line, first, passage.block);
    summary.into_iter().chain(Passage::new(passage.kind, after, rest, passage.block)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
//! A file.
//!
//! ```
//! let x = 1;
//! ```

// Not read.
/// A `thing` that
    /// [`goes`] on. It
    /// ends.
fn f() {} //// Not read.
/// Another.
";

    #[test]
    fn documentation_comments_are_read_and_other_comments_are_not() {
        let text = read(FILE);
        let passages: Vec<_> = text.passages.iter().map(|one| (one.kind, one.line, one.text.as_str())).collect();
        let expected = [
            (Kind::Summary, 1, "A file."),
            (Kind::Summary, 8, "A \u{FFFC} that\n\u{FFFC} on."),
            (Kind::Prose, 9, "It\nends."),
            (Kind::Summary, 12, "Another."),
        ];
        assert_eq!(passages, expected);
    }
}
