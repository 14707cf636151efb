//! Errors as the user sees them: one line with the place, the fault, and the advice.
//!
//! ```
//! use forebay::demo::Embedded;
//! use forebay::error::{Kind, Place};
//! use forebay::{Changes, Question};
//!
//! let scenario = "[port]\nrate = 3\n[traffic]\ntrace = \"mixed.pcap\"\n[[policy]]\nrank = \"arrival\"\nqueue = \"fifo\"\n";
//! let error = Question::parse("port.toml", scenario, &Embedded, &Changes::default()).unwrap_err();
//! assert_eq!(error.kind(), Kind::Content);
//! assert_eq!(error.place(), Some(&Place::Line { file: "port.toml".to_owned(), line: 2 }));
//! assert_eq!(error.field(), Some("rate"));
//! println!("error: {error}");
//! ```

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};
use std::path::Path;

/// Wrong use or bad input: the kind of error, its place, the fault, and the advice.
///
/// The error's text is `PLACE: WHAT; WHAT TO DO`, as the command shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserError {
    kind: Kind,
    place: Option<Place>,
    field: Option<String>,
    message: String,
}

/// The kind of error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// An argument of the call, which the command has as an option.
    Argument,
    /// The contents of a file are wrong, or a value given with `--set`.
    Content,
    /// The operating system does not read or write a file.
    File(io::ErrorKind),
    /// All else: values that do not go together, or what cannot be done here.
    Other,
}

/// The place of an error.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// A line of a file.
    Line {
        /// The name of the file.
        file: String,
        /// The line, from 1.
        line: u64,
    },
    /// A file as a whole; or a recipe, a folder, a device.
    Named(String),
    /// A replaced value of a scenario, `KEY=VALUE`.
    Setting(String),
    /// An argument by its name, such as `latency`.
    Argument(String),
}

impl fmt::Display for Place {
    /// Writes the place as the command names it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { file, line } => write!(f, "{file}:{line}"),
            Self::Named(name) => f.write_str(name),
            Self::Setting(setting) => write!(f, "--set {setting}"),
            Self::Argument(name) => write!(f, "--{name}"),
        }
    }
}

/// A result whose error is shown to the user.
pub type Result<T> = std::result::Result<T, UserError>;

impl UserError {
    /// Creates an error that has no place.
    pub fn new(message: impl Into<String>) -> Self {
        Self { kind: Kind::Other, place: None, field: None, message: message.into() }
    }

    /// Creates an error in a file as a whole, or in a recipe, a folder or a device.
    pub fn at(name: impl fmt::Display, message: impl Into<String>) -> Self {
        Self::at_place(Place::Named(name.to_string()), message)
    }

    /// Creates an error at a line of a file, from 1.
    pub fn at_line(file: impl Into<String>, line: u64, message: impl Into<String>) -> Self {
        Self::at_place(Place::Line { file: file.into(), line }, message)
    }

    /// Creates an error in an argument, by its name without dashes.
    pub fn argument(name: impl Into<String>, message: impl Into<String>) -> Self {
        Self::at_place(Place::Argument(name.into()), message)
    }

    /// Creates an error at a place.
    pub fn at_place(place: Place, message: impl Into<String>) -> Self {
        let kind = if matches!(place, Place::Argument(_)) { Kind::Argument } else { Kind::Content };
        Self { kind, place: Some(place), ..Self::new(message) }
    }

    /// Returns the error with this field of a scenario as its field.
    #[must_use]
    pub fn in_field(self, field: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..self }
    }

    /// Returns the kind of error.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the place of the error, if it is known.
    pub fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// Returns the file that has the error.
    pub fn file(&self) -> Option<&str> {
        match self.place.as_ref()? {
            Place::Line { file: name, .. } | Place::Named(name) => Some(name),
            Place::Setting(_) | Place::Argument(_) => None,
        }
    }

    /// Returns the line of the file, from 1.
    pub fn line(&self) -> Option<u64> {
        match self.place.as_ref()? {
            Place::Line { line, .. } => Some(*line),
            _ => None,
        }
    }

    /// Returns the field of a scenario whose value is wrong, or that is unknown or missing.
    pub fn field(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// Returns the message without its place: the fault, and the advice.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the advice of the message: the text after its last semicolon.
    pub fn advice(&self) -> Option<&str> {
        self.message.rsplit_once("; ").map(|(_, advice)| advice)
    }

    /// Joins several errors, each with its place, one on each line.
    pub fn all(errors: &[String]) -> Self {
        Self::new(errors.join("\nerror: "))
    }

    /// Creates an error of the operating system about a file.
    pub fn io(path: &Path, doing: &str, error: &io::Error) -> Self {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
            io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
            io::ErrorKind::IsADirectory => "this is a folder, not a file".to_owned(),
            io::ErrorKind::AlreadyExists => "there is a file of this name".to_owned(),
            io::ErrorKind::NotADirectory => "a part of this path is a file, not a folder".to_owned(),
            _ => error.to_string(),
        };
        Self { kind: Kind::File(error.kind()), ..Self::at(path.display(), format!("cannot be {doing}: {why}")) }
    }
}

/// The reason why a text is not a valid value of an argument or a field, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongValue(String);

impl From<String> for WrongValue {
    fn from(message: String) -> Self {
        Self(message)
    }
}

impl From<&str> for WrongValue {
    fn from(message: &str) -> Self {
        Self(message.to_owned())
    }
}

impl From<forebay_cache::ChoiceError> for WrongValue {
    fn from(error: forebay_cache::ChoiceError) -> Self {
        Self(error.to_string())
    }
}

impl From<WrongValue> for String {
    fn from(wrong: WrongValue) -> Self {
        wrong.0
    }
}

impl fmt::Display for WrongValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WrongValue {}

/// Returns the text in a file of this name; `what` describes the expected content.
pub fn utf8(name: &str, bytes: Vec<u8>, what: &str) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..good].iter().filter(|byte| **byte == b'\n').count() as u64;
        UserError::at_line(name, line, format!("byte {good} is not UTF-8; {what}"))
    })
}

/// Bytes of a scenario or a recipe at most: a file without end is none.
const MOST_BYTES: u64 = 16_000_000;

/// Returns the short text in a file that has been opened; `kind` describes the expected content, like `a scenario`.
///
/// # Errors If the file cannot be read, is no text, or is too long.
pub(crate) fn short_text(name: &str, input: impl Read, kind: &str) -> Result<String> {
    let mut bytes = Vec::new();
    let read = input.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| UserError::io(Path::new(name), "read", &error))?;
    if bytes.len() as u64 > MOST_BYTES {
        let message = format!("this has more than {MOST_BYTES} bytes, the most that is read; {kind} is a short text");
        return Err(UserError::at(name, message));
    }
    utf8(name, bytes, &format!("{kind} is a text in TOML"))
}

impl std::error::Error for UserError {}

impl fmt::Display for UserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// Makes a message safe for a terminal, whatever it quotes from a file: without control characters, and on lines of limited length. Long
/// names are shortened, so that the advice after them can be seen.
pub fn printable(message: &str) -> String {
    const MOST_CHARS: usize = 1_000;
    let line = |line: &str| {
        let short: String = line.split_inclusive(' ').map(short_word).collect();
        let mut shown: String = short.chars().take(MOST_CHARS).collect();
        if shown.len() < short.len() {
            shown.push_str(" ...");
        }
        shown.replace(char::is_control, "\u{fffd}")
    };
    message.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A word, or of a very long one its start and its end.
fn short_word(word: &str) -> Cow<'_, str> {
    const MOST_LETTERS: usize = 400;
    const KEPT: usize = 60;
    let letters = word.chars().count();
    if letters <= MOST_LETTERS {
        return word.into();
    }
    let (start, end) = (word.chars().take(KEPT), word.chars().skip(letters - KEPT));
    format!("{}...{}", start.collect::<String>(), end.collect::<String>()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_learns_what_the_text_says() {
        let error =
            UserError::at_line("a.toml", 3, "unknown field `rat` in port; did you mean `rate`?").in_field("rat");
        assert_eq!(error.to_string(), "a.toml:3: unknown field `rat` in port; did you mean `rate`?");
        assert_eq!((error.kind(), error.file(), error.line()), (Kind::Content, Some("a.toml"), Some(3)));
        assert_eq!((error.field(), error.advice()), (Some("rat"), Some("did you mean `rate`?")));
        let error = UserError::argument("latency", "must be above 0");
        assert_eq!(error.to_string(), "--latency: must be above 0");
        assert_eq!((error.kind(), error.file(), error.advice()), (Kind::Argument, None, None));
        let missing = UserError::io(Path::new("a"), "read", &io::ErrorKind::NotFound.into());
        assert_eq!(missing.kind(), Kind::File(io::ErrorKind::NotFound));
    }

    #[test]
    fn messages_are_fit_for_a_terminal() {
        assert_eq!(printable("a: b\n  c\u{1b}[2J"), "a: b\n  c\u{fffd}[2J");
        let long = printable(&"x ".repeat(1_000_000));
        assert!(long.len() == 1_004 && long.ends_with("x  ..."));
        let named = printable(&format!("unknown policy `{}`; did you mean `fifo`?", "x".repeat(1_000_000)));
        assert!(named.len() < 200 && named.ends_with("xxx`; did you mean `fifo`?"), "{named}");
    }
}
