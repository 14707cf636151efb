//! Warnings of cases that never act, and of cases that overlap (section III-C).

use super::conditions::Placed;
use super::scope::Checker;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Condition, Finding, findings};
use rowan::TextRange;
use std::fmt::Write as _;

/// The most cases of a condition, and the most conditions, that are examined: a loop can make many.
const MAX_CASES: usize = 100;
const MAX_CONDITIONS: usize = 500;

impl Checker<'_> {
    /// Examines a boundary condition; called once for each object that has it.
    pub(super) fn finished_condition(&mut self, name: String, cases: Vec<Placed>) -> Condition {
        let (cases, spans): (Vec<_>, Vec<TextRange>) = cases.into_iter().unzip();
        let condition = Condition { name, cases };
        let reports = &mut self.case_reports;
        let mut key = String::new();
        if condition.cases.len() <= MAX_CASES {
            for case in &condition.cases {
                // Writing to a String cannot fail.
                let _ = writeln!(key, "{}", case.when);
            }
        }
        let room = reports.known.len() < MAX_CONDITIONS;
        let find = || if key.is_empty() || !room { Vec::new() } else { findings(&condition, &|_| None) };
        let found = reports.known.get(&key).cloned().unwrap_or_else(find);
        for span in &spans {
            reports.seen.entry((span.start().into(), span.end().into())).or_default().objects += 1;
        }
        let mut last = None;
        for finding in &found {
            let (case, said) = report(finding, &spans);
            if last.replace(case) == Some(case) {
                continue;
            }
            let Some(span) = spans.get(case) else { continue };
            let seen = reports.seen.entry((span.start().into(), span.end().into())).or_default();
            seen.found += 1;
            seen.said.get_or_insert(said);
        }
        if room {
            reports.known.insert(key, found);
        }
        condition
    }

    /// Warns of cases that are wrong for every object that has them: a case may be useful for only one of them.
    pub(super) fn warn_of_cases(&mut self) {
        for seen in std::mem::take(&mut self.case_reports.seen).into_values() {
            if let Some(mut said) = seen.said.filter(|_| seen.found == seen.objects) {
                said.message = self.with_names(said.message);
                self.sink.warn(said);
            }
        }
    }
}

/// Returns the case and its diagnostic.
fn report(finding: &Finding, spans: &[TextRange]) -> (usize, Diagnostic) {
    let place = |case: usize| spans.get(case).copied().unwrap_or_default();
    match finding {
        Finding::Never { case } => {
            let said = Diagnostic::error(Code::NeverHolds, place(*case), "this case never holds");
            (*case, said.here("this is never true").help("correct the condition, or remove the case"))
        }
        Finding::Hidden { case, by } => {
            let message = "this case never acts: whenever it holds, an earlier one holds, too";
            let mut said =
                Diagnostic::error(Code::HiddenCase, place(*case), message).here("an earlier case acts first");
            for earlier in by {
                said = said.label(
                    place(*earlier),
                    if by.len() == 1 { "this holds, too" } else { "this or another one holds" },
                );
            }
            (*case, said.help("only the first case that holds acts: write the narrower condition first"))
        }
        Finding::Overlap { case, earlier, number, least, greatest } => {
            let message =
                format!("two cases hold if `{number}` is from {least} to {greatest}; only the earlier one acts");
            let said = Diagnostic::error(Code::Overlap, place(*case), message).here("the later case");
            let said = said.label(place(*earlier), "the earlier case");
            (*case, said.help("write bounds that exclude each other"))
        }
    }
}
