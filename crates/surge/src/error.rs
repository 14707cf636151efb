//! Errors: of a job that is submitted, of a pull, or of a builder's settings.

use std::fmt;

/// A job that was not admitted and is returned to its submitter.
///
/// A submission that is not admitted drops no other job.
#[must_use = "the job is in it"]
pub struct Refused<J> {
    /// The job.
    pub job: J,
    /// The reason for the rejection.
    pub reason: Reason,
}

/// The reasons why a job is not admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// There is no room, and the policy prefers all waiting jobs to this one.
    Worst,
    /// The job alone has more bytes than may wait.
    TooLarge,
    /// The scheduler was closed.
    Closed,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Worst => "there is no room, and all waiting jobs are better",
            Self::TooLarge => "it has more bytes than may wait",
            Self::Closed => "the scheduler is closed",
        })
    }
}

// By hand, since `J` need not be `Debug`.
impl<J> fmt::Debug for Refused<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refused").field("reason", &self.reason).finish_non_exhaustive()
    }
}

impl<J> fmt::Display for Refused<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the job was rejected: {}", self.reason)
    }
}

impl<J> std::error::Error for Refused<J> {}

/// The reasons why a pull returns no task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PullError {
    /// No waiting job may start now.
    #[error("no job may start now")]
    Empty,
    /// The scheduler is closed and no job waits.
    #[error("the scheduler is closed and empty")]
    Closed,
}

/// The reason why a scheduler cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BuildError(pub(crate) String);
