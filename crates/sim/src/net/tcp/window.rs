//! The congestion window of NewReno: RFC 5681, sections 3.1, 3.2 and 4.1; RFC 6582, section 3.2. All in bytes.

use crate::net::congestion::Limits;

/// The window: the number of bytes that may be in flight.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    bytes: u64,
    threshold: u64,
    /// Acknowledged since congestion avoidance last grew the window.
    acknowledged: u64,
    segment: u64,
    max: u64,
    initial: u64,
}

impl Window {
    /// A window of `initial` bytes for segments of `segment` bytes, in slow start up to `threshold`. Acknowledgements
    /// let it grow up to `max`.
    pub(crate) fn new(segment: u64, initial: u64, threshold: u64, max: u64) -> Self {
        debug_assert!(segment > 0 && max >= segment);
        let initial = initial.clamp(segment, max);
        Self { bytes: initial, threshold, acknowledged: 0, segment, max, initial }
    }

    /// The first window of a flow.
    pub(crate) fn within(limits: &Limits) -> Self {
        let Limits { segment_bytes, initial_window_bytes, initial_threshold_bytes, max_window_bytes } = *limits;
        Self::new(segment_bytes, initial_window_bytes, initial_threshold_bytes, max_window_bytes)
    }

    /// The number of bytes that may be in flight.
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.min(self.max)
    }

    /// `bytes` more have been acknowledged. Below the threshold an acknowledgement adds the bytes that it acknowledges, at most one
    /// segment; above it a whole window of them adds one segment.
    #[inline]
    pub(crate) fn grow(&mut self, bytes: u64) {
        if self.bytes < self.threshold {
            self.bytes += bytes.min(self.segment);
        } else {
            self.acknowledged += bytes.min(self.bytes);
            if self.acknowledged >= self.bytes {
                self.acknowledged -= self.bytes;
                self.bytes += self.segment;
            }
        }
        self.bytes = self.bytes.min(self.max);
    }

    /// A segment is lost while `flight` bytes are on the way.
    pub(crate) fn halve(&mut self, flight: u64) {
        self.halve_threshold(flight);
        self.bytes = self.threshold;
    }

    /// Everything lost has arrived; `flight` bytes are on the way. Few of them must not let a burst go out.
    pub(crate) fn recovered(&mut self, flight: u64) {
        self.bytes = self.threshold.min(flight.max(self.segment) + self.segment);
        self.acknowledged = 0;
    }

    /// The timer has expired while `flight` bytes were on the way; `None` if they were held to be lost before.
    pub(crate) fn time_out(&mut self, flight: Option<u64>) {
        if let Some(flight) = flight {
            self.halve_threshold(flight);
        }
        self.bytes = self.segment;
        self.acknowledged = 0;
    }

    /// Marks ask for a window of `bytes`.
    pub(crate) fn reduce_to(&mut self, bytes: u64) {
        self.threshold = bytes.max(2 * self.segment);
        self.bytes = self.threshold.min(self.bytes);
        self.acknowledged = 0;
    }

    /// Sends again after an idle time: as at first, at most.
    pub(crate) fn restart(&mut self) {
        self.bytes = self.bytes.min(self.initial);
        self.acknowledged = 0;
    }

    fn halve_threshold(&mut self, flight: u64) {
        self.threshold = (flight / 2).max(2 * self.segment);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEGMENT: u64 = 1_000;

    fn window(initial: u64, threshold: u64) -> Window {
        Window::new(SEGMENT, initial, threshold, 1_000_000)
    }

    #[test]
    fn below_the_threshold_it_doubles_in_each_round() {
        let mut window = window(2_000, 16_000);
        for round in 1..=3 {
            for _ in 0..window.bytes() / SEGMENT {
                window.grow(SEGMENT);
            }
            assert_eq!(window.bytes(), 2_000 << round);
        }
    }

    #[test]
    fn above_it_a_segment_is_added_in_each_round_whatever_an_acknowledgement_covers() {
        for covered in [500, 1_000, 2_000] {
            let mut window = window(10_000, 0);
            for round in 1..=50 {
                let mut left = window.bytes();
                while left > 0 {
                    window.grow(left.min(covered));
                    left -= left.min(covered);
                }
                assert_eq!(window.bytes(), 10_000 + round * SEGMENT, "{covered}");
            }
        }
    }

    #[test]
    fn recovery_halves_what_was_in_flight() {
        let mut window = window(20_000, u64::MAX);
        window.halve(20_000);
        assert_eq!(window.bytes(), 10_000);
        window.recovered(9_000);
        assert_eq!(window.bytes(), 10_000);
        window.recovered(0);
        assert_eq!(window.bytes(), 2_000, "no burst");
    }

    #[test]
    fn a_timeout_starts_again_with_one_segment() {
        let mut window = window(20_000, u64::MAX);
        window.time_out(Some(20_000));
        assert_eq!((window.bytes(), window.threshold), (1_000, 10_000));
        window.time_out(None);
        assert_eq!((window.bytes(), window.threshold), (1_000, 10_000));
        window.time_out(Some(1_000));
        assert_eq!(window.threshold, 2_000, "never below two segments");
    }

    #[test]
    fn the_maximum_bounds_growth() {
        let mut window = Window::new(1_380, 3 * 1_380, 30 * 1_380, 65_535);
        for _ in 0..10_000 {
            window.grow(1_380);
        }
        assert_eq!(window.bytes(), 65_535);
    }
}
