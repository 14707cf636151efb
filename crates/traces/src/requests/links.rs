//! Links between requests of a trace that follow others.

use forebay_core::Follows;

/// The request that each request follows, in the order of the trace. Links are recorded from the call of [`begin`](Self::begin) on.
#[derive(Debug, Default)]
pub struct Links {
    is_begun: bool,
    each: Vec<Option<Follows>>,
}

impl Links {
    /// Starts to record.
    pub fn begin(&mut self) {
        self.is_begun = true;
    }

    /// Returns whether links are recorded.
    pub(super) fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Records the request that the next request follows, if any.
    pub(super) fn push(&mut self, follows: Option<Follows>) {
        self.each.push(follows);
    }

    /// Returns, for each request so far, the request that it follows; [`None`] if it arrives at its own time.
    #[must_use]
    pub fn each(&self) -> &[Option<Follows>] {
        &self.each
    }
}
