//! The names that can be used at a place. They come from the tree alone, so they are known while a text is still
//! incomplete.

use crate::ast::{AstNode, Body, Definition, Expr, File, For, Let, Statement};
use crate::{SymbolKind, SyntaxNode, SyntaxToken};
use std::collections::BTreeSet;

/// A name and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) kind: SymbolKind,
    /// The range of a family, as it is written.
    pub(crate) range: Option<String>,
}

/// The names that statements of the file define, in their order.
pub(crate) fn globals(root: &SyntaxNode) -> Vec<Declared> {
    let mut found: Vec<Declared> = Vec::new();
    let mut known = BTreeSet::new();
    for statement in root.descendants().filter_map(Statement::cast) {
        let declared = match statement {
            Statement::Param(param) => param.name().map(|name| Declared {
                name: name.text().to_owned(),
                kind: SymbolKind::Constant,
                range: None,
            }),
            Statement::Definition(definition) => declared(&definition),
            // An action stands where no value does.
            Statement::For(_) | Statement::Include(_) | Statement::Extern(_) => None,
        };
        found.extend(declared.filter(|declared| known.insert(declared.name.clone())));
    }
    found
}

/// The names that are known only around a token: parameters, counters, names given by `let`; the innermost first.
pub(crate) fn locals(token: &SyntaxToken) -> Vec<Declared> {
    let local = |name: SyntaxToken, kind| Declared { name: name.text().to_owned(), kind, range: None };
    let mut found = Vec::new();
    for node in token.parent_ancestors() {
        if let Some(definition) = Definition::cast(node.clone()) {
            if in_body(&definition, token) {
                let names = definition.parameters().into_iter().flat_map(|all| all.names().collect::<Vec<_>>());
                found.extend(names.map(|name| local(name, SymbolKind::Local)));
            }
        } else if let Some(binding) = Let::cast(node.clone()) {
            let name = binding.name().filter(|_| in_let_body(&binding, token));
            found.extend(name.map(|name| local(name, SymbolKind::Local)));
        } else if let Some(repeated) = For::cast(node) {
            let inside = repeated.range().is_some_and(|range| range.span().end() <= token.text_range().start());
            let counter = repeated.counter().filter(|_| inside);
            found.extend(counter.map(|name| local(name, SymbolKind::Constant)));
        }
    }
    found
}

/// Whether a token stands behind the parameters of a definition, where they are known.
pub(crate) fn in_body(definition: &Definition, token: &SyntaxToken) -> bool {
    definition.parameters().is_some_and(|parameters| parameters.span().end() <= token.text_range().start())
}

/// Whether a token stands behind the value of a `let`, where its name is known.
pub(crate) fn in_let_body(binding: &Let, token: &SyntaxToken) -> bool {
    binding.value().is_some_and(|value| value.span().end() <= token.text_range().start())
}

/// What a definition declares; nothing if it gives a value to a property.
fn declared(definition: &Definition) -> Option<Declared> {
    let (name, range) = match definition.target()? {
        Expr::Name(name) => (name.name()?, None),
        Expr::Index(index) => match index.of()? {
            Expr::Name(name) => (name.name()?, Some(index.index()?.syntax().text().to_string())),
            _ => return None,
        },
        _ => return None,
    };
    Some(Declared { name: name.text().to_owned(), kind: kind(definition), range })
}

/// What a definition of a name makes of it.
pub(crate) fn kind(definition: &Definition) -> SymbolKind {
    let mut body = definition.body();
    while let Some(Body::Let(binding)) = body {
        body = binding.body();
    }
    match body {
        Some(Body::Cases(_)) => SymbolKind::Condition,
        Some(Body::Expr(_)) if definition.parameters().is_some() => SymbolKind::Comparator,
        Some(Body::Expr(Expr::Call(call))) => match call.callee() {
            Some(Expr::Name(name)) => constructed(name.name().as_ref().map_or("", |name| name.text())),
            _ => SymbolKind::Value,
        },
        _ => SymbolKind::Value,
    }
}

fn constructed(constructor: &str) -> SymbolKind {
    match constructor {
        "Queue" => SymbolKind::Queue,
        "Port" => SymbolKind::Port,
        "Buffer" => SymbolKind::Buffer,
        _ => SymbolKind::Value,
    }
}

/// The whole file of a token.
pub(crate) fn file(token: &SyntaxToken) -> Option<File> {
    token.parent_ancestors().last().and_then(File::cast)
}

/// Whether `name` is this one, or a member of this family: `q3` of `q`.
pub(crate) fn is_called(declared: &Declared, name: &str) -> bool {
    name == declared.name || declared.range.is_some() && member(&declared.name, name).is_some()
}

/// The number of a member: `3` of `q3` in the family `q`.
pub(crate) fn member<'a>(family: &str, name: &'a str) -> Option<&'a str> {
    name.strip_prefix(family).filter(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}
