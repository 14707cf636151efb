//! Errors of reading a trace.

use forebay_core::registry::UnknownName;
use std::io;

/// A trace that cannot be used. The message gives the place and the advice; the caller adds the file's name.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A line of a text format is wrong.
    #[error("{message}")]
    Line {
        /// Line number, from 1.
        line: u64,
        /// The fault, and the advice.
        message: String,
    },
    /// The file as a whole is wrong.
    #[error("{0}")]
    File(String),
}

impl TraceError {
    #[expect(clippy::needless_pass_by_value, reason = "a text or an error, of which the text is kept")]
    pub(crate) fn at(line: u64, message: impl ToString) -> Self {
        Self::Line { line, message: message.to_string() }
    }
}

/// A format that there is not.
impl From<UnknownName> for TraceError {
    fn from(error: UnknownName) -> Self {
        Self::File(error.to_string())
    }
}

impl From<csv::Error> for TraceError {
    fn from(error: csv::Error) -> Self {
        let line = error.position().map_or(1, csv::Position::line);
        match error.into_kind() {
            csv::ErrorKind::Io(error) => Self::Io(error),
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                Self::at(line, format!("{len} fields where the first line has {expected_len}"))
            }
            csv::ErrorKind::Utf8 { .. } => Self::at(line, "this is not text; is it really a CSV file?"),
            other => Self::at(line, format!("{other:?}")),
        }
    }
}
