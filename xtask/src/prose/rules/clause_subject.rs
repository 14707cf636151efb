//! A sentence names the thing that acts: its subject is no clause that begins with "what" or "who".

use super::{Rule, beginning};
use crate::prose::passage::Kind;
use crate::prose::sentence::{Sentence, Word};

pub(crate) const RULE: Rule = Rule { name: "clause-subject", kinds: &[Kind::Prose], find };

/// How a clause begins that stands where a noun should.
const BEGINNINGS: [&str; 5] = ["what", "who", "whoever", "whatever", "whichever"];

/// A label has a colon after at most so many words: "What it needs: a compiler".
const LABEL: usize = 10;

fn find(sentence: &Sentence<'_>) -> Vec<(usize, String)> {
    let words = sentence.words();
    if sentence.is_question() {
        return Vec::new();
    }
    let mut found = Vec::new();
    if let Some(first) = words.first().filter(|first| begins(first) && !is_phrase(sentence) && !is_label(&words)) {
        found.push((first.line, message("begins with a clause", &words)));
    }
    found.extend(after_semicolon(&words));
    found
}

fn message(what: &str, words: &[Word<'_>]) -> String {
    format!("{what}; name the thing that acts: {}", beginning(words))
}

fn begins(word: &Word<'_>) -> bool {
    BEGINNINGS.contains(&word.text.to_lowercase().as_str())
}

/// An item of a list that begins with a small letter is part of the sentence before the list.
fn is_phrase(sentence: &Sentence<'_>) -> bool {
    sentence.text.starts_with(char::is_lowercase)
}

fn is_label(words: &[Word<'_>]) -> bool {
    words.iter().take(LABEL).any(|word| word.after.ends_with(':'))
}

/// A clause after the only semicolon of a sentence. Where there are several, or a colon before it, they part phrases.
fn after_semicolon(words: &[Word<'_>]) -> Option<(usize, String)> {
    let mut signs = words.iter().enumerate().filter(|(_, word)| word.after.contains([';', ':']));
    let (place, sign) = signs.next()?;
    let next = words.get(place + 1).filter(|next| sign.after.ends_with(';') && begins(next))?;
    signs.next().is_none().then(|| (next.line, message("a clause stands after the semicolon", &words[place + 1..])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prose::rules::found;

    #[test]
    fn a_clause_is_no_subject() {
        for wrong in ["What waits is sent.", "Who asks, waits.", "Whoever reads\nknows."] {
            assert_eq!(found(&RULE, wrong).len(), 1, "{wrong}");
        }
        assert_eq!(found(&RULE, "It ends;\nwhat waits is sent.")[0].0, 2);
        for right in [
            "What waits?",
            "Packets wait, and what they need is there.",
            "Whole packets wait.",
            "What it needs: a compiler.",
            "what an attacker sends;",
            "Made for it: sizes; what it holds; orders.",
        ] {
            assert!(found(&RULE, right).is_empty(), "{right}");
        }
    }
}
