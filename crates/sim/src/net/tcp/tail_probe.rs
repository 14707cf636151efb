//! Tail loss probe: if nothing arrives for two round trips, the sender probes with one segment (RFC 8985, section 7).
//!
//! The answer shows RACK which segments are lost at the end of a flow. So the repair need not wait for the retransmission timer. O(1).

use forebay_core::{Duration, Time};

/// Timeout before the first sample of the round-trip time.
const FIRST: Duration = Duration::from_ms(1_000);

/// The probe of a connection.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TailProbe {
    /// The time at which the probe is due.
    pub(crate) due: Option<Time>,
    /// What had been sent when a probe went that is not answered, and whether it was a retransmission.
    asked: Option<(u64, bool)>,
}

impl TailProbe {
    /// Section 7.2: sets the time. `one_delay`: how long the acknowledgement of a segment that is alone may be held back, if
    /// one is. The retransmission timer expires at `expires`, and the probe goes before.
    pub(crate) fn schedule(&mut self, now: Time, smoothed_rtt: Option<Duration>, one_delay: Duration, expires: Time) {
        let wait = smoothed_rtt.map_or(FIRST, |rtt| rtt + rtt + one_delay);
        self.due = self.asked.is_none().then_some((now + wait).min(expires));
    }

    /// Section 7.3: a probe goes.
    pub(crate) fn sent(&mut self, sent: u64, again: bool) {
        self.due = None;
        self.asked = Some((sent, again));
    }

    /// Section 7.4: an acknowledgement of all before `ack`; `duplicate`: it reports one. Whether the probe has repaired a loss,
    /// to which the congestion control must react.
    pub(crate) fn answered(&mut self, ack: u64, duplicate: bool) -> bool {
        let Some((sent, again)) = self.asked.filter(|(sent, _)| ack >= *sent) else { return false };
        // Without a report of a duplicate, only an acknowledgement beyond the probe shows that the probe was needed.
        if again && !duplicate && ack == sent {
            return false;
        }
        self.asked = None;
        again && !duplicate
    }

    /// The retransmission timer has expired.
    pub(crate) fn time_out(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_due_after_two_round_trips_and_before_the_retransmission_timer() {
        let us = |us: u64| Time::from_ns(us * 1_000);
        let mut probe = TailProbe::default();
        let due = |probe: &mut TailProbe, rtt, delay| {
            probe.schedule(us(100), rtt, Duration::from_us(delay), us(1_100));
            probe.due
        };
        assert_eq!(due(&mut probe, Some(Duration::from_us(80)), 0), Some(us(260)));
        assert_eq!(due(&mut probe, Some(Duration::from_us(80)), 40), Some(us(300)));
        assert_eq!(due(&mut probe, None, 0), Some(us(1_100)));
        probe.sent(5_000, true);
        assert_eq!(due(&mut probe, Some(Duration::from_us(80)), 0), None, "one at a time");
    }

    #[test]
    fn only_a_retransmission_that_was_needed_is_a_loss() {
        for (again, ack, duplicate, loss) in
            [(false, 5_000, false, false), (true, 5_000, true, false), (true, 6_000, false, true)]
        {
            let mut probe = TailProbe::default();
            probe.sent(5_000, again);
            assert!(!probe.answered(4_000, false));
            assert_eq!(probe.answered(ack, duplicate), loss);
            assert!(!probe.answered(9_000, false), "answered once");
        }
    }
}
