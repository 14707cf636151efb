//! Errors in lines of op streams.

/// A line that is not part of an op stream.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct ParseError {
    /// Line number, from 1.
    pub line: usize,
    /// The error, and what to write instead.
    pub fault: LineFault,
}

/// The error in a line of an op stream.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// The whole stream lacks its capacity or its number of ranks.
    #[error("`capacity` and `ranks` must be given and above 0")]
    NoShape,
    /// The capacity is beyond the memory of this platform.
    #[error("too large")]
    TooLarge,
    /// The line has no operation with an answer.
    #[error(
        "`{0}` is not an operation: use push, pop, pop-max, pop-eligible, next-eligible, peek or remove, with `->` and \
         the answer"
    )]
    NoOperation(String),
    /// This text should be a number.
    #[error("`{0}` is not a whole number")]
    NoNumber(String),
    /// This text is not an answer of a push.
    #[error("a push answers ok, full or range, not `{0}`")]
    NoPushAnswer(String),
    /// The answer does not fit an operation that returns an item.
    #[error("the answer must be `empty` or a rank and an item")]
    NoItem,
}
