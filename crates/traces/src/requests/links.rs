//! Links between requests of a trace that follow others.

use forebay_core::Follows;

/// The request that each request follows, in the order of the trace. It counts from when it [begins](Self::begin).
#[derive(Debug, Default)]
pub struct Links {
    is_begun: bool,
    each: Vec<Option<Follows>>,
}

impl Links {
    /// Counts from now on.
    pub fn begin(&mut self) {
        self.is_begun = true;
    }

    /// Whether it counts.
    pub(super) fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// The next request follows this one, or none.
    pub(super) fn push(&mut self, follows: Option<Follows>) {
        self.each.push(follows);
    }

    /// The request that each request so far follows; [`None`]: it arrives at its own time.
    #[must_use]
    pub fn each(&self) -> &[Option<Follows>] {
        &self.each
    }
}
