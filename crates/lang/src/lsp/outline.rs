//! The statements of a document, for its outline.

use crate::ast::{AstNode, Definition, Expr, File, Statement};
use crate::lsp::document::Document;
use crate::lsp::scope;
use crate::{SymbolKind, SyntaxNode, TextRange};
use lsp_types::DocumentSymbol;

/// Of a long value this much is shown.
const MAX_DETAIL: usize = 60;

/// The statements that name something; those of a loop are below it.
pub(crate) fn symbols(document: &Document) -> Vec<DocumentSymbol> {
    let file = File::cast(document.analysis.parse.syntax());
    file.map(|file| file.statements().filter_map(|statement| symbol(document, &statement)).collect())
        .unwrap_or_default()
}

fn symbol(document: &Document, statement: &Statement) -> Option<DocumentSymbol> {
    let (name, kind, detail, children) = match statement {
        Statement::Include(_) | Statement::Extern(_) => return None,
        Statement::Param(param) => {
            let value = param.value().map(|value| shortened(value.syntax()));
            (param.name()?.text_range(), lsp_types::SymbolKind::CONSTANT, value, None)
        }
        Statement::Definition(definition) => {
            let body = definition.body().map(|body| shortened(body.syntax()));
            (definition.target()?.span(), kind(definition), body, None)
        }
        Statement::For(repeated) => {
            let counter = repeated.counter()?.text_range();
            let end = repeated.range().map_or(counter, |range| range.span());
            let inner = repeated.statements().filter_map(|statement| symbol(document, &statement)).collect();
            (counter.cover(end), lsp_types::SymbolKind::NAMESPACE, None, Some(inner))
        }
    };
    let written = document.written(name);
    let name_shown = if children.is_some() { format!("for {written}") } else { written.to_owned() };
    Some(entry(document, name_shown, kind, detail, (statement.span(), name), children))
}

#[expect(deprecated, reason = "the protocol's type has a field that must be given, though it is deprecated")]
fn entry(
    document: &Document,
    name: String,
    kind: lsp_types::SymbolKind,
    detail: Option<String>,
    (all, selection): (TextRange, TextRange),
    children: Option<Vec<DocumentSymbol>>,
) -> DocumentSymbol {
    DocumentSymbol {
        name,
        detail,
        kind,
        tags: None,
        deprecated: None,
        range: document.range(all),
        selection_range: document.range(selection),
        children,
    }
}

fn kind(definition: &Definition) -> lsp_types::SymbolKind {
    if matches!(definition.target(), Some(Expr::Field(_))) {
        return lsp_types::SymbolKind::PROPERTY;
    }
    match scope::kind(definition) {
        SymbolKind::Comparator | SymbolKind::Condition => lsp_types::SymbolKind::FUNCTION,
        SymbolKind::Queue | SymbolKind::Port | SymbolKind::Buffer => lsp_types::SymbolKind::OBJECT,
        _ => lsp_types::SymbolKind::VARIABLE,
    }
}

/// A piece of text in one line.
fn shortened(node: &SyntaxNode) -> String {
    let text = node.text().to_string();
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_DETAIL) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
