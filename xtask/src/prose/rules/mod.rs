//! The rules, one file each. A rule looks at one sentence.

mod clause_subject;
mod doubled_word;
mod long_sentence;
mod private_word;
mod spelling;
mod words;

use super::passage::{CODE, Kind};
use super::sentence::{Sentence, Word};

/// Wherever words stand.
const EVERYWHERE: &[Kind] = &[Kind::Prose, Kind::Heading, Kind::Cell, Kind::Summary];

/// A rule of `docs/writing.md`.
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    /// The passages that it holds for.
    pub(crate) kinds: &'static [Kind],
    /// Breaches in a sentence, each with its line.
    pub(crate) find: fn(&Sentence<'_>) -> Vec<(usize, String)>,
}

pub(crate) const ALL: [Rule; 5] =
    [long_sentence::RULE, clause_subject::RULE, private_word::RULE, doubled_word::RULE, spelling::RULE];

/// How a sentence begins, so that a reader finds it.
fn beginning(words: &[Word<'_>]) -> String {
    let words: Vec<String> = words.iter().take(6).map(|word| word.text.replace(CODE, "`...`")).collect();
    format!("\"{} ...\"", words.join(" "))
}

/// The line and the message of each breach that a rule finds in a paragraph.
#[cfg(test)]
pub(crate) fn found(rule: &Rule, text: &str) -> Vec<(usize, String)> {
    (rule.find)(&Sentence { kind: Kind::Prose, line: 1, text })
}
