//! Where diagnostics go: each once, however often the place is looked at.

use crate::diagnostic::{Code, Diagnostic, MAX_DIAGNOSTICS, Severity};
use rowan::TextRange;
use std::collections::HashSet;

#[derive(Debug, Default)]
pub(super) struct Sink {
    diagnostics: Vec<Diagnostic>,
    said: HashSet<(TextRange, Code)>,
}

impl Sink {
    /// Says it, unless the same was said of this place for another object or turn of a loop.
    pub(super) fn say(&mut self, diagnostic: Diagnostic) {
        // A few more than are shown, since they are not found in order of their places.
        let enough = self.diagnostics.len() >= 10 * MAX_DIAGNOSTICS;
        if !enough && self.said.insert((diagnostic.span, diagnostic.code)) {
            self.diagnostics.push(diagnostic);
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
