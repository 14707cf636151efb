//! What a reader makes of a file: passages of prose, and the comments that allow a breach.

/// Stands for a piece of code, whatever is in it. It counts as one word.
pub(crate) const CODE: char = '\u{FFFC}';

/// Where a passage stands, which decides the rules that hold for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A paragraph or an item of a list.
    Prose,
    Heading,
    /// A cell of a table, which may be a phrase.
    Cell,
    /// The first sentence of a comment in code, which may be a phrase, too.
    Summary,
}

/// A stretch of prose that no sentence leaves.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Passage {
    pub(crate) kind: Kind,
    /// The line of the file on which it starts.
    pub(crate) line: usize,
    /// Its words. A line break stands where one stands in the file.
    pub(crate) text: String,
    /// The same number for all cells of a table; otherwise each passage has its own.
    pub(crate) block: usize,
}

impl Passage {
    /// A passage without space around it, if there is any word in it. The text may start above its first word.
    pub(crate) fn new(kind: Kind, line: usize, text: &str, block: usize) -> Option<Self> {
        let start = text.find(|letter: char| !letter.is_whitespace())?;
        let line = line + text[..start].matches('\n').count();
        let has_word = text.contains(|letter: char| letter.is_alphanumeric() || letter == CODE);
        has_word.then(|| Self { kind, line, text: text.trim().to_owned(), block })
    }
}

/// A comment that allows one sentence to break a rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    pub(crate) line: usize,
    /// What follows `prose:`.
    pub(crate) text: String,
    /// The block after it.
    pub(crate) block: usize,
}

/// Everything that is checked in a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) passages: Vec<Passage>,
    pub(crate) comments: Vec<Comment>,
}
