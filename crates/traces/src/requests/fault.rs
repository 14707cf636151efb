//! The faults of one request of a trace. The reader adds the place.

/// The reasons why a line or a record is no request, or cannot follow the previous one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestFault {
    /// The key is missing.
    #[error("there is no key")]
    NoKey,
    /// The key is no text.
    #[error("the key is not UTF-8 text; is the file of another format, or damaged?")]
    KeyIsNoText,
    /// The key contains the separator of another format, whose name this is.
    #[error("a key with a {0}; is this line of another format? (if keys have them: --format-in keys:separators=keep)")]
    SeparatorInKey(&'static str),
    /// Too many lines or rows lack a value.
    #[error("{missing} of {all} lines or rows up to here lack a value; the first is {first}: {what}")]
    Incomplete {
        /// The number of lines that lack a value.
        missing: u64,
        /// The number of all lines.
        all: u64,
        /// The number of the first that lacks one, from 1.
        first: u64,
        /// The fault.
        what: String,
    },
    /// The time is no number.
    #[error("the time must be a number, zero or above{exponent}, not `{0}`", exponent = without_exponent(.0))]
    NoTime(String),
    /// The time is no date.
    #[error("the time must be like `2024-05-01T13:55:36.5Z` (ISO 8601), not `{0}`")]
    NoDate(String),
    /// The time is a number that 64 bits of nanoseconds do not hold.
    #[error("the time {0} is too large; the clock ends after 584 years")]
    TimeTooLarge(String),
    /// The request is earlier than the one before.
    #[error("it is earlier than the request before; sort the trace by time")]
    Earlier,
    /// The request is earlier than the one before by more than sorting can correct.
    #[error(
        "it is earlier than the {0} requests before it, and requests are sorted only within so many; sort the trace by time"
    )]
    TooEarly(usize),
    /// The slot is taken.
    #[error("its slot already has a request; a slot has at most one")]
    SlotTaken,
    /// A field is no whole number.
    #[error("{field} must be {wanted}, not `{found}`")]
    NoNumber {
        /// The field, as messages name it.
        field: String,
        /// The expected value.
        wanted: &'static str,
        /// The value found.
        found: String,
    },
    /// A column that the format needs is missing.
    #[error("there is no {0}")]
    NoColumn(&'static str),
    /// The line has no value in a column.
    #[error("there is no {0} in this line")]
    NoValue(&'static str),
    /// A field is missing, or it is no text and no number.
    #[error("the field of the {0} is missing here, or is neither text nor number; another one: {0}=FIELD")]
    NoField(&'static str),
    /// The line asks for more than any trace does.
    #[error("this line stands for {0} requests; are the columns right? (at most {1} are read from a line)")]
    TooMany(u64, u64),
    /// The line has too few columns.
    #[error("the line has {found} columns, but {needed} are needed ({header}, or as the options say)")]
    TooFewColumns {
        /// The number of columns found.
        found: usize,
        /// The number of columns that the format needs.
        needed: usize,
        /// The first line of the format.
        header: &'static str,
    },
    /// The line has too many columns.
    #[error("this line has more columns than the first line")]
    TooManyColumns,
    /// The line does not have the format's shape.
    #[error("a line must {wanted}, not `{found}`")]
    NotLike {
        /// The expected form of a line.
        wanted: &'static str,
        /// The text found.
        found: String,
    },
    /// The format does not have this operation.
    #[error("unknown operation `{found}`; known are {known}")]
    UnknownOperation {
        /// The operation.
        found: String,
        /// All names that the format has.
        known: String,
    },
}

/// Returns a note about exponents, if one may be the fault of a number.
fn without_exponent(text: &str) -> &'static str {
    if text.parse::<f64>().is_ok() && text.contains(['e', 'E']) { ", without an exponent" } else { "" }
}
