//! Lifetimes of objects that a trace states.

use std::collections::HashMap;

/// The lifetime of each object. Lifetimes are recorded from the call of [`begin`](Self::begin) on.
#[derive(Debug, Default)]
pub struct Lifetimes {
    is_begun: bool,
    objects: HashMap<u64, u64>,
    changes: u64,
}

impl Lifetimes {
    /// Starts to record.
    pub fn begin(&mut self) {
        self.is_begun = true;
    }

    /// Returns whether lifetimes are recorded.
    #[inline]
    pub(super) fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Records that a line states the lifetime of an object in nanoseconds. The last line counts.
    pub(super) fn add(&mut self, key: u64, nanoseconds: u64) {
        let before = self.objects.insert(key, nanoseconds);
        self.changes += u64::from(before.is_some_and(|before| before != nanoseconds));
    }

    /// Returns each object whose lifetime is stated, in nanoseconds, in no particular order.
    pub fn objects(&self) -> impl Iterator<Item = (u64, u64)> {
        self.objects.iter().map(|(key, nanoseconds)| (*key, *nanoseconds))
    }

    /// Returns the number of lines that state another lifetime of an object than the line before.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes
    }
}
