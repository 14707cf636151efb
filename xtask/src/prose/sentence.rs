//! Where sentences end, and the words in them.

use super::passage::{CODE, Kind, Passage};

/// A sentence of a passage.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sentence<'text> {
    pub(crate) kind: Kind,
    pub(crate) line: usize,
    pub(crate) text: &'text str,
}

/// A word of a sentence.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Word<'text> {
    pub(crate) line: usize,
    /// Without punctuation around it.
    pub(crate) text: &'text str,
    /// Whether nothing but space stands between it and the word before.
    pub(crate) is_joined: bool,
    /// Whether it stands between double quotes.
    pub(crate) is_quoted: bool,
    /// The punctuation right after it.
    pub(crate) after: &'text str,
}

impl<'text> Sentence<'text> {
    pub(crate) fn words(&self) -> Vec<Word<'text>> {
        let mut words = Vec::new();
        let mut is_joined = false;
        let mut is_quoted = false;
        for (text, line) in self.text.split('\n').zip(self.line..) {
            for token in text.split_whitespace() {
                let word = token.trim_matches(is_around);
                is_quoted ^= token.trim_end_matches(is_around).matches('"').count() % 2 == 1;
                if word.is_empty() {
                    is_joined = false;
                    is_quoted ^= token.matches('"').count() % 2 == 1;
                    continue;
                }
                let after = &token[token.trim_end_matches(is_around).len()..];
                words.push(Word {
                    line,
                    text: word,
                    is_joined: is_joined && token.starts_with(word),
                    is_quoted,
                    after,
                });
                is_quoted ^= after.matches('"').count() % 2 == 1;
                is_joined = after.is_empty();
            }
        }
        words
    }

    pub(crate) fn is_question(&self) -> bool {
        self.text.trim_end_matches(is_closing).ends_with('?')
    }
}

fn is_around(letter: char) -> bool {
    !letter.is_alphanumeric() && letter != CODE
}

/// What may follow the full stop of a sentence.
fn is_closing(letter: char) -> bool {
    matches!(letter, ')' | ']' | '"' | '\'' | '”' | '’' | '*' | '_')
}

/// The sentences of a passage.
pub(crate) fn split(passage: &Passage) -> Vec<Sentence<'_>> {
    let text = passage.text.as_str();
    let mut sentences = Vec::new();
    let mut start = 0;
    for (end, next) in gaps(text) {
        let token = text[start..end].rsplit(char::is_whitespace).next().unwrap_or_default();
        if is_end(token, &text[next..]) {
            push(&mut sentences, passage, start, end);
            start = next;
        }
    }
    push(&mut sentences, passage, start, text.len());
    sentences
}

fn push<'text>(sentences: &mut Vec<Sentence<'text>>, passage: &'text Passage, start: usize, end: usize) {
    let whole = &passage.text[start..end];
    let text = whole.trim();
    if !text.is_empty() {
        let start = start + (whole.len() - whole.trim_start().len());
        let line = passage.line + passage.text[..start].matches('\n').count();
        sentences.push(Sentence { kind: passage.kind, line, text });
    }
}

/// Stretches of space: where each starts, and where the next word starts.
fn gaps(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let end = at + text[at..].find(char::is_whitespace)?;
        at = end + text[end..].find(|letter: char| !letter.is_whitespace())?;
        Some((end, at))
    })
}

/// Words that carry a full stop inside of a sentence, whatever follows.
const NEVER: [&str; 12] = ["e.g", "i.e", "cf", "vs", "al", "viz", "resp", "approx", "incl", "ca", "dr", "prof"];

/// Words that carry one before a number.
const BEFORE_NUMBER: [&str; 19] = [
    "fig", "figs", "eq", "eqs", "sec", "secs", "no", "nos", "p", "pp", "vol", "ch", "tab", "alg", "thm", "def", "app",
    "ref", "line",
];

/// Words that carry one unless a new sentence starts after them.
const BEFORE_SMALL: [&str; 3] = ["etc", "inc", "max"];

/// Whether a sentence ends with this token, before the rest.
fn is_end(token: &str, rest: &str) -> bool {
    let bare = token.trim_end_matches(is_closing);
    if bare.ends_with(['!', '?']) {
        return true;
    }
    let Some(word) = bare.strip_suffix('.') else { return false };
    let next = rest.chars().find(|letter| !is_around(*letter));
    let is_small = next.is_some_and(char::is_lowercase);
    if word.ends_with("..") {
        return !is_small;
    }
    let word = word.trim_start_matches(is_around).to_lowercase();
    let is_inside = NEVER.contains(&word.as_str())
        || BEFORE_NUMBER.contains(&word.as_str()) && next.is_some_and(char::is_numeric)
        || BEFORE_SMALL.contains(&word.as_str()) && is_small;
    !is_inside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(text: &str) -> Vec<(usize, String)> {
        let passage = Passage { kind: Kind::Prose, line: 7, text: text.to_owned(), block: 0 };
        split(&passage).into_iter().map(|sentence| (sentence.line, sentence.text.to_owned())).collect()
    }

    fn counts(text: &str) -> Vec<usize> {
        let passage = Passage { kind: Kind::Prose, line: 1, text: text.to_owned(), block: 0 };
        split(&passage).iter().map(|sentence| sentence.words().len()).collect()
    }

    #[test]
    fn a_sentence_ends_at_its_full_stop_and_knows_its_line() {
        let found = sentences("It runs.\nforebay stops (at 5!) Why? \"Now.\" It\nends.");
        let expected = [(7, "It runs."), (8, "forebay stops (at 5!)"), (8, "Why?"), (8, "\"Now.\""), (8, "It\nends.")];
        assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn abbreviations_numbers_and_names_of_files_end_no_sentence() {
        for whole in [
            "Queues, e.g. PIFO, i.e. exact ones, etc. are here",
            "See Fig. 3 and p. 3 of Atre et al. (NSDI) vs. No. 4",
            "It takes 3.5 ms with version 1.2.3 of lib.rs, cf. docs/x.md",
            "Formats (pcap, keys, ... and more) are read",
        ] {
            assert_eq!(sentences(whole).len(), 1, "{whole}");
        }
        for (two, count) in [("Files, keys, etc. Then more", 2), ("The answer is no. Next", 2), ("See x.md. Then", 2)] {
            assert_eq!(sentences(two).len(), count, "{two}");
        }
    }

    #[test]
    fn code_and_numbers_are_words_and_signs_are_none() {
        assert_eq!(counts("\u{FFFC} is \u{FFFC}/\u{FFFC}, 3.5 ms - or x = 5."), [8]);
    }

    #[test]
    fn punctuation_parts_words() {
        let sentence = Sentence { kind: Kind::Prose, line: 1, text: "one two, (three) four" };
        let joined: Vec<bool> = sentence.words().iter().map(|word| word.is_joined).collect();
        assert_eq!(joined, [false, true, false, false]);
    }

    #[test]
    fn words_between_quotes_are_known() {
        let sentence =
            Sentence { kind: Kind::Prose, line: 1, text: "one \"two three\", four (\"five\") \" six \" seven" };
        let quoted: Vec<&str> = sentence.words().iter().filter(|word| word.is_quoted).map(|word| word.text).collect();
        assert_eq!(quoted, ["two", "three", "five", "six"]);
    }
}
