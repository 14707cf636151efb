//! What can stand where the author is typing.

use crate::ast::{AstNode, Definition, Expr, FieldExpr, Modify};
use crate::lexer::lex;
use crate::lsp::document::size;
use crate::lsp::objects;
use crate::lsp::properties::{Object, Usage};
use crate::lsp::scope::{Declared, locals};
use crate::lsp::word_meanings::{CLASSIFY, NEXT};
use crate::{Kind, SyntaxNode, SyntaxToken, TextRange, TextSize, parse};

/// What can stand at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expected {
    /// Nothing that could be proposed: a comment, a name that the author chooses.
    Nothing,
    /// One of these words.
    Words(Vec<&'static str>),
    /// A statement.
    Statement,
    /// Another case of a condition, in parentheses.
    Case,
    /// An action of a case; whether it is one of `classify` or `next`.
    Action { classifies: bool },
    /// The unit of a number, or one of these words.
    Unit(Vec<&'static str>),
    /// A property of one of these kinds of objects.
    Property(Vec<Object>, Usage),
    /// A value.
    Value(Wanted),
}

/// Which values fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Comparators.
    Comparator,
    /// Boundary conditions.
    Condition,
    /// Whatever a definition can give, constructors first.
    Definition,
    /// A part of an expression.
    Operand,
}

/// Where the author is typing.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) expected: Expected,
    /// The beginning of the word that is being typed.
    pub(crate) typed: TextRange,
    /// The names that are known only there, the innermost first.
    pub(crate) locals: Vec<Declared>,
    /// The tree, in which a name stands at the place.
    pub(crate) root: SyntaxNode,
}

/// Stands in the tree for what will be written.
const PLACEHOLDER: &str = "written_here";

/// What can stand at `offset` of a text.
pub(crate) fn context(text: &str, offset: TextSize) -> Option<Context> {
    let offset = usize::from(offset);
    let (mut start, mut end, mut inside) = (offset, offset, false);
    let mut at = 0;
    for token in lex(text).0 {
        let after = at + token.text.len();
        if at < offset && offset <= after {
            let is_word = token.kind == Kind::Name || token.kind.is_word();
            if is_word {
                (start, end) = (at, after);
            }
            inside = match token.kind {
                // A comment goes on to the end of its line.
                Kind::Comment => true,
                Kind::Stray => offset < after,
                _ => false,
            };
        }
        at = after;
    }
    let complete = format!("{}{PLACEHOLDER}{}", text.get(..start)?, text.get(end..)?);
    let root = parse(&complete).syntax();
    let token = root.token_at_offset(size(start)).right_biased()?;
    let expected = if inside { Expected::Nothing } else { expected(&token) };
    let typed = TextRange::new(size(start), size(offset));
    Some(Context { expected, typed, locals: locals(&token), root })
}

/// The token before, and whether a line ends between.
fn before(token: &SyntaxToken) -> Option<(SyntaxToken, bool)> {
    let mut line_ends = false;
    let mut before = token.prev_token();
    while let Some(found) = before {
        if !found.kind().is_trivia() {
            return Some((found, line_ends));
        }
        line_ends |= found.text().contains('\n');
        before = found.prev_token();
    }
    None
}

fn parent(token: &SyntaxToken) -> Kind {
    token.parent().map_or(Kind::File, |parent| parent.kind())
}

fn expected(token: &SyntaxToken) -> Expected {
    let Some((before, line_ends)) = before(token) else { return Expected::Statement };
    match (before.kind(), parent(&before)) {
        (Kind::Number, _) if !line_ends => return Expected::Unit(joining(&before).unwrap_or_default()),
        (Kind::ParamWord | Kind::ForWord | Kind::LetWord, _) => return Expected::Nothing,
        (Kind::Name, Kind::For) => return Expected::Words(vec!["in"]),
        (Kind::Name, Kind::Param | Kind::Let) if !line_ends => return Expected::Nothing,
        (Kind::Comma, Kind::Case) => return Expected::Action { classifies: classifies(&before) },
        (Kind::Dot, Kind::Cases) => return Expected::Case,
        _ => {}
    }
    if parent(token) == Kind::Parameters {
        return Expected::Nothing;
    }
    let field = token.parent().and_then(FieldExpr::cast);
    if let Some(field) = field {
        let objects = field.of().as_ref().map_or_else(Vec::new, objects::of);
        return Expected::Property(objects, usage(field.syntax()));
    }
    if begins_statement(token) && (line_ends || !ends_operand(&before)) {
        return Expected::Statement;
    }
    if ends_operand(&before) && !line_ends {
        return joining(&before).map_or(Expected::Nothing, Expected::Words);
    }
    if parent(token) == Kind::NameExpr || parent(token) == Kind::Error {
        return Expected::Value(wanted(token, &before));
    }
    Expected::Nothing
}

/// Whether a token is the first of a definition, or of what could not be read as a statement.
fn begins_statement(token: &SyntaxToken) -> bool {
    let start = token.text_range().start();
    token.parent_ancestors().any(|node| {
        let outside = node.parent().is_none_or(|parent| matches!(parent.kind(), Kind::File | Kind::Block));
        matches!(node.kind(), Kind::Definition | Kind::Error) && outside && node.text_range().start() == start
    })
}

/// Whether an operand ends with a token, so that an operator may follow.
fn ends_operand(token: &SyntaxToken) -> bool {
    match token.kind() {
        Kind::Name => !matches!(parent(token), Kind::Drop | Kind::Modify | Kind::Mark | Kind::Notify),
        Kind::Number | Kind::CloseParen | Kind::CloseBracket | Kind::TrueWord | Kind::FalseWord => true,
        Kind::Percent => parent(token) == Kind::Literal,
        _ => false,
    }
}

/// Whether a token is in the definition of `classify`, or of `next` of a port.
fn classifies(token: &SyntaxToken) -> bool {
    let definition = token.parent_ancestors().find_map(Definition::cast);
    match definition.and_then(|definition| definition.target()) {
        Some(Expr::Field(field)) => field.name().is_some_and(|name| name.text() == NEXT),
        target => target.is_some_and(|target| target.syntax().text() == CLASSIFY),
    }
}

/// The words that can follow an operand.
fn joining(operand: &SyntaxToken) -> Option<Vec<&'static str>> {
    operand.parent_ancestors().find_map(|node| match node.kind() {
        Kind::ParenExpr | Kind::Case | Kind::BinaryExpr | Kind::UnaryExpr => Some(vec!["and", "or"]),
        Kind::Let => Some(vec!["in"]),
        _ => None,
    })
}

/// What is done with a property.
fn usage(field: &SyntaxNode) -> Usage {
    let span = field.text_range();
    for node in field.ancestors() {
        if let Some(definition) = Definition::cast(node.clone()) {
            let target = definition.target().is_some_and(|target| target.span().contains_range(span));
            return if target { Usage::Assign } else { Usage::Read };
        }
        if let Some(modify) = Modify::cast(node)
            && modify.target().is_some_and(|target| target.span().contains_range(span))
        {
            return Usage::Modify;
        }
    }
    Usage::Read
}

fn wanted(token: &SyntaxToken, before: &SyntaxToken) -> Wanted {
    if before.kind() != Kind::Equals || parent(before) != Kind::Definition {
        return Wanted::Operand;
    }
    let definition = token.parent_ancestors().find_map(Definition::cast);
    let target = definition.as_ref().and_then(Definition::target);
    let has_parameters = definition.as_ref().is_some_and(|definition| definition.parameters().is_some());
    match target {
        Some(Expr::Field(field)) if !has_parameters => match field.name().as_ref().map(SyntaxToken::text) {
            Some("admPrio" | "procPrio" | "schedPrio") => Wanted::Comparator,
            Some("congestion" | "postSchedAct") => Wanted::Condition,
            _ => Wanted::Operand,
        },
        _ if has_parameters => Wanted::Operand,
        _ => Wanted::Definition,
    }
}
