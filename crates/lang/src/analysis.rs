//! A text that was parsed and checked: its policy, its mistakes, and the meanings of its names.

use crate::diagnostic::{Diagnostic, Severity};
use crate::ir::Policy;
use crate::parser::{Parse, parse};
use crate::symbol::Symbol;
use crate::unit::Overrides;
use rowan::TextRange;

/// The results of parsing and checking a text.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// The syntax tree.
    pub parse: Parse,
    /// Mistakes of syntax and of meaning, sorted by position.
    pub diagnostics: Vec<Diagnostic>,
    /// The policy, if there is no error.
    pub policy: Option<Policy>,
    /// All names and their meanings.
    pub symbols: Vec<Symbol>,
}

impl Analysis {
    /// Returns the symbol whose name is at `offset` (in bytes), and the range of that name.
    #[must_use]
    pub fn symbol_at(&self, offset: rowan::TextSize) -> Option<(&Symbol, TextRange)> {
        self.symbols.iter().find_map(|symbol| {
            let places = symbol.definition.iter().chain(&symbol.references);
            let place = places.copied().find(|place| place.contains_inclusive(offset))?;
            Some((symbol, place))
        })
    }
}

/// Parses and checks a text. `overrides` replace values of its params.
#[must_use]
pub fn analyse(text: &str, overrides: &Overrides) -> Analysis {
    analyse_live(text, overrides, &[])
}

/// Parses and checks a text. The params named in `live` can be changed while the policy runs.
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
