//! How long TCP in slow start takes to send an object: several round trips for a large one (thesis, section 2.6.3).

/// A connection to the backing store that begins anew with each fetch.
///
/// The request takes half a round trip, and so does the last segment of the answer. The sender begins with a window of so
/// many segments. Each acknowledgement makes the window one segment larger (RFC 5681), so that it doubles from round to
/// round. The link sends at the rate. A round lasts until the first segment of the window is acknowledged: the time to send
/// a segment, and a round trip. The sender waits for that while a window takes less to send, and from then on sends without
/// a pause.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlowStart {
    /// The round-trip time without queueing, in ticks; 1 or more.
    pub round_trip: u64,
    /// Bytes in a tick; above 0.
    pub rate: f64,
    /// Segments of the first window; 1 or more. Ten is usual (RFC 6928).
    pub window: u64,
    /// Bytes of a segment; 1 or more.
    pub segment: u64,
}

impl SlowStart {
    /// The same, if the values are possible; otherwise the error.
    pub(crate) fn checked(self) -> Result<Self, &'static str> {
        if self.round_trip == 0 {
            return Err("a fetch takes at least one tick; `rtt` must be above 0");
        }
        if !(self.rate > 0.0 && self.rate.is_finite()) {
            return Err("slow start needs a `rate` above 0");
        }
        if self.window == 0 || self.segment == 0 {
            return Err("slow start needs a `window` of 1 segment or more, and a `segment` of 1 byte or more");
        }
        Ok(self)
    }

    /// How many windows it takes to send an object of so many bytes, the last of which may go on without a pause; 1 or more.
    #[must_use]
    pub fn rounds(&self, size: u64) -> u32 {
        let segments = size.div_ceil(self.segment).max(1);
        // After n windows w (2^n - 1) segments are sent.
        let by_size = (segments.div_ceil(self.window) + 1).next_power_of_two().ilog2();
        by_size.min(self.rounds_to_fill())
    }

    /// The first window that takes a whole round to send, from 1.
    fn rounds_to_fill(&self) -> u32 {
        let first = (self.window as f64 * self.segment as f64) / self.rate;
        (1..=MOST_ROUNDS).find(|&round| first * doubled(round) >= self.round()).unwrap_or(MOST_ROUNDS)
    }

    /// How long a round lasts, in ticks.
    fn round(&self) -> f64 {
        self.round_trip as f64 + self.segment as f64 / self.rate
    }

    /// How long a fetch of an object of so many bytes takes, in ticks; 1 or more.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    pub fn fetch(&self, size: u64) -> u64 {
        let rounds = self.rounds(size);
        // The bytes that the windows before the last have sent, of a round each.
        let sent = self.window as f64 * self.segment as f64 * (doubled(rounds) - 1.0);
        let rest = (size as f64 - sent).max(0.0);
        let all = self.round_trip as f64 + f64::from(rounds - 1) * self.round() + rest / self.rate;
        all.round() as u64
    }
}

/// More windows than any object has.
const MOST_ROUNDS: u32 = 64;

/// How many times the first window this one is, from 1.
fn doubled(round: u32) -> f64 {
    (0..round - 1).fold(1.0, |window, _| 2.0 * window)
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt as _;

    /// The sender, one segment after the other. It may have a window in flight, each acknowledgement makes the window one
    /// segment larger, and the link sends one segment at a time.
    fn by_segments(own: &SlowStart, size: u64) -> f64 {
        let round_trip = own.round_trip as f64;
        let (mut left, mut window) = (size.max(1), own.window);
        // The request has arrived. When each segment in flight will be acknowledged, in order.
        let mut acknowledged = std::collections::VecDeque::new();
        let (mut now, mut in_flight, mut free) = (round_trip / 2.0, 0, 0.0_f64);
        loop {
            while in_flight < window && left > 0 {
                let bytes = left.min(own.segment);
                free = free.max(now) + bytes as f64 / own.rate;
                left -= bytes;
                in_flight += 1;
                acknowledged.push_back(free + round_trip);
            }
            if left == 0 {
                return free + round_trip / 2.0;
            }
            now = acknowledged.pop_front().unwrap();
            in_flight -= 1;
            window += 1;
        }
    }

    #[test]
    fn the_closed_form_is_the_sender_of_segments() {
        let mut rng = Seed(43).stream("slow start");
        let mut rounds = [0; 12];
        for case in 0..2_000 {
            let own = SlowStart {
                round_trip: rng.random_range(1..2_000_000),
                rate: f64::from(rng.random_range(1..2_000)) / 1_000.0,
                window: rng.random_range(1..20),
                segment: rng.random_range(1..2_000),
            };
            let size = 1_u64 << rng.random_range(0..22);
            let size = rng.random_range(size..2 * size);
            let (fast, slow) = (own.fetch(size) as f64, by_segments(&own, size));
            // Ticks are whole, and both add up floating-point numbers.
            assert!((fast - slow).abs() <= 1.0 + 1e-9 * slow, "case {case}: {own:?} {size}: {fast} {slow}");
            rounds[own.rounds(size).min(11) as usize] += 1;
        }
        assert!(rounds[1..10].iter().all(|&cases| cases > 20), "{rounds:?}");
    }

    #[test]
    fn rounds_are_those_of_doubling_windows() {
        // At this rate no window fills a round trip.
        let fast = SlowStart { round_trip: 1_000_000, rate: 1e6, window: 10, segment: 1_460 };
        let sizes = [1, 14_600, 14_601, 43_800, 43_801, 102_200, 102_201, 1_000_000];
        assert_eq!(sizes.map(|size| fast.rounds(size)), [1, 1, 2, 2, 3, 3, 4, 7]);
        assert_eq!(fast.fetch(14_601), 2_000_000);
        // 100 ms and 1 Gbps: 12.5 MB fill the link, which is the eleventh window; from there the rate counts alone.
        let slow = SlowStart { round_trip: 100_000_000, rate: 0.125, window: 10, segment: 1_460 };
        assert_eq!(slow.rounds(1 << 40), 11);
        let more = slow.fetch(1_000_125_000_000) - slow.fetch(1_000_000_000_000);
        assert_eq!(more, 1_000_000_000);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let good = SlowStart { round_trip: 10, rate: 1.0, window: 10, segment: 1_460 };
        let error = |own: SlowStart| own.checked().unwrap_err();
        assert!(error(SlowStart { round_trip: 0, ..good }).contains("`rtt` must be above 0"));
        assert!(error(SlowStart { rate: 0.0, ..good }).contains("`rate` above 0"));
        assert!(error(SlowStart { rate: f64::NAN, ..good }).contains("`rate` above 0"));
        assert!(error(SlowStart { window: 0, ..good }).contains("`window` of 1 segment"));
        assert!(error(SlowStart { segment: 0, ..good }).contains("`segment` of 1 byte"));
    }
}
