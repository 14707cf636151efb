//! How many packets are expected.

use super::Arrivals;

impl Arrivals {
    /// How many packets are expected.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The most packets that were expected on one port at a time.
    #[must_use]
    pub fn most(&self) -> usize {
        self.most
    }

    /// Whether no packet is expected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}
