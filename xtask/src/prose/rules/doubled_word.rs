//! A word stands once.

use super::{EVERYWHERE, Rule};
use crate::prose::sentence::Sentence;

pub(crate) const RULE: Rule = Rule { name: "doubled-word", kinds: EVERYWHERE, find };

/// Words that may follow themselves: "those that that port sends", "had had".
const MAY: [&str; 2] = ["that", "had"];

fn find(sentence: &Sentence<'_>) -> Vec<(usize, String)> {
    let words = sentence.words();
    let doubled = words.windows(2).filter(|pair| {
        let word = pair[0].text.to_lowercase();
        let is_word = word.len() > 1 && word.chars().all(char::is_alphabetic) && !MAY.contains(&word.as_str());
        is_word && pair[1].is_joined && word == pair[1].text.to_lowercase()
    });
    doubled.map(|pair| (pair[1].line, format!("\"{0} {0}\"; write it once", pair[1].text))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prose::rules::found;

    #[test]
    fn a_word_that_stands_twice_is_found_with_its_line() {
        assert_eq!(found(&RULE, "It is in the\nthe cache."), [(2, "\"the the\"; write it once".to_owned())]);
        for right in
            ["It knows that that port sends.", "It waits, waits and goes.", "Add 1 1, a a and \u{FFFC} \u{FFFC}."]
        {
            assert!(found(&RULE, right).is_empty(), "{right}");
        }
    }
}
