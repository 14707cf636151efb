//! The field has a word for it: phrases of `words.rs` and what to write in their place.

use super::words::ENTRIES;
use super::{EVERYWHERE, Rule};
use crate::prose::sentence::{Sentence, Word};

pub(crate) const RULE: Rule = Rule { name: "private-word", kinds: EVERYWHERE, find };

fn find(sentence: &Sentence<'_>) -> Vec<(usize, String)> {
    let words = sentence.words();
    let lower: Vec<String> = words.iter().map(|word| word.text.to_lowercase()).collect();
    let length_at = |pattern: &str, at: usize| length(pattern, &words[at..], &lower[at..]);
    let mut found = Vec::new();
    for entry in ENTRIES {
        for start in 0..words.len() {
            let Some(length) = length_at(entry.pattern, start) else { continue };
            let end = start + length;
            let is_right = |phrase: &&str| {
                let covers = |from| length_at(phrase, from).is_some_and(|longer| from + longer >= end);
                (0..=start).any(covers)
            };
            if !words[start].is_quoted && !entry.except.iter().any(is_right) {
                let text: Vec<&str> = words[start..end].iter().map(|word| word.text).collect();
                found.push((words[start].line, format!("\"{}\"; write {}", text.join(" "), entry.instead)));
            }
        }
    }
    found
}

/// How many words a pattern takes at the beginning of these.
fn length(pattern: &str, words: &[Word<'_>], lower: &[String]) -> Option<usize> {
    let parts = pattern.split(' ');
    let count = parts.clone().count();
    let mut pairs = parts.zip(words.iter().zip(lower)).enumerate();
    let is_there = words.len() >= count
        && pairs.all(|(place, (part, (word, lower)))| {
            (place == 0 || word.is_joined) && part.split('|').any(|choice| choice == lower)
        });
    is_there.then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prose::rules::found;

    #[test]
    fn a_private_word_is_found_with_its_line_and_the_word_for_it() {
        let told = found(&RULE, "The cache\nis told of it.");
        assert_eq!(told.len(), 1);
        assert!(told[0].0 == 2 && told[0].1.starts_with("\"is told\"; write "), "{told:?}");
    }

    #[test]
    fn phrases_are_found_in_any_form_and_not_across_punctuation() {
        for wrong in [
            "Packets come\nin bursts.",
            "A packet that came late is dropped.",
            "The rest is of no use.",
            "The policy refuses it.",
            "All that one can do is wait.",
            "It is gone.",
            "Whoever asks waits.",
        ] {
            assert_eq!(found(&RULE, wrong).len(), 1, "{wrong}");
        }
        for right in [
            "It sends packets. Come back.",
            "Packets come from a source.",
            "Of two packets, the packet that comes first is sent.",
            "Directions are told apart.",
            "The policy that another one can replace is built.",
            "The connection refused, it ends.",
            "The text says \"is told\".",
        ] {
            assert_eq!(found(&RULE, right), [], "{right}");
        }
    }
}
