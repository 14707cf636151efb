//! Errors as the user sees them: one line that says where, what, and what to do.

use std::fmt;
use std::path::Path;

/// Wrong use or bad input. Shown as `error: PLACE: MESSAGE`, exit status 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserError {
    place: Option<String>,
    message: String,
}

/// A result whose error is shown to the user.
pub type Result<T> = std::result::Result<T, UserError>;

impl UserError {
    /// An error that has no place in a file.
    pub fn new(message: impl Into<String>) -> Self {
        Self { place: None, message: message.into() }
    }

    /// An error in a file, or at a line of it, or in an argument.
    pub fn at(place: impl fmt::Display, message: impl Into<String>) -> Self {
        Self { place: Some(place.to_string()), message: message.into() }
    }

    /// Several errors, each of which says its place; a line each.
    pub fn all(errors: &[String]) -> Self {
        Self::new(errors.join("\nerror: "))
    }

    /// An error of the operating system about a file.
    pub fn io(path: &Path, doing: &str, error: &std::io::Error) -> Self {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
            std::io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
            std::io::ErrorKind::IsADirectory => "this is a folder, not a file".to_owned(),
            std::io::ErrorKind::AlreadyExists => "there is a file of this name".to_owned(),
            std::io::ErrorKind::NotADirectory => "a part of this path is a file, not a folder".to_owned(),
            _ => error.to_string(),
        };
        Self::at(path.display(), format!("cannot be {doing}: {why}"))
    }
}

/// The text in a file of this name, of which `what` says what it should be.
pub fn utf8(name: &str, bytes: Vec<u8>, what: &str) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..good].iter().filter(|byte| **byte == b'\n').count();
        UserError::at(format!("{name}:{line}"), format!("byte {good} is not UTF-8; {what}"))
    })
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

/// A message for a terminal, whatever it quotes from a file: no control characters, and no line without end.
pub fn printable(message: &str) -> String {
    const MOST_CHARS: usize = 1_000;
    let line = |line: &str| {
        let mut shown: String = line.chars().take(MOST_CHARS).collect();
        if shown.len() < line.len() {
            shown.push_str(" ...");
        }
        shown.replace(char::is_control, "\u{fffd}")
    };
    message.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_fit_for_a_terminal() {
        assert_eq!(printable("a: b\n  c\u{1b}[2J"), "a: b\n  c\u{fffd}[2J");
        let long = printable(&"x".repeat(1_000_000));
        assert!(long.len() == 1_004 && long.ends_with("x ..."));
    }
}
