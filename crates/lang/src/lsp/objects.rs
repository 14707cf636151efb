//! What kind of object an expression stands for, as far as the tree tells. While a policy is typed this is a guess
//! in favour of the author: several kinds if several are possible.

use crate::ast::{AstNode, Body, Definition, Expr, FieldExpr, For, Let};
use crate::lsp::properties::Object;
use crate::lsp::scope::{file, globals, in_body, in_let_body, is_called};
use crate::lsp::word_meanings::{CLASSIFY, POLICY_ID};
use crate::{SymbolKind, SyntaxToken};
use Object::{Buffer, Packet, Port, Queue};

/// So many uses of a definition say what its parameters are.
const MAX_USES: usize = 32;

/// The kinds of objects that an expression may stand for; empty for a number.
pub(crate) fn of(expr: &Expr) -> Vec<Object> {
    match expr {
        Expr::Name(name) => name.name().map_or_else(Vec::new, |name| of_name(&name)),
        Expr::Paren(paren) => paren.inner().as_ref().map_or_else(Vec::new, of),
        Expr::Index(index) => index.of().as_ref().map_or_else(Vec::new, of),
        Expr::Call(call) => match call.callee() {
            Some(Expr::Field(field)) => of_field(&field),
            _ => Vec::new(),
        },
        Expr::Field(field) => of_field(field),
        _ => Vec::new(),
    }
}

fn of_field(field: &FieldExpr) -> Vec<Object> {
    match field.name().as_ref().map(SyntaxToken::text) {
        Some("findHigh") => vec![Packet],
        Some("currQueue" | "getCurrQueue") => vec![Queue],
        _ => Vec::new(),
    }
}

fn of_name(token: &SyntaxToken) -> Vec<Object> {
    let name = token.text();
    for node in token.parent_ancestors() {
        if let Some(binding) = Let::cast(node.clone()) {
            let known = binding.name().is_some_and(|bound| bound.text() == name);
            if known && in_let_body(&binding, token) {
                return binding.value().as_ref().map_or_else(Vec::new, of);
            }
        } else if let Some(definition) = Definition::cast(node.clone()) {
            let known = definition.parameters().is_some_and(|all| all.names().any(|known| known.text() == name));
            if known && in_body(&definition, token) {
                return of_parameter(&definition, token);
            }
        } else if let Some(repeated) = For::cast(node)
            && repeated.counter().is_some_and(|counter| counter.text() == name)
        {
            return Vec::new();
        }
    }
    let root = file(token).map(|file| globals(file.syntax())).unwrap_or_default();
    match root.iter().find(|declared| is_called(declared, name)).map(|declared| declared.kind) {
        Some(SymbolKind::Queue) => vec![Queue],
        Some(SymbolKind::Port) => vec![Port],
        Some(SymbolKind::Buffer) => vec![Buffer],
        Some(_) => Vec::new(),
        None if name == "arriving" => vec![Packet],
        None if name == "now" => Vec::new(),
        // Not defined yet.
        None => Object::ALL.to_vec(),
    }
}

/// The kinds of a parameter: from where the definition is used, or from its form; then those are left that have all
/// properties that the body reads. Several parameters, those of a comparator, are of one kind. `typed` is the name
/// at which the author is typing.
fn of_parameter(definition: &Definition, typed: &SyntaxToken) -> Vec<Object> {
    let parameters: Vec<SyntaxToken> =
        definition.parameters().into_iter().flat_map(|all| all.names().collect::<Vec<_>>()).collect();
    let mut kinds = from_use(definition, typed);
    if kinds.is_empty() {
        kinds = match definition.body() {
            _ if parameters.len() > 1 => vec![Packet, Queue],
            Some(Body::Cases(_) | Body::Let(_)) => vec![Queue, Port, Buffer],
            _ => Object::ALL.to_vec(),
        };
    }
    let mut properties = Vec::new();
    for field in definition.syntax().descendants().filter_map(FieldExpr::cast) {
        if let Some(Expr::Name(of)) = field.of()
            && let Some(of) = of.name()
            && parameters.iter().any(|parameter| parameter.text() == of.text())
            && of != *typed
        {
            properties.extend(field.name().map(|name| name.text().to_owned()));
        }
    }
    let fitting: Vec<Object> =
        kinds.iter().copied().filter(|kind| properties.iter().all(|name| kind.has(name))).collect();
    if fitting.is_empty() { kinds } else { fitting }
}

/// The kinds of parameters, from the property that a definition is assigned to.
fn from_use(definition: &Definition, typed: &SyntaxToken) -> Vec<Object> {
    let name = match definition.target() {
        Some(Expr::Field(field)) => return from_property(&field),
        Some(Expr::Name(name)) => name.name(),
        _ => None,
    };
    let Some(name) = name else { return Vec::new() };
    // The paper names some after the property that they are for.
    let mut kinds = arguments(name.text(), &[Queue, Buffer]);
    if name.text() == CLASSIFY || name.text() == POLICY_ID {
        kinds = vec![Packet];
    }
    let definitions = file(typed)
        .into_iter()
        .flat_map(|file| file.syntax().descendants().filter_map(Definition::cast).collect::<Vec<_>>());
    let users = definitions.filter_map(|user| match user.target()? {
        Expr::Field(field) => given(&user).filter(|given| given.text() == name.text()).map(|_| field),
        _ => None,
    });
    for field in users.take(MAX_USES) {
        kinds.extend(from_property(&field));
    }
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// The name of the comparator or condition that a definition gives.
fn given(definition: &Definition) -> Option<SyntaxToken> {
    match definition.body()? {
        Body::Expr(Expr::Name(name)) => name.name(),
        Body::Expr(Expr::Call(call)) => match call.callee()? {
            Expr::Name(name) => name.name(),
            _ => None,
        },
        _ => None,
    }
}

fn from_property(field: &FieldExpr) -> Vec<Object> {
    let owners = field.of().as_ref().map_or_else(Vec::new, of);
    field.name().map_or_else(Vec::new, |name| arguments(name.text(), &owners))
}

/// The objects of a comparator or condition that is assigned to a property of `owners`.
fn arguments(property: &str, owners: &[Object]) -> Vec<Object> {
    match property {
        "procPrio" | "next" => vec![Packet],
        "schedPrio" | "eligible" => vec![Queue],
        "postSchedAct" => vec![Port],
        "admPrio" => owners
            .iter()
            .filter_map(|owner| match owner {
                Queue => Some(Packet),
                Buffer => Some(Queue),
                _ => None,
            })
            .collect(),
        "congestion" => owners.iter().copied().filter(|owner| matches!(owner, Queue | Buffer)).collect(),
        _ => Vec::new(),
    }
}
