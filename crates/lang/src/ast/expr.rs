//! Views of expressions.

use super::{
    Arguments, AstNode, BinaryExpr, CallExpr, Expr, FieldExpr, IndexExpr, Literal, NameExpr, ParenExpr, Range,
    UnaryExpr, after, child, children, token, tokens,
};
use crate::kind::{Kind, SyntaxToken};

impl NameExpr {
    /// The name.
    #[must_use]
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, Kind::Name)
    }
}

impl FieldExpr {
    /// The object that has the property.
    #[must_use]
    pub fn of(&self) -> Option<Expr> {
        child(&self.0)
    }

    /// The property's name.
    #[must_use]
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, Kind::Name)
    }
}

impl IndexExpr {
    /// The family.
    #[must_use]
    pub fn of(&self) -> Option<Expr> {
        child(&self.0)
    }

    /// The index of a member, or the range of several.
    #[must_use]
    pub fn index(&self) -> Option<Expr> {
        after(&self.0, &[Kind::OpenBracket])
    }
}

impl CallExpr {
    /// The called function.
    #[must_use]
    pub fn callee(&self) -> Option<Expr> {
        child(&self.0)
    }

    /// The arguments of the call.
    pub fn arguments(&self) -> impl Iterator<Item = Expr> {
        child::<Arguments>(&self.0).into_iter().flat_map(|arguments| children(&arguments.0).collect::<Vec<_>>())
    }
}

impl ParenExpr {
    /// The expression in the parentheses.
    #[must_use]
    pub fn inner(&self) -> Option<Expr> {
        child(&self.0)
    }
}

impl UnaryExpr {
    /// The operator.
    #[must_use]
    pub fn operator(&self) -> Option<SyntaxToken> {
        tokens(&self.0).next()
    }

    /// The operand.
    #[must_use]
    pub fn operand(&self) -> Option<Expr> {
        child(&self.0)
    }
}

impl BinaryExpr {
    /// The operator.
    #[must_use]
    pub fn operator(&self) -> Option<SyntaxToken> {
        tokens(&self.0).next()
    }

    /// The operand before it.
    #[must_use]
    pub fn left(&self) -> Option<Expr> {
        let operator = self.operator()?.text_range();
        child(&self.0).filter(|operand: &Expr| operand.span().end() <= operator.start())
    }

    /// The operand after it.
    #[must_use]
    pub fn right(&self) -> Option<Expr> {
        after(&self.0, &[self.operator()?.kind()])
    }
}

impl Literal {
    /// The number, `true` or `false`.
    #[must_use]
    pub fn token(&self) -> Option<SyntaxToken> {
        tokens(&self.0).next()
    }

    /// The unit after a number: a name or `%`.
    #[must_use]
    pub fn unit(&self) -> Option<SyntaxToken> {
        tokens(&self.0).nth(1)
    }
}

impl Range {
    /// The first member.
    #[must_use]
    pub fn first(&self) -> Option<Expr> {
        child(&self.0)
    }

    /// The last member; the range includes it.
    #[must_use]
    pub fn last(&self) -> Option<Expr> {
        after(&self.0, &[Kind::DotDot])
    }
}
