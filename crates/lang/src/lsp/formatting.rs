//! The whole document in forebay's style, as the smallest edit.

use crate::TextRange;
use crate::lsp::document::{Document, size};
use lsp_types::TextEdit;

/// One edit from the first to the last character that differs; none if the style is right.
pub(crate) fn edits(document: &Document) -> Vec<TextEdit> {
    let text = document.text.as_str();
    let formatted = crate::format(text);
    if formatted == text {
        return Vec::new();
    }
    let mut before = common(text.chars(), formatted.chars());
    // There is no position between `\r` and `\n`.
    if text[..before].ends_with('\r') {
        before -= 1;
    }
    let mut after = common(text[before..].chars().rev(), formatted[before..].chars().rev());
    if text[..text.len() - after].ends_with('\r') && text[text.len() - after..].starts_with('\n') {
        after -= 1;
    }
    let span = TextRange::new(size(before), size(text.len() - after));
    let new_text = formatted[before..formatted.len() - after].to_owned();
    vec![TextEdit { range: document.range(span), new_text }]
}

/// How many bytes two texts have in common at their beginning.
fn common(left: impl Iterator<Item = char>, right: impl Iterator<Item = char>) -> usize {
    left.zip(right).take_while(|(left, right)| left == right).map(|(c, _)| c.len_utf8()).sum()
}
