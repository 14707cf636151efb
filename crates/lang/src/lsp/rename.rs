//! Renames a name, if nothing changes its meaning by that.

use crate::lexer::lex;
use crate::lsp::diagnostics::changes;
use crate::lsp::document::{Document, size};
use crate::lsp::failure::Failure;
use crate::lsp::navigation::{elsewhere, places, symbol_at};
use crate::lsp::scope::member;
use crate::lsp::word_meanings::{self, BUILTINS};
use crate::{Analysis, Kind, Severity, Symbol, SymbolKind, TextRange, TextSize};
use lsp_types::{Position, PrepareRenameResponse, TextEdit, WorkspaceEdit};

/// What would be renamed; nothing where no name stands.
pub(crate) fn prepare(document: &Document, position: Position) -> Result<Option<PrepareRenameResponse>, Failure> {
    let Some((symbol, span)) = found(document, position)? else { return Ok(None) };
    // With the number of a member, so that it is where the cursor is.
    let token = document.analysis.parse.syntax().token_at_offset(span.start()).right_biased();
    let whole = token.map_or(span, |token| token.text_range());
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder {
        range: document.range(whole),
        placeholder: symbol.name.clone(),
    }))
}

/// The edits that rename what stands at a position.
pub(crate) fn rename(document: &Document, position: Position, name: &str) -> Result<WorkspaceEdit, Failure> {
    let Some((symbol, _)) = found(document, position)? else {
        return Err(Failure::refused("there is no name here to rename"));
    };
    is_name(name)?;
    let mut edits: Vec<(TextRange, String)> = Vec::new();
    for span in places(symbol) {
        let written = document.written(span);
        if written != symbol.name {
            return Err(Failure::refused(format!("`{written}` cannot be renamed: it is not called `{}`", symbol.name)));
        }
        edits.push((span, name.to_owned()));
    }
    if name != symbol.name {
        keeps_meaning(document, symbol, &edits, name)?;
    }
    let edits = edits.into_iter().map(|(span, new_text)| TextEdit { range: document.range(span), new_text });
    Ok(changes(document, edits.collect()))
}

/// The symbol at a position, if it is the author's.
fn found(document: &Document, position: Position) -> Result<Option<(&Symbol, TextRange)>, Failure> {
    if let Some((symbol, span)) = symbol_at(document, position) {
        if !elsewhere(document, symbol).is_empty() {
            let message = format!("`{}` stands in other files, too; rename it in each of them", symbol.name);
            return Err(Failure::refused(message));
        }
        if symbol.definition.is_none() || is_known(&symbol.name) {
            let message = format!("`{}` is a name of the language and stays as it is", symbol.name);
            return Err(Failure::refused(message));
        }
        return Ok(Some((symbol, span)));
    }
    let mut tokens = document.analysis.parse.syntax().token_at_offset(document.offset(position));
    let word = tokens.find(|token| token.kind().is_word() || word_meanings::doc(token.text()).is_some());
    match word {
        Some(word) => Err(Failure::refused(format!("`{}` is a word of the language and stays as it is", word.text()))),
        None => Ok(None),
    }
}

/// Whether the language knows a definition by this name.
fn is_known(name: &str) -> bool {
    name == word_meanings::CLASSIFY || name == word_meanings::POLICY_ID
}

/// Rejects a text that cannot be a name, or has a meaning already.
fn is_name(name: &str) -> Result<(), Failure> {
    let (tokens, _) = lex(name);
    let shown: String = name.chars().take(40).collect();
    let problem = match tokens.as_slice() {
        [token] if token.kind.is_word() => format!("`{shown}` is a word of the language and cannot be a name"),
        [token] if token.kind == Kind::Name => {
            let is_function =
                |builtin: &word_meanings::Builtin| builtin.kind == SymbolKind::Function && builtin.name == name;
            let is_action = word_meanings::actions().any(|(action, ..)| action == name);
            if !is_action && !BUILTINS.iter().any(is_function) && !is_known(name) {
                return Ok(());
            }
            format!("`{shown}` is a name of the language; choose another one")
        }
        [] => "a name has at least one letter".to_owned(),
        _ => format!("`{shown}` is not a name: a name is a letter or `_`, then letters, digits and `_`"),
    };
    Err(Failure::refused(problem))
}

/// Checks the text that would come out: every name must stand for what it stood for, and nothing may become wrong.
fn keeps_meaning(
    document: &Document,
    symbol: &Symbol,
    edits: &[(TextRange, String)],
    name: &str,
) -> Result<(), Failure> {
    let mut text = document.text.clone();
    for (span, written) in edits.iter().rev() {
        text.replace_range(usize::from(span.start())..usize::from(span.end()), written);
    }
    let after = document.with_text(&text);
    let moved = |span: TextRange| TextRange::new(moved(edits, span.start(), false), moved(edits, span.end(), true));
    let same = meanings(&document.analysis, moved) == meanings(&after, |span| span);
    if same && errors(&after) <= errors(&document.analysis) {
        return Ok(());
    }
    Err(Failure::refused(clash(document, symbol, name)))
}

/// Where an offset is after edits. At the end of an edit it is the new end; at its beginning it stays.
fn moved(edits: &[(TextRange, String)], offset: TextSize, is_end: bool) -> TextSize {
    let done = edits.partition_point(|(span, _)| span.end() < offset || is_end && span.end() == offset);
    // All edits replace the same name by the same name.
    let Some((span, written)) = edits.first() else { return offset };
    let times = |length: TextSize| size(usize::from(length) * done);
    offset + times(TextSize::of(written.as_str())) - times(span.len())
}

/// Which places belong together, whatever their names.
fn meanings(analysis: &Analysis, place: impl Fn(TextRange) -> TextRange) -> Vec<Vec<(TextSize, TextSize, bool)>> {
    let of_symbol = |symbol: &Symbol| -> Vec<(TextSize, TextSize, bool)> {
        let entry = |span: TextRange| {
            let moved = place(span);
            (moved.start(), moved.end(), Some(span) == symbol.definition)
        };
        places(symbol).into_iter().map(entry).collect()
    };
    let mut all: Vec<_> = analysis.symbols.iter().map(of_symbol).filter(|places| !places.is_empty()).collect();
    all.sort();
    all
}

fn errors(analysis: &Analysis) -> usize {
    analysis.diagnostics.iter().filter(|found| found.severity == Severity::Error).count()
}

/// Why a name cannot be taken.
fn clash(document: &Document, symbol: &Symbol, name: &str) -> String {
    let others = document.analysis.symbols.iter().filter(|other| *other != symbol);
    for other in others.filter(|other| other.kind != SymbolKind::Property) {
        let Some(definition) = other.definition else { continue };
        let line = document.position(definition.start()).line + 1;
        let what = word_meanings::kind(other.kind);
        if other.name == name {
            return format!("`{name}` is already the name of a {what} (line {line}); choose another one");
        }
        if member(&other.name, name).is_some() {
            return format!("`{name}` would look like a member of `{}` (line {line}); choose another name", other.name);
        }
    }
    format!("with the name `{name}` the policy would mean something else; choose another one")
}
