//! Proportional Rate Reduction: the number of bytes that a sender sends per acknowledgement while it repairs losses (RFC 6937).
//!
//! The congestion control has reduced the window to `threshold`. PRR spreads the reduction over the round trip. For each delivered byte,
//! the share `threshold` / bytes in flight at the start of recovery is sent, so that the bytes in flight reach the threshold at the end. If
//! losses reduce them below the threshold, PRR grows back to it as in slow start (PRR-SSRB). O(1); all sizes are in bytes.

use forebay_core::convert::saturate;

/// The state of one repair.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prr {
    threshold: u64,
    /// Flight size when the repair began (RecoverFS).
    flight: u64,
    delivered: u64,
    out: u64,
}

impl Prr {
    /// A repair begins with `flight` bytes in flight, and the window has been reduced to `threshold`.
    pub(crate) fn new(threshold: u64, flight: u64) -> Self {
        Self { threshold, flight: flight.max(1), delivered: 0, out: 0 }
    }

    /// An acknowledgement says that `bytes` more have arrived, and `in_flight` are in flight now. Returns how many bytes may be
    /// sent for it.
    pub(crate) fn delivered(&mut self, bytes: u64, in_flight: u64, segment: u64) -> u64 {
        self.delivered += bytes;
        if in_flight > self.threshold {
            let share = u128::from(self.delivered) * u128::from(self.threshold);
            let due: u64 = saturate(share.div_ceil(u128::from(self.flight)));
            due.saturating_sub(self.out)
        } else {
            let limit = self.delivered.saturating_sub(self.out).max(bytes) + segment;
            (self.threshold - in_flight).min(limit)
        }
    }

    /// `bytes` were sent.
    pub(crate) fn sent(&mut self, bytes: u64) {
        self.out += bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates a repair in which each acknowledgement delivers a segment of 1 byte. Returns the bytes sent for each acknowledgement.
    fn play(window: u64, threshold: u64, lost: u64) -> Vec<u64> {
        let mut prr = Prr::new(threshold, window);
        let mut in_flight = window - lost;
        let mut sent = Vec::new();
        for _ in 0..window - lost {
            in_flight -= 1;
            let count = prr.delivered(1, in_flight, 1);
            prr.sent(count);
            in_flight += count;
            sent.push(count);
        }
        assert!(in_flight <= threshold, "{in_flight}");
        sent
    }

    #[test]
    fn one_loss_sends_a_segment_for_every_second_acknowledgement() {
        // RFC 6937, section 4: the window of 20 is halved, and the 19 acknowledgements send 10.
        let sent = play(20, 10, 1);
        assert!(sent.chunks(2).all(|pair| pair.iter().sum::<u64>() == 1), "{sent:?}");
    }

    #[test]
    fn many_losses_are_filled_up_as_in_slow_start() {
        // RFC 6937, section 4, second example: 16 of 20 are lost, and 4 acknowledgements come. Each sends two.
        assert_eq!(play(20, 10, 16), [2, 2, 2, 2]);
    }

    #[test]
    fn a_threshold_of_seven_tenths_sends_seven_for_ten() {
        let sent = play(100, 70, 1);
        assert!((68..=71).contains(&sent.iter().sum::<u64>()), "{sent:?}");
        assert!(sent.iter().all(|count| *count <= 2), "{sent:?}");
    }
}
