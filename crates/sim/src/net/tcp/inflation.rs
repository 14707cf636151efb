//! The window of fast recovery without selective acknowledgements (RFC 5681, section 3.2; RFC 6582, section 3.2).
//!
//! The congestion control has reduced its window. Each duplicate acknowledgement says that one more segment has left the network, so the
//! window is inflated by one segment. A sender with selective acknowledgements knows which segments have left, so it needs no inflation.
//! All sizes are in bytes; each call costs O(1).

/// A window that is inflated while a loss is repaired.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inflation {
    bytes: u64,
    segment: u64,
}

impl Inflation {
    /// The window is reduced to `window` bytes, after `duplicates` duplicates.
    pub(crate) fn new(window: u64, duplicates: u32, segment: u64) -> Self {
        Self { bytes: window + u64::from(duplicates) * segment, segment }
    }

    /// The number of bytes that may be in flight.
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Inflates the window, after one more segment has left the network.
    pub(crate) fn inflate(&mut self) {
        self.bytes += self.segment;
    }

    /// `bytes` have been acknowledged, and more is lost.
    pub(crate) fn deflate(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_sub(bytes);
        if bytes >= self.segment {
            self.bytes += self.segment;
        }
        self.bytes = self.bytes.max(self.segment);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_inflate_and_partial_acknowledgements_deflate() {
        let mut window = Inflation::new(10_000, 3, 1_000);
        assert_eq!(window.bytes(), 13_000);
        window.inflate();
        assert_eq!(window.bytes(), 14_000);
        window.deflate(4_000);
        assert_eq!(window.bytes(), 11_000);
        window.deflate(20_000);
        assert_eq!(window.bytes(), 1_000, "never less than a segment");
    }
}
