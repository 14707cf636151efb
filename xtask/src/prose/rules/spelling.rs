//! The pages spell as in Britain.

use super::{EVERYWHERE, Rule};
use crate::prose::sentence::Sentence;

pub(crate) const RULE: Rule = Rule { name: "spelling", kinds: EVERYWHERE, find };

/// American beginnings of words, and British ones.
const BEGINNINGS: [(&str, &str); 9] = [
    ("analyz", "analys"),
    ("behavior", "behaviour"),
    ("canceled", "cancelled"),
    ("canceling", "cancelling"),
    ("color", "colour"),
    ("favor", "favour"),
    ("labeled", "labelled"),
    ("modeled", "modelled"),
    ("neighbor", "neighbour"),
];

/// American ends of words, and British ones.
const ENDS: [(&str, &str); 6] = [
    ("ize", "ise"),
    ("izes", "ises"),
    ("ized", "ised"),
    ("izing", "ising"),
    ("ization", "isation"),
    ("izations", "isations"),
];

/// Words with such an end whose `z` is British, too.
const WITH_Z: [&str; 4] = ["siz", "priz", "seiz", "capsiz"];

fn find(sentence: &Sentence<'_>) -> Vec<(usize, String)> {
    let words = sentence.words();
    let american = words.iter().filter(|word| !word.is_quoted).filter_map(|word| {
        let british = british(word.text)?;
        Some((word.line, format!("\"{}\"; write \"{british}\"", word.text)))
    });
    american.collect()
}

/// The British form of an American word. A word with a capital may be a name.
fn british(word: &str) -> Option<String> {
    if !word.chars().all(|letter| letter.is_ascii_lowercase()) {
        return None;
    }
    let beginning = |(american, british): &(&str, &str)| Some(format!("{british}{}", word.strip_prefix(american)?));
    let end = |(american, british): &(&str, &str)| {
        let stem = word.strip_suffix(american)?;
        let has_z = WITH_Z.iter().any(|with| format!("{stem}iz").ends_with(with));
        (!has_z).then(|| format!("{stem}{british}"))
    };
    BEGINNINGS.iter().find_map(beginning).or_else(|| ENDS.iter().find_map(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prose::rules::found;

    #[test]
    fn american_words_are_found() {
        for (american, british) in [
            ("optimized", "optimised"),
            ("colors", "colours"),
            ("neighboring", "neighbouring"),
            ("modeled", "modelled"),
            ("organization", "organisation"),
        ] {
            let expected = (1, format!("\"{american}\"; write \"{british}\""));
            assert_eq!(found(&RULE, &format!("It is {american}.")), [expected]);
        }
    }

    #[test]
    fn names_and_words_that_are_spelt_with_z_are_right() {
        assert!(
            found(&RULE, "Resized, oversized sizes seize a prize of the Color Organization's sanitizers.").is_empty()
        );
    }
}
