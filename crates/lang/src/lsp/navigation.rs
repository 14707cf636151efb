//! Where names are defined and used, and what they mean.

use crate::lsp::address::{path_of, uri_of};
use crate::lsp::document::Document;
use crate::lsp::included_documents::Elsewhere;
use crate::lsp::word_meanings;
use crate::sources::beside;
use crate::{Kind, Symbol, TextRange};
use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, Hover, HoverContents, Location, MarkupContent, MarkupKind, Position,
    Range, Uri,
};

/// What stands at a position: a name's meaning, or that of a word of the language.
pub(crate) fn hover(document: &Document, position: Position) -> Option<Hover> {
    let offset = document.offset(position);
    let (value, span) = match symbol_at(document, position) {
        Some((symbol, span)) if !symbol.hover.is_empty() => (symbol.hover.clone(), span),
        _ => {
            let tokens = document.analysis.parse.syntax().token_at_offset(offset);
            // Between two tokens, the one that is a word.
            let mut words = tokens.filter(|token| token.kind() == Kind::Name || token.kind().is_word());
            let word = words.next()?;
            (word_meanings::doc(word.text())?.to_owned(), word.text_range())
        }
    };
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(document.range(span)) })
}

/// Where the name at a position is defined.
pub(crate) fn definition(document: &Document, position: Position) -> Option<Location> {
    if let Some(file) = included(document, position) {
        return Some(Location { uri: file, range: Range::default() });
    }
    let (symbol, _) = symbol_at(document, position)?;
    let here = symbol.definition.map(|span| location(document, span));
    here.or_else(|| elsewhere(document, symbol).definition)
}

/// The address of the file whose name stands at a position.
fn included(document: &Document, position: Position) -> Option<Uri> {
    let offset = document.offset(position);
    let mut tokens = document.analysis.parse.syntax().token_at_offset(offset);
    let name = tokens.find(|token| token.kind() == Kind::Text)?;
    uri_of(&beside(&path_of(&document.uri), name.text().trim_matches('"')))
}

/// The places of a symbol in other files.
pub(crate) fn elsewhere(document: &Document, symbol: &Symbol) -> Elsewhere {
    let place = document.analysis.symbols.iter().position(|other| std::ptr::eq(other, symbol));
    place.and_then(|place| document.elsewhere.get(place)).cloned().unwrap_or_default()
}

/// Where the name at a position is used, and perhaps where it is defined; in order.
pub(crate) fn references(document: &Document, position: Position, with_definition: bool) -> Option<Vec<Location>> {
    let (symbol, _) = symbol_at(document, position)?;
    let wanted = |span: &TextRange| with_definition || Some(*span) != symbol.definition;
    let mut all: Vec<Location> =
        places(symbol).into_iter().filter(wanted).map(|span| location(document, span)).collect();
    let others = elsewhere(document, symbol);
    all.extend(others.definition.filter(|_| with_definition));
    all.extend(others.references);
    Some(all)
}

/// All places of the name at a position, for showing them.
pub(crate) fn highlights(document: &Document, position: Position) -> Option<Vec<DocumentHighlight>> {
    let (symbol, _) = symbol_at(document, position)?;
    let highlight = |span: TextRange| {
        let defines = Some(span) == symbol.definition;
        let kind = if defines { DocumentHighlightKind::WRITE } else { DocumentHighlightKind::READ };
        DocumentHighlight { range: document.range(span), kind: Some(kind) }
    };
    Some(places(symbol).into_iter().map(highlight).collect())
}

/// The symbol whose name stands at a position, with the place of that name. In the number of a member that is the
/// family.
pub(crate) fn symbol_at(document: &Document, position: Position) -> Option<(&Symbol, TextRange)> {
    let offset = document.offset(position);
    let analysis = &document.analysis;
    analysis.symbol_at(offset).or_else(|| {
        let mut tokens = analysis.parse.syntax().token_at_offset(offset);
        let name = tokens.find(|token| token.kind() == Kind::Name)?;
        analysis.symbol_at(name.text_range().start())
    })
}

/// All places of a name, in order, each once.
pub(crate) fn places(symbol: &Symbol) -> Vec<TextRange> {
    let mut all: Vec<TextRange> = symbol.definition.iter().chain(&symbol.references).copied().collect();
    all.sort_by_key(|span| (span.start(), span.end()));
    all.dedup();
    all
}

fn location(document: &Document, span: TextRange) -> Location {
    Location { uri: document.uri.clone(), range: document.range(span) }
}
