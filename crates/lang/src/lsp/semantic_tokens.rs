//! The meaning of every name, for its colour.

use crate::lsp::document::Document;
use crate::lsp::navigation::places;
use crate::vocabulary::EXTERN;
use crate::{Kind, SymbolKind, SyntaxToken, TextRange};
use lsp_types::{SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend};
use std::collections::BTreeMap;

/// The kinds of tokens, by their place in the legend.
const TYPES: [SemanticTokenType; 8] = [
    SemanticTokenType::COMMENT,
    SemanticTokenType::KEYWORD,
    SemanticTokenType::NUMBER,
    SemanticTokenType::TYPE,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::FUNCTION,
];
const COMMENT: u32 = 0;
const KEYWORD: u32 = 1;
const NUMBER: u32 = 2;
const TYPE: u32 = 3;
const VARIABLE: u32 = 4;
const PARAMETER: u32 = 5;
const PROPERTY: u32 = 6;
const FUNCTION: u32 = 7;

/// Modifiers, one bit each, by their place in the legend.
const MODIFIERS: [SemanticTokenModifier; 3] =
    [SemanticTokenModifier::DECLARATION, SemanticTokenModifier::READONLY, SemanticTokenModifier::DEFAULT_LIBRARY];
const DECLARATION: u32 = 1;
const READONLY: u32 = 2;
const DEFAULT_LIBRARY: u32 = 4;

/// What the numbers in the tokens mean.
pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend { token_types: TYPES.to_vec(), token_modifiers: MODIFIERS.to_vec() }
}

/// The tokens of a document, each relative to the one before.
pub(crate) fn tokens(document: &Document) -> SemanticTokens {
    let names = names(document);
    let mut data = Vec::new();
    let (mut line, mut column) = (0, 0);
    let tree = document.analysis.parse.syntax();
    for token in tree.descendants_with_tokens().filter_map(|element| element.into_token()) {
        let Some((token_type, token_modifiers_bitset)) = class(&token, &names) else { continue };
        // A token stays in its line; in a comment, `\r` may end one.
        if token.text().contains(['\r', '\n']) {
            continue;
        }
        let start = document.position(token.text_range().start());
        let delta_line = start.line.saturating_sub(line);
        let delta_start = if delta_line == 0 { start.character.saturating_sub(column) } else { start.character };
        let length = document.encoding.length(token.text());
        data.push(SemanticToken { delta_line, delta_start, length, token_type, token_modifiers_bitset });
        (line, column) = (start.line, start.character);
    }
    SemanticTokens { result_id: None, data }
}

type Class = (u32, u32);

fn class(token: &SyntaxToken, names: &BTreeMap<u32, Class>) -> Option<Class> {
    let parent = token.parent().map(|parent| parent.kind());
    Some(match token.kind() {
        Kind::Comment => (COMMENT, 0),
        Kind::Number => (NUMBER, 0),
        Kind::Name => match parent {
            Some(Kind::Drop | Kind::Mark | Kind::Notify | Kind::Modify) => (FUNCTION, DEFAULT_LIBRARY),
            Some(Kind::Literal) => (TYPE, DEFAULT_LIBRARY),
            Some(Kind::Include) => (KEYWORD, 0),
            Some(Kind::Extern) if EXTERN.contains(&token.text()) => (KEYWORD, 0),
            _ => *names.get(&token.text_range().start().into())?,
        },
        word if word.is_word() => (KEYWORD, 0),
        _ => return None,
    })
}

/// The names by where they begin.
fn names(document: &Document) -> BTreeMap<u32, Class> {
    let mut names = BTreeMap::new();
    for (symbol, elsewhere) in document.analysis.symbols.iter().zip(&document.elsewhere) {
        let (kind, modifiers) = match symbol.kind {
            SymbolKind::Constant => (VARIABLE, READONLY),
            SymbolKind::Value | SymbolKind::Queue | SymbolKind::Port | SymbolKind::Buffer => (VARIABLE, 0),
            SymbolKind::Local => (PARAMETER, 0),
            SymbolKind::Property => (PROPERTY, 0),
            SymbolKind::Comparator | SymbolKind::Condition | SymbolKind::Function => (FUNCTION, 0),
        };
        let library = if symbol.definition.is_none() && elsewhere.definition.is_none() { DEFAULT_LIBRARY } else { 0 };
        names.extend(places(symbol).into_iter().map(|span: TextRange| {
            let declared = if Some(span) == symbol.definition { DECLARATION } else { 0 };
            (u32::from(span.start()), (kind, modifiers | library | declared))
        }));
    }
    names
}
