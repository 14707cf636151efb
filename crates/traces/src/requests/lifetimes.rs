//! Lifetimes of objects that a trace states.

use std::collections::HashMap;

/// The lifetime of each object. It counts from when it [begins](Self::begin).
#[derive(Debug, Default)]
pub struct Lifetimes {
    is_begun: bool,
    objects: HashMap<u64, u64>,
    changes: u64,
}

impl Lifetimes {
    /// Counts from now on.
    pub fn begin(&mut self) {
        self.is_begun = true;
    }

    /// Whether it counts.
    #[inline]
    pub(super) fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// A line states the lifetime of an object in nanoseconds. The last one counts.
    pub(super) fn add(&mut self, key: u64, nanoseconds: u64) {
        let before = self.objects.insert(key, nanoseconds);
        self.changes += u64::from(before.is_some_and(|before| before != nanoseconds));
    }

    /// Each object whose lifetime is stated, in nanoseconds, in no order.
    pub fn objects(&self) -> impl Iterator<Item = (u64, u64)> {
        self.objects.iter().map(|(key, nanoseconds)| (*key, *nanoseconds))
    }

    /// How many lines state another lifetime of an object than the line before.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes
    }
}
