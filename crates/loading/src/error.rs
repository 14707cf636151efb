//! The errors of fetches and of builders.

use std::fmt;
use std::sync::Arc;

/// An error of any type, which fetches report by default.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The reason why there is no value. Every waiter of the fetch gets the same error.
pub enum FetchError<E> {
    /// The fetch returned this error.
    Failed(Arc<E>),
    /// The fetch panicked, or the weigher or the time to live of its value. This is the message.
    Panicked(Arc<str>),
    /// The fetch of a key waits, perhaps through fetches of other keys, for itself.
    Cycle,
    /// The fetch took longer than [`Builder::fetch_time_limit`](crate::Builder::fetch_time_limit) allows.
    TimedOut,
    /// [`LoadingCache::abort`](crate::LoadingCache::abort) ended the fetch.
    Aborted,
}

impl<E> FetchError<E> {
    /// The error that the fetch returned, if it did.
    #[must_use]
    pub fn failed(&self) -> Option<&Arc<E>> {
        match self {
            Self::Failed(error) => Some(error),
            Self::Panicked(_) | Self::Cycle | Self::TimedOut | Self::Aborted => None,
        }
    }
}

// Implemented by hand, since `E` is shared and need not be `Clone`.
impl<E> Clone for FetchError<E> {
    fn clone(&self) -> Self {
        match self {
            Self::Failed(error) => Self::Failed(Arc::clone(error)),
            Self::Panicked(message) => Self::Panicked(Arc::clone(message)),
            Self::Cycle => Self::Cycle,
            Self::TimedOut => Self::TimedOut,
            Self::Aborted => Self::Aborted,
        }
    }
}

impl<E: fmt::Debug> fmt::Debug for FetchError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(error) => f.debug_tuple("Failed").field(error).finish(),
            Self::Panicked(message) => f.debug_tuple("Panicked").field(message).finish(),
            Self::Cycle => f.write_str("Cycle"),
            Self::TimedOut => f.write_str("TimedOut"),
            Self::Aborted => f.write_str("Aborted"),
        }
    }
}

impl<E: fmt::Display> fmt::Display for FetchError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(error) => write!(f, "the fetch failed: {error}"),
            Self::Panicked(message) => write!(f, "the fetch panicked: {message}"),
            Self::Cycle => f.write_str("the fetch waits for itself"),
            Self::TimedOut => f.write_str("the fetch took longer than its time limit"),
            Self::Aborted => f.write_str("the fetch was aborted; ask again to begin a new one"),
        }
    }
}

// There is no `source`, since this message contains that of the fetch's error.
impl<E: fmt::Debug + fmt::Display> std::error::Error for FetchError<E> {}

/// The reason why a cache cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BuildError(pub(crate) String);

/// The reason why a snapshot is not restored. The cache is then as it was.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The bytes are no snapshot of a loading cache.
    #[error("these bytes are no snapshot of a loading cache")]
    NotASnapshot,
    /// The snapshot has a format of another version.
    #[error(
        "the snapshot has format {0}, and this version of forebay reads format {1}; let the cache fill itself again"
    )]
    Version(u32, u32),
    /// Bytes are missing or changed.
    #[error("the snapshot is damaged: {0}; let the cache fill itself again")]
    Damaged(String),
    /// `decode` rejected an entry.
    #[error("entry {entry} of the snapshot: {error}")]
    Entry {
        /// The number of the entry, from 0 on.
        entry: u64,
        /// The error of `decode`.
        error: BoxError,
    },
}
