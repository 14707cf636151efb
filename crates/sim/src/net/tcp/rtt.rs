//! The retransmission timeout: RFC 6298, section 2 and rule 5.5.

use forebay_core::Duration;

/// Estimates the round-trip time and says how long to wait for an acknowledgement.
///
/// Timestamps make every sample unambiguous. So retransmitted data gives a sample, too (RFC 7323, section 4.1), and a sample ends the
/// backing off.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rtt {
    /// Smoothed round-trip time and its mean deviation.
    estimate: Option<(Duration, Duration)>,
    timeout: Duration,
    initial_timeout: Duration,
    min_timeout: Duration,
    max_timeout: Duration,
}

impl Rtt {
    /// Creates a timer without samples, which waits for `initial`. Later timeouts lie between the bounds.
    pub(crate) fn new(initial: Duration, min_timeout: Duration, max_timeout: Duration) -> Self {
        debug_assert!(min_timeout <= max_timeout && initial <= max_timeout && initial > Duration::ZERO);
        Self { estimate: None, timeout: initial, initial_timeout: initial, min_timeout, max_timeout }
    }

    /// Ends the handshake and forgets its backoff (RFC 6298, rule 5.7).
    pub(crate) fn restart(&mut self) {
        self.timeout = self.initial_timeout;
    }

    /// The time to wait for an acknowledgement.
    #[inline]
    pub(crate) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// The smoothed round-trip time, once there was a sample.
    pub(crate) fn smoothed(&self) -> Option<Duration> {
        self.estimate.map(|(smoothed, _)| smoothed)
    }

    /// Adds a sample of the round-trip time.
    #[inline]
    pub(crate) fn sample(&mut self, rtt: Duration) {
        let rtt = rtt.as_ps();
        let (smoothed, deviation) = match self.estimate {
            None => (rtt, rtt / 2),
            Some((smoothed, deviation)) => {
                let (smoothed, deviation) = (smoothed.as_ps(), deviation.as_ps());
                let difference = smoothed.abs_diff(rtt);
                (smoothed - smoothed / 8 + rtt / 8, deviation - deviation / 4 + difference / 4)
            }
        };
        self.estimate = Some((Duration::from_ps(smoothed), Duration::from_ps(deviation)));
        // At least one tick of the clock above the mean, which is a picosecond here.
        let timeout = smoothed.saturating_add(deviation.saturating_mul(4).max(1));
        self.timeout = Duration::from_ps(timeout).clamp(self.min_timeout, self.max_timeout);
    }

    /// The wait was in vain.
    pub(crate) fn back_off(&mut self) {
        self.timeout = (self.timeout + self.timeout).min(self.max_timeout);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us(us: u64) -> Duration {
        Duration::from_us(us)
    }

    #[test]
    fn timeouts_follow_the_formulas() {
        let mut rtt = Rtt::new(us(1_000_000), Duration::ZERO, us(60_000_000));
        assert_eq!(rtt.timeout(), us(1_000_000));
        // First: SRTT = 80, RTTVAR = 40. Then RTTVAR = 30 + 10 = 40, SRTT = 70 + 5 = 75. Then RTTVAR = 30 + 15 / 4,
        // SRTT = 65.625 + 7.5.
        for (sample, ns) in [(80, 240_000), (40, 235_000), (60, 208_125)] {
            rtt.sample(us(sample));
            assert_eq!(rtt.timeout(), Duration::from_ns(ns), "{sample}");
        }
    }

    #[test]
    fn equal_samples_lead_to_a_timeout_just_above_them() {
        let mut rtt = Rtt::new(us(1), Duration::ZERO, us(1_000));
        for _ in 0..200 {
            rtt.sample(us(80));
        }
        assert!(rtt.timeout() > us(80) && rtt.timeout() < us(80) + Duration::from_ps(100), "{:?}", rtt.timeout());
    }

    #[test]
    fn timeouts_double_up_to_the_bound_and_a_sample_ends_that() {
        let mut rtt = Rtt::new(us(300), us(200), us(2_000));
        let mut timeouts = Vec::new();
        for _ in 0..4 {
            rtt.back_off();
            timeouts.push(rtt.timeout());
        }
        assert_eq!(timeouts, [us(600), us(1_200), us(2_000), us(2_000)]);
        rtt.sample(us(10));
        assert_eq!(rtt.timeout(), us(200), "the lower bound");
        rtt.sample(us(4_000));
        assert_eq!(rtt.timeout(), us(2_000), "the upper bound");
    }
}
