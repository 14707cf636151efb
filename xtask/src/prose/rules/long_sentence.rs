//! A sentence has one idea, so it is short.

use super::{Rule, beginning};
use crate::prose::passage::Kind;
use crate::prose::sentence::Sentence;

/// The style page asks for about 25; a few more are no second idea.
const MOST: usize = 30;

pub(crate) const RULE: Rule = Rule { name: "long-sentence", kinds: &[Kind::Prose, Kind::Summary], find };

fn find(sentence: &Sentence<'_>) -> Vec<(usize, String)> {
    let words = sentence.words();
    let count = words.len();
    if count <= MOST {
        return Vec::new();
    }
    vec![(sentence.line, format!("{count} words; split it (at most {MOST}): {}", beginning(&words)))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prose::rules::found;

    #[test]
    fn thirty_words_are_enough() {
        assert!(found(&RULE, &"word ".repeat(30)).is_empty());
        let long = found(&RULE, &"word ".repeat(31));
        assert!(long[0].1.starts_with("31 words; split it (at most 30): \"word word"), "{long:?}");
    }
}
