//! The syntax tree as the checker walks it, without white space and parentheses.
//!
//! A loop or a family makes the checker walk a part of the tree many times; this tree is faster to walk than the views of the text's tree.
//! A part that a broken file lacks is `Missing`, and is not reported again.

use super::constants::{Trouble, number};
use crate::ast::{self, AstNode};
use crate::ir::{Arith, Relation};
use crate::kind::{Kind, SyntaxToken};
use crate::number::Ratio;
use crate::unit::Unit;
use rowan::TextRange;

/// A name with its range.
#[derive(Debug, Clone)]
pub(super) struct Ident {
    pub(super) text: String,
    pub(super) span: TextRange,
}

/// An expression with its range.
#[derive(Debug)]
pub(super) struct Expr {
    pub(super) span: TextRange,
    pub(super) kind: ExprKind,
}

#[derive(Debug)]
pub(super) enum ExprKind {
    Missing,
    Number(Result<Ratio, Trouble>, Unit),
    Truth(bool),
    Name(Ident),
    Field(Box<Expr>, Ident),
    Index(Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    Range(Box<Expr>, Box<Expr>),
    Neg(Box<Expr>),
    Not(Box<Expr>),
    Arith(Arith, Box<Expr>, Box<Expr>),
    Relation(Relation, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
}

/// The right side of `=`.
#[derive(Debug)]
pub(super) enum Body {
    Missing,
    Let(Ident, Expr, Box<Body>),
    Cases(Vec<Case>),
    Expr(Expr),
}

#[derive(Debug)]
pub(super) struct Case {
    pub(super) span: TextRange,
    pub(super) when: Expr,
    pub(super) actions: Vec<Action>,
}

#[derive(Debug)]
pub(super) struct Action {
    pub(super) span: TextRange,
    pub(super) kind: ActionKind,
}

#[derive(Debug)]
pub(super) enum ActionKind {
    Drop(Expr),
    Mark,
    Notify,
    /// A change of a property; `None` stands for `++`.
    Modify(Expr, Option<Expr>),
    Enter(Expr),
    Routine(Ident, Vec<Expr>),
}

#[derive(Debug)]
pub(super) enum Statement {
    Extern { name: Ident, params: Vec<Ident>, span: TextRange },
    Param { name: Ident, value: Expr, span: TextRange },
    Definition { target: Expr, params: Option<Vec<Ident>>, body: Body, span: TextRange },
    For { counter: Ident, range: Option<(Expr, Expr)>, body: Vec<Statement>, span: TextRange },
}

impl Body {
    /// Returns the range of an expression or a list of cases.
    pub(super) fn span(&self) -> Option<TextRange> {
        match self {
            Self::Missing => None,
            Self::Let(name, _, body) => Some(body.span().map_or(name.span, |span| name.span.cover(span))),
            Self::Cases(cases) => {
                cases.first().zip(cases.last()).map(|(first, last)| TextRange::new(first.span.start(), last.span.end()))
            }
            Self::Expr(expr) => Some(expr.span),
        }
    }
}

/// Converts the statements of a file.
pub(super) fn statements(statements: impl Iterator<Item = ast::Statement>) -> Vec<Statement> {
    statements.filter_map(statement).collect()
}

fn ident(token: &SyntaxToken) -> Ident {
    Ident { text: token.text().to_owned(), span: token.text_range() }
}

fn statement(statement: ast::Statement) -> Option<Statement> {
    let span = statement.span();
    Some(match statement {
        // What it stands for is there already, or that it is not is said.
        ast::Statement::Include(_) => return None,
        ast::Statement::Extern(declared) => Statement::Extern {
            name: ident(&declared.name()?),
            params: declared.parameters()?.names().map(|name| ident(&name)).collect(),
            span,
        },
        ast::Statement::Param(param) => {
            Statement::Param { name: ident(&param.name()?), value: optional(param.value(), span), span }
        }
        ast::Statement::Definition(definition) => Statement::Definition {
            target: expr(definition.target()?),
            params: definition.parameters().map(|all| all.names().map(|name| ident(&name)).collect()),
            body: definition.body().map_or(Body::Missing, body),
            span,
        },
        ast::Statement::For(repeated) => {
            let ends = |range: ast::Range| (optional(range.first(), span), optional(range.last(), span));
            Statement::For {
                counter: ident(&repeated.counter()?),
                range: repeated.range().map(ends),
                body: statements(repeated.statements()),
                span,
            }
        }
    })
}

fn body(body: ast::Body) -> Body {
    let span = body.span();
    match body {
        ast::Body::Let(bound) => {
            let inner = bound.body().map_or(Body::Missing, self::body);
            match bound.name() {
                Some(name) => Body::Let(ident(&name), optional(bound.value(), span), Box::new(inner)),
                None => Body::Missing,
            }
        }
        ast::Body::Cases(cases) => Body::Cases(cases.cases().map(|case| self::case(&case)).collect()),
        ast::Body::Expr(value) => match expr(value) {
            Expr { kind: ExprKind::Missing, .. } => Body::Missing,
            value => Body::Expr(value),
        },
    }
}

fn case(case: &ast::Case) -> Case {
    let span = case.span();
    Case { span, when: optional(case.condition(), span), actions: case.actions().map(action).collect() }
}

fn action(action: ast::Action) -> Action {
    let span = action.span();
    let nameless = || Ident { text: String::new(), span };
    let kind = match action {
        ast::Action::Routine(routine) => ActionKind::Routine(
            routine.name().map_or_else(nameless, |name| ident(&name)),
            routine.arguments().map(expr).collect(),
        ),
        ast::Action::Drop(drop) => ActionKind::Drop(optional(drop.probability(), span)),
        ast::Action::Mark(_) => ActionKind::Mark,
        ast::Action::Notify(_) => ActionKind::Notify,
        ast::Action::Modify(modify) => {
            let value = (!modify.is_increment()).then(|| optional(modify.value(), span));
            ActionKind::Modify(optional(modify.target(), span), value)
        }
        ast::Action::Enter(enter) => ActionKind::Enter(optional(enter.queue(), span)),
    };
    Action { span, kind }
}

fn optional(value: Option<ast::Expr>, around: TextRange) -> Expr {
    value.map_or(Expr { span: around, kind: ExprKind::Missing }, expr)
}

fn expr(from: ast::Expr) -> Expr {
    let span = from.span();
    let boxed = |inner: Option<ast::Expr>| Box::new(optional(inner, span));
    let kind = match from {
        ast::Expr::Name(name) => name.name().map_or(ExprKind::Missing, |name| ExprKind::Name(ident(&name))),
        ast::Expr::Field(field) => match field.name() {
            Some(name) => ExprKind::Field(boxed(field.of()), ident(&name)),
            None => ExprKind::Missing,
        },
        ast::Expr::Index(index) => ExprKind::Index(boxed(index.of()), boxed(index.index())),
        ast::Expr::Call(call) => ExprKind::Call(boxed(call.callee()), call.arguments().map(expr).collect()),
        ast::Expr::Paren(paren) => return optional(paren.inner(), span),
        ast::Expr::Unary(unary) => match unary.operator().map(|operator| operator.kind()) {
            Some(Kind::Minus) => ExprKind::Neg(boxed(unary.operand())),
            Some(_) => ExprKind::Not(boxed(unary.operand())),
            None => ExprKind::Missing,
        },
        ast::Expr::Binary(binary) => match binary.operator().and_then(|operator| operation(operator.kind())) {
            Some(make) => make(boxed(binary.left()), boxed(binary.right())),
            None => ExprKind::Missing,
        },
        ast::Expr::Literal(literal) => match literal.token() {
            Some(token) if token.kind() == Kind::Number => {
                let unit = literal.unit();
                let (number, unit) = number(token.text(), unit.as_ref().map(SyntaxToken::text));
                ExprKind::Number(number, unit)
            }
            Some(token) => ExprKind::Truth(token.kind() == Kind::TrueWord),
            None => ExprKind::Missing,
        },
        ast::Expr::Range(range) => ExprKind::Range(boxed(range.first()), boxed(range.last())),
    };
    Expr { span, kind }
}

type Operation = fn(Box<Expr>, Box<Expr>) -> ExprKind;

fn operation(kind: Kind) -> Option<Operation> {
    Some(match kind {
        Kind::OrOr | Kind::OrWord => ExprKind::Or,
        Kind::AndAnd | Kind::AndWord => ExprKind::And,
        Kind::Less => |a, b| ExprKind::Relation(Relation::Less, a, b),
        Kind::LessEqual => |a, b| ExprKind::Relation(Relation::LessEqual, a, b),
        Kind::Greater => |a, b| ExprKind::Relation(Relation::Greater, a, b),
        Kind::GreaterEqual => |a, b| ExprKind::Relation(Relation::GreaterEqual, a, b),
        Kind::EqualEqual => |a, b| ExprKind::Relation(Relation::Equal, a, b),
        Kind::NotEqual => |a, b| ExprKind::Relation(Relation::NotEqual, a, b),
        Kind::Plus => |a, b| ExprKind::Arith(Arith::Add, a, b),
        Kind::Minus => |a, b| ExprKind::Arith(Arith::Sub, a, b),
        Kind::Star => |a, b| ExprKind::Arith(Arith::Mul, a, b),
        Kind::Slash => |a, b| ExprKind::Arith(Arith::Div, a, b),
        _ => return None,
    })
}
