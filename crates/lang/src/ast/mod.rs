//! Typed views of the tree. A view is a node and stores nothing else. A part that is missing in a broken file is `None`.

mod expr;
mod statement;

use crate::kind::{Kind, SyntaxNode, SyntaxToken};
use rowan::{NodeOrToken, TextRange};

/// A view of a node.
pub trait AstNode: Sized {
    /// Returns the view, if the node has the view's kind.
    fn cast(node: SyntaxNode) -> Option<Self>;
    /// Returns the node.
    fn syntax(&self) -> &SyntaxNode;
    /// Returns the node's range, without white space around it.
    fn span(&self) -> TextRange {
        self.syntax().text_range()
    }
}

macro_rules! nodes {
    ($($(#[$meta:meta])* $name:ident,)*) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Clone, PartialEq, Eq, Hash)]
            pub struct $name(SyntaxNode);

            impl AstNode for $name {
                fn cast(node: SyntaxNode) -> Option<Self> {
                    (node.kind() == Kind::$name).then_some(Self(node))
                }
                fn syntax(&self) -> &SyntaxNode {
                    &self.0
                }
            }
        )*
    };
}

macro_rules! choices {
    ($($(#[$meta:meta])* $name:ident { $($(#[$of:meta])* $variant:ident($node:ident),)* })*) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Clone, PartialEq, Eq, Hash)]
            pub enum $name {
                $($(#[$of])* $variant($node),)*
            }

            impl AstNode for $name {
                fn cast(node: SyntaxNode) -> Option<Self> {
                    $(if node.kind() == Kind::$node {
                        return $node::cast(node).map(Self::$variant);
                    })*
                    None
                }
                fn syntax(&self) -> &SyntaxNode {
                    match self {
                        $(Self::$variant(node) => node.syntax(),)*
                    }
                }
            }
        )*
    };
}

nodes! {
    /// A file: statements.
    File,
    /// `include "other.oq";`
    Include,
    /// `extern action paint(colour);`
    Extern,
    /// `param B = 128 pkts;`
    Param,
    /// `target(parameters) = body;`
    Definition,
    /// `for i in 1..k { … }`
    For,
    /// The statements of a loop.
    Block,
    /// `(p1, p2)` before the `=` of a definition.
    Parameters,
    /// `let q = value in body`
    Let,
    /// `(condition, action).(condition, action)`
    Cases,
    /// A condition with its actions.
    Case,
    /// `drop(probability)`
    Drop,
    /// `mark`
    Mark,
    /// `notify`
    Notify,
    /// `modify(target := value)` or `modify(target++)`
    Modify,
    /// `enter(queue)`
    Enter,
    /// `paint(3)`: an action that is declared.
    Routine,
    /// `q1`
    NameExpr,
    /// `q1.size`
    FieldExpr,
    /// `q[i]`, `q[1..k]`
    IndexExpr,
    /// `mod(a, b)`, `q.findHigh()`
    CallExpr,
    /// The arguments `(a, b)` of a call.
    Arguments,
    /// `(a)`
    ParenExpr,
    /// `-a`, `!a`, `not a`
    UnaryExpr,
    /// `a + b`
    BinaryExpr,
    /// `128 pkts`, `.95`, `true`
    Literal,
    /// `1..k`: both ends are included.
    Range,
}

choices! {
    /// A statement.
    Statement {
        /// An `include` of another file.
        Include(Include),
        /// A declaration of an action that a program implements.
        Extern(Extern),
        /// A named constant.
        Param(Param),
        /// A definition or an assignment.
        Definition(Definition),
        /// A loop.
        For(For),
    }
    /// An expression.
    Expr {
        /// A name.
        Name(NameExpr),
        /// A property.
        Field(FieldExpr),
        /// A member of a family, or several.
        Index(IndexExpr),
        /// A call.
        Call(CallExpr),
        /// An expression in parentheses.
        Paren(ParenExpr),
        /// An operator and its operand.
        Unary(UnaryExpr),
        /// An operator between its operands.
        Binary(BinaryExpr),
        /// A number or truth value.
        Literal(Literal),
        /// A range in an index or a loop.
        Range(Range),
    }
    /// An action of a case.
    Action {
        /// Drops a packet with a probability.
        Drop(Drop),
        /// Marks the packet.
        Mark(Mark),
        /// Sets a congestion notification.
        Notify(Notify),
        /// Changes a property.
        Modify(Modify),
        /// Names the queue that a packet enters.
        Enter(Enter),
        /// An action that a program implements.
        Routine(Routine),
    }
}

/// The right side of a definition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Body {
    /// A `let`, which names a value within a body.
    Let(Let),
    /// A boundary condition.
    Cases(Cases),
    /// A comparator, a constructor, a value.
    Expr(Expr),
}

impl AstNode for Body {
    fn cast(node: SyntaxNode) -> Option<Self> {
        match node.kind() {
            Kind::Let => Let::cast(node).map(Self::Let),
            Kind::Cases => Cases::cast(node).map(Self::Cases),
            _ => Expr::cast(node).map(Self::Expr),
        }
    }
    fn syntax(&self) -> &SyntaxNode {
        match self {
            Self::Let(node) => node.syntax(),
            Self::Cases(node) => node.syntax(),
            Self::Expr(node) => node.syntax(),
        }
    }
}

fn child<N: AstNode>(node: &SyntaxNode) -> Option<N> {
    node.children().find_map(N::cast)
}

fn children<N: AstNode>(node: &SyntaxNode) -> impl Iterator<Item = N> {
    node.children().filter_map(N::cast)
}

fn tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    node.children_with_tokens().filter_map(NodeOrToken::into_token).filter(|token| !token.kind().is_trivia())
}

fn token(node: &SyntaxNode, kind: Kind) -> Option<SyntaxToken> {
    tokens(node).find(|token| token.kind() == kind)
}

/// Returns the first expression after a token of one of these kinds.
fn after(node: &SyntaxNode, kinds: &[Kind]) -> Option<Expr> {
    let mut elements =
        node.children_with_tokens().skip_while(|element| element.as_token().is_none_or(|t| !kinds.contains(&t.kind())));
    elements.find_map(|element| element.into_node().and_then(Expr::cast))
}
