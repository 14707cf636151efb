//! Where a datapath differs from the reference engine.

use crate::answer::{Answer, Verdict};
use crate::operation::Operation;

/// The first difference between a datapath and the reference engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The number of the operation, from 1.
    pub operation: usize,
    /// The operation.
    pub what: String,
    /// The reference engine's answer.
    pub expected: String,
    /// The datapath's answer.
    pub found: String,
}

/// The result of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ComparisonOutcome {
    /// Packets that departed, by the reference engine's answers.
    pub departures: usize,
    /// Packets that were dropped or pushed out, by the reference engine's answers.
    pub drops: usize,
    /// Packets that departed with a mark or notification, by the reference engine's answers.
    pub marked: usize,
    /// The number of replacements of the policy, by the reference engine's answers.
    pub replacements: usize,
    /// Replacements that were rejected, since packets of the previous one drained.
    pub refused_replacements: usize,
    /// The first difference, if there is one.
    pub difference: Option<Difference>,
}

/// Compares the answers of a datapath with those of the reference engine.
#[must_use]
pub fn compare(operations: &[Operation], expected: &[Answer], found: &[Answer]) -> ComparisonOutcome {
    let mut outcome = ComparisonOutcome::default();
    let mut in_force = 0;
    for (operation, answer) in operations.iter().zip(expected) {
        match &answer.verdict {
            Verdict::Replaced => {
                if let Operation::Replace(_, policy) = operation {
                    outcome.replacements += usize::from(*policy != in_force);
                    in_force = *policy;
                }
            }
            Verdict::Draining => outcome.refused_replacements += 1,
            Verdict::Sent(packet) => {
                outcome.departures += 1;
                outcome.marked += usize::from(packet.marks != 0);
            }
            Verdict::Refused(_) => outcome.drops += 1,
            Verdict::Queued | Verdict::Cycle | Verdict::Nothing | Verdict::Set => {}
        }
        outcome.drops += answer.pushed.iter().flatten().count();
    }
    let shown = |answer: Option<&Answer>| answer.map_or("no answer".to_owned(), ToString::to_string);
    let first = (0..operations.len().max(found.len())).find(|at| !same(expected.get(*at), found.get(*at)));
    outcome.difference = first.map(|at| Difference {
        operation: at + 1,
        what: operations.get(at).map_or("after the last".to_owned(), ToString::to_string),
        expected: shown(expected.get(at)),
        found: shown(found.get(at)),
    });
    outcome
}

/// Whether two answers agree in all that the second one reports.
fn same(expected: Option<&Answer>, found: Option<&Answer>) -> bool {
    match (expected, found) {
        (Some(expected), Some(found)) => {
            expected.verdict == found.verdict && (found.pushed.is_none() || found.pushed == expected.pushed)
        }
        (None, None) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(texts: &[&str]) -> Vec<Answer> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn the_first_difference_is_found_and_what_is_not_said_is_none() {
        let operations =
            crate::read("dequeue 1 0\ndequeue 2 0\n", crate::Played { ports: 1, parameters: 0, policies: 1 }).unwrap();
        let right = answers(&["queued pushed 1:0:0", "sent 2:0:2"]);
        let outcome = compare(&operations, &right, &right);
        assert_eq!((outcome.departures, outcome.drops, outcome.marked), (1, 1, 1));
        assert_eq!(outcome.difference, None);
        let mut silent = right.clone();
        silent[0].pushed = None;
        assert_eq!(compare(&operations, &right, &silent).difference, None);
        for (wrong, number) in [
            (vec!["queued", "sent 2:0:2"], 1),
            (vec!["queued pushed 1:0:0", "sent 2:0:0"], 2),
            (vec!["queued pushed 1:0:0"], 2),
        ] {
            let difference = compare(&operations, &right, &answers(&wrong)).difference.unwrap();
            assert_eq!(difference.operation, number, "{wrong:?}");
        }
    }
}
