//! Collects diagnostics: each once, even if its range is checked several times.

use crate::diagnostic::{Code, Diagnostic, MAX_DIAGNOSTICS, Severity};
use rowan::TextRange;
use std::collections::HashSet;

#[derive(Debug, Default)]
pub(super) struct Sink {
    diagnostics: Vec<Diagnostic>,
    said: HashSet<(TextRange, Code)>,
    /// Whether a part was too large; then so is all that contains it.
    overflowed: bool,
}

impl Sink {
    /// Adds a diagnostic, unless it was added for the same range already, for another object or turn of a loop.
    pub(super) fn say(&mut self, diagnostic: Diagnostic) {
        if !self.is_full() && self.said.insert((diagnostic.span, diagnostic.code)) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether the same diagnostic was added, so that a search for similar names is not needed.
    pub(super) fn knows(&self, span: TextRange, code: Code) -> bool {
        self.is_full() || self.said.contains(&(span, code))
    }

    /// Whether there are more diagnostics than are shown. A few more are kept, since they are not found in order.
    fn is_full(&self) -> bool {
        self.diagnostics.len() >= 3 * MAX_DIAGNOSTICS
    }

    /// Reports, once, that the expanded names, loops and families are too large.
    pub(super) fn overflow(&mut self, diagnostic: Diagnostic) {
        if !std::mem::replace(&mut self.overflowed, true) {
            self.say(diagnostic);
        }
    }

    pub(super) fn warn(&mut self, diagnostic: Diagnostic) {
        self.say(Diagnostic { severity: Severity::Warning, ..diagnostic });
    }

    pub(super) fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }
}
