//! Views of statements, bodies and actions.

use super::{
    Action, Arguments, AstNode, Block, Body, Case, Cases, Definition, Drop, Enter, Expr, Extern, File, For, Include,
    Let, Modify, Param, Parameters, Range, Routine, Statement, after, child, children, token, tokens,
};
use crate::kind::{Kind, SyntaxToken};
use crate::vocabulary::EXTERN;

impl File {
    /// The statements.
    pub fn statements(&self) -> impl Iterator<Item = Statement> {
        children(&self.0)
    }
}

impl Include {
    /// The path of the file, as in the text.
    #[must_use]
    pub fn path(&self) -> Option<String> {
        let text = token(&self.0, Kind::Text)?;
        Some(text.text().trim_matches('"').to_owned())
    }
}

impl Extern {
    /// The action's name, after `extern action`.
    #[must_use]
    pub fn name(&self) -> Option<SyntaxToken> {
        tokens(&self.0).filter(|token| token.kind() == Kind::Name).nth(EXTERN.len())
    }

    /// The action's parameters.
    #[must_use]
    pub fn parameters(&self) -> Option<Parameters> {
        child(&self.0)
    }
}

impl Routine {
    /// The action's name.
    #[must_use]
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, Kind::Name)
    }

    /// The arguments of the action.
    pub fn arguments(&self) -> impl Iterator<Item = Expr> {
        child::<Arguments>(&self.0).into_iter().flat_map(|arguments| children(&arguments.0).collect::<Vec<_>>())
    }
}

impl Param {
    /// The param's name.
    #[must_use]
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, Kind::Name)
    }

    /// The param's value, unless the command line overrides it.
    #[must_use]
    pub fn value(&self) -> Option<Expr> {
        child(&self.0)
    }
}

impl Definition {
    /// The target of the assignment: a name, perhaps with properties and indexes.
    #[must_use]
    pub fn target(&self) -> Option<Expr> {
        child(&self.0)
    }

    /// The parameters `(p1, p2)`, if there are any.
    #[must_use]
    pub fn parameters(&self) -> Option<Parameters> {
        child(&self.0)
    }

    /// The right side of the `=`.
    #[must_use]
    pub fn body(&self) -> Option<Body> {
        // The target is an expression, too.
        let target = self.target().map(|target| target.span());
        children(&self.0).find(|body: &Body| Some(body.span()) != target)
    }
}

impl For {
    /// The loop's counter.
    #[must_use]
    pub fn counter(&self) -> Option<SyntaxToken> {
        token(&self.0, Kind::Name)
    }

    /// The range of the counter.
    #[must_use]
    pub fn range(&self) -> Option<Range> {
        child(&self.0)
    }

    /// The repeated statements.
    pub fn statements(&self) -> impl Iterator<Item = Statement> {
        child::<Block>(&self.0).into_iter().flat_map(|block| children(&block.0).collect::<Vec<_>>())
    }
}

impl Parameters {
    /// The names.
    pub fn names(&self) -> impl Iterator<Item = SyntaxToken> {
        tokens(&self.0).filter(|token| token.kind() == Kind::Name)
    }
}

impl Let {
    /// The name.
    #[must_use]
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, Kind::Name)
    }

    /// The value of the name.
    #[must_use]
    pub fn value(&self) -> Option<Expr> {
        after(&self.0, &[Kind::Equals])
    }

    /// The body in which the name is known.
    #[must_use]
    pub fn body(&self) -> Option<Body> {
        let value = self.value().map(|value| value.span());
        children(&self.0).find(|body: &Body| Some(body.span()) != value)
    }
}

impl Cases {
    /// The cases; the first whose condition holds acts.
    pub fn cases(&self) -> impl Iterator<Item = Case> {
        children(&self.0)
    }
}

impl Case {
    /// The condition of the case.
    #[must_use]
    pub fn condition(&self) -> Option<Expr> {
        child(&self.0)
    }

    /// The actions of the case.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        children(&self.0)
    }
}

impl Drop {
    /// The probability of the drop.
    #[must_use]
    pub fn probability(&self) -> Option<Expr> {
        child(&self.0)
    }
}

impl Enter {
    /// The entered queue.
    #[must_use]
    pub fn queue(&self) -> Option<Expr> {
        child(&self.0)
    }
}

impl Modify {
    /// The changed property.
    #[must_use]
    pub fn target(&self) -> Option<Expr> {
        child(&self.0)
    }

    /// The new value; `None` for `++`.
    #[must_use]
    pub fn value(&self) -> Option<Expr> {
        after(&self.0, &[Kind::Becomes])
    }

    /// Whether the action is `++`.
    #[must_use]
    pub fn is_increment(&self) -> bool {
        token(&self.0, Kind::PlusPlus).is_some()
    }
}
