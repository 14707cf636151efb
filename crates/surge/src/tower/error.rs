//! The error that a request gets instead of a response.

use crate::error::Reason;
use std::fmt;

/// The reason why there is no response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SurgeError<E> {
    /// The request was not admitted.
    Refused(Reason),
    /// The request waited, and was dropped for a better one.
    Evicted,
    /// The inner service returned this error.
    Service(E),
}

impl<E> SurgeError<E> {
    /// Returns whether the request was rejected without being worked on: for HTTP, status 503.
    #[must_use]
    pub fn is_rejection(&self) -> bool {
        matches!(self, Self::Refused(_) | Self::Evicted)
    }

    /// Returns the error of the inner service, if it returned one.
    #[must_use]
    pub fn service(self) -> Option<E> {
        match self {
            Self::Service(error) => Some(error),
            Self::Refused(_) | Self::Evicted => None,
        }
    }
}

impl<E: fmt::Display> fmt::Display for SurgeError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(reason) => write!(f, "the request was rejected: {reason}"),
            Self::Evicted => f.write_str("the request was dropped for a better one"),
            Self::Service(error) => error.fmt(f),
        }
    }
}

// No `source`: the inner service's error is shown as ours.
impl<E: fmt::Debug + fmt::Display> std::error::Error for SurgeError<E> {}
