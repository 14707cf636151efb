//! Errors as the user sees them: one line that says where, what, and what to do.

use std::fmt;
use std::path::Path;

/// Wrong use or bad input. Shown as `error: PLACE: MESSAGE`, exit status 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UserError {
    place: Option<String>,
    message: String,
}

pub(crate) type Result<T> = std::result::Result<T, UserError>;

impl UserError {
    /// An error that has no place in a file.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { place: None, message: message.into() }
    }

    /// An error in a file, or at a line of it, or in an argument.
    pub(crate) fn at(place: impl fmt::Display, message: impl Into<String>) -> Self {
        Self { place: Some(place.to_string()), message: message.into() }
    }

    /// An error of the operating system about a file.
    pub(crate) fn io(path: &Path, doing: &str, error: &std::io::Error) -> Self {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
            std::io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
            std::io::ErrorKind::IsADirectory => "this is a folder, not a file".to_owned(),
            _ => error.to_string(),
        };
        Self::at(path.display(), format!("cannot be {doing}: {why}"))
    }
}

impl fmt::Display for UserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}
