//! A small number of an entry that threads raise side by side.

use std::sync::atomic::{AtomicU8, Ordering};

/// Hits of an entry, up to a small number. Threads that share a cache for reading may raise it; of two that do so at the same
/// moment, one may be lost.
#[derive(Debug, Default)]
pub struct Mark(AtomicU8);

impl Mark {
    /// A mark with this number.
    #[must_use]
    pub const fn new(number: u8) -> Self {
        Self(AtomicU8::new(number))
    }

    /// The number.
    #[inline]
    #[must_use]
    pub fn get(&self) -> u8 {
        self.0.load(Ordering::Relaxed)
    }

    /// Sets the number.
    #[inline]
    pub fn set(&self, number: u8) {
        self.0.store(number, Ordering::Relaxed);
    }

    /// Adds one, up to `most`. Writes only if the number changes, so that threads that hit the same entry do not take its
    /// line of the processor's cache from each other.
    #[inline]
    pub fn raise(&self, most: u8) {
        let number = self.get();
        if number < most {
            self.set(number + 1);
        }
    }

    /// Takes one away. Returns false if it is zero.
    #[inline]
    pub fn lower(&self) -> bool {
        let number = self.get();
        if number > 0 {
            self.set(number - 1);
        }
        number > 0
    }
}

impl Clone for Mark {
    fn clone(&self) -> Self {
        Self::new(self.get())
    }
}
