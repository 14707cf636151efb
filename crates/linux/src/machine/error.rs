//! Errors, and their remedies.

use std::path::PathBuf;

/// The result of this module's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// Why there is no machine, or no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A part of the machine is missing.
    #[error(
        "{what} is missing; `cargo xtask fetch-kernel` fetches it, or name a folder that has it with FOREBAY_KERNEL"
    )]
    Missing {
        /// The missing part.
        what: String,
    },
    /// A file could not be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file's path.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// The script did not end in time.
    #[error("the virtual machine did not finish its script within {seconds} s; its last line was: {last}")]
    Unfinished {
        /// The time limit in seconds.
        seconds: u64,
        /// The last line of the console.
        last: String,
    },
}

impl Error {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |error| Self::File { path, error }
    }
}
