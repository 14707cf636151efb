//! A text read and checked: the policy, its mistakes, and what every name in it means.

use crate::diagnostic::{Diagnostic, Severity};
use crate::ir::Policy;
use crate::parser::{Parse, parse};
use crate::symbol::Symbol;
use crate::unit::Overrides;
use rowan::TextRange;

/// What is known about a text.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// Its tree.
    pub parse: Parse,
    /// Mistakes of syntax and of meaning, in order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// The policy, if there is no error.
    pub policy: Option<Policy>,
    /// Everything that has a name.
    pub symbols: Vec<Symbol>,
}

impl Analysis {
    /// The symbol whose name stands at `offset` (in bytes), with the place of that name.
    #[must_use]
    pub fn symbol_at(&self, offset: rowan::TextSize) -> Option<(&Symbol, TextRange)> {
        self.symbols.iter().find_map(|symbol| {
            let places = symbol.definition.iter().chain(&symbol.references);
            let place = places.copied().find(|place| place.contains_inclusive(offset))?;
            Some((symbol, place))
        })
    }
}

/// Reads and checks a text. `overrides` take the place of values of its params.
#[must_use]
pub fn analyse(text: &str, overrides: &Overrides) -> Analysis {
    analyse_live(text, overrides, &[])
}

/// The same; the params of these names are live: they can be changed while the policy runs.
#[must_use]
pub fn analyse_live(text: &str, overrides: &Overrides, live: &[String]) -> Analysis {
    let parse = parse(text);
    let mut diagnostics = parse.diagnostics().to_vec();
    let checked = crate::check::check(&parse, overrides, live);
    diagnostics.extend(checked.diagnostics);
    crate::diagnostic::sort_and_limit(&mut diagnostics);
    let wrong = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    let policy = checked.policy.filter(|_| !wrong);
    Analysis { parse, diagnostics, policy, symbols: checked.symbols }
}
