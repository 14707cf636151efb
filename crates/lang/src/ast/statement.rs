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
    /// The path of the file as it is written.
    #[must_use]
    pub fn path(&self) -> Option<String> {
        let text = token(&self.0, Kind::Text)?;
        Some(text.text().trim_matches('"').to_owned())
    }
}

impl Extern {
    /// The action's name: behind `extern action`.
    #[must_use]
    pub fn name(&self) -> Option<SyntaxToken> {
        tokens(&self.0).filter(|token| token.kind() == Kind::Name).nth(EXTERN.len())
    }

    /// What it takes.
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

    /// With what.
    pub fn arguments(&self) -> impl Iterator<Item = Expr> {
        child::<Arguments>(&self.0).into_iter().flat_map(|arguments| children(&arguments.0).collect::<Vec<_>>())
    }
}

impl Param {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, Kind::Name)
    }

    /// Its value, if the command line gives none.
    #[must_use]
    pub fn value(&self) -> Option<Expr> {
        child(&self.0)
    }
}

impl Definition {
    /// What gets a value: a name, perhaps with properties and indexes.
    #[must_use]
    pub fn target(&self) -> Option<Expr> {
        child(&self.0)
    }

    /// `(p1, p2)`, if it has any.
    #[must_use]
    pub fn parameters(&self) -> Option<Parameters> {
        child(&self.0)
    }

    /// What stands after the `=`.
    #[must_use]
    pub fn body(&self) -> Option<Body> {
        // The target is an expression, too.
        let target = self.target().map(|target| target.span());
        children(&self.0).find(|body: &Body| Some(body.span()) != target)
    }
}

impl For {
    /// Its counter.
    #[must_use]
    pub fn counter(&self) -> Option<SyntaxToken> {
        token(&self.0, Kind::Name)
    }

    /// Where the counter runs.
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

    /// What it stands for.
    #[must_use]
    pub fn value(&self) -> Option<Expr> {
        after(&self.0, &[Kind::Equals])
    }

    /// Where it does.
    #[must_use]
    pub fn body(&self) -> Option<Body> {
        let value = self.value().map(|value| value.span());
        children(&self.0).find(|body: &Body| Some(body.span()) != value)
    }
}

impl Cases {
    /// The cases; the first that holds counts.
    pub fn cases(&self) -> impl Iterator<Item = Case> {
        children(&self.0)
    }
}

impl Case {
    /// When it holds.
    #[must_use]
    pub fn condition(&self) -> Option<Expr> {
        child(&self.0)
    }

    /// What happens then.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        children(&self.0)
    }
}

impl Drop {
    /// With which probability.
    #[must_use]
    pub fn probability(&self) -> Option<Expr> {
        child(&self.0)
    }
}

impl Enter {
    /// Which queue.
    #[must_use]
    pub fn queue(&self) -> Option<Expr> {
        child(&self.0)
    }
}

impl Modify {
    /// What is changed.
    #[must_use]
    pub fn target(&self) -> Option<Expr> {
        child(&self.0)
    }

    /// What it becomes; `None` for `++`.
    #[must_use]
    pub fn value(&self) -> Option<Expr> {
        after(&self.0, &[Kind::Becomes])
    }

    /// Whether it is `++`.
    #[must_use]
    pub fn is_increment(&self) -> bool {
        token(&self.0, Kind::PlusPlus).is_some()
    }
}
