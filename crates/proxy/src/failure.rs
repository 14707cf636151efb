//! Why a proxy cannot start.

use std::path::PathBuf;

/// Something that keeps a proxy from starting.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The policy is unknown, or does not fit.
    #[error("policy: {0}")]
    Policy(String),
    /// The settings contradict each other, or a value cannot be.
    #[error("{0}")]
    Settings(String),
    /// A file or folder cannot be used.
    #[error("{}: {error}; {fix}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
        /// What the reader can do.
        fix: &'static str,
    },
}
