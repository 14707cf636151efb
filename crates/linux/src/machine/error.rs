//! What can go wrong, and what to do about it.

use std::path::PathBuf;

/// As of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Why there is no machine, or no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A part is missing.
    #[error(
        "{what} is missing; `cargo xtask fetch-kernel` fetches it, or name a folder that has it with FOREBAY_KERNEL"
    )]
    Missing {
        /// The part.
        what: String,
    },
    /// A file could not be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It has not come to the end of its script.
    #[error("the virtual machine did not finish its script within {seconds} s; its last line was: {last}")]
    Unfinished {
        /// How long it had.
        seconds: u64,
        /// The last line of its console.
        last: String,
    },
}

impl Error {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |error| Self::File { path, error }
    }
}
