//! The lateness that packets may have. A host writes it on a packet, and each hop passes the remaining lateness on to the next hop.
//!
//! Every port shows the remaining lateness as [`Packet::slack`](forebay_core::Packet::slack). A port that serves the least slack first is
//! LSTF if hosts write a slack (Mittal, Agarwal, Ratnasamy, Shenker: Universal packet scheduling, NSDI'16), and EDF if they write a
//! deadline. The two differ in the time that reduces the slack: only waiting, or all time.

use crate::net::flow::FlowSpec;
use forebay_core::{Duration, Time};

/// The lateness that a packet may still have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lateness {
    /// The time that the packet may still wait in queues. Waiting reduces it; transmission and propagation do not. It is never below zero.
    Slack(Duration),
    /// The time by which the packet should arrive, whatever the cause of its delay.
    Deadline(Time),
}

impl Lateness {
    /// For packets without a slack or a deadline.
    pub(crate) const NONE: Self = Self::Slack(Duration::ZERO);

    /// The slack that a port sees if the packet arrives there now.
    pub(crate) fn slack(self, now: Time) -> Duration {
        match self {
            Self::Slack(slack) => slack,
            Self::Deadline(deadline) if deadline > now => deadline.since(now),
            Self::Deadline(_) => Duration::ZERO,
        }
    }

    /// The rest for a packet that leaves a port after this wait, with the slack that the port has written.
    pub(crate) fn after(self, written: Duration, waited: Duration) -> Self {
        match self {
            Self::Slack(_) => Self::Slack(written - waited),
            Self::Deadline(_) => self,
        }
    }
}

/// Decides the lateness that hosts write on the packets of a workload.
pub trait Allowances {
    /// Returns the lateness of the next packet, which belongs to `flow` and is sent now.
    fn next(&mut self, now: Time, flow: &FlowSpec) -> Lateness;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_take_from_a_slack_and_all_time_takes_from_a_deadline() {
        let (slack, deadline) = (Lateness::Slack(Duration::from_ns(50)), Lateness::Deadline(Time::from_ns(90)));
        assert_eq!(slack.slack(Time::from_ns(40)).as_ns(), 50);
        assert_eq!(deadline.slack(Time::from_ns(40)).as_ns(), 50);
        assert_eq!(deadline.slack(Time::from_ns(140)).as_ns(), 0, "no slack is less than none");
        let (written, waited) = (Duration::from_ns(50), Duration::from_ns(20));
        assert_eq!(slack.after(written, waited), Lateness::Slack(Duration::from_ns(30)));
        assert_eq!(slack.after(written, Duration::from_ns(70)), Lateness::Slack(Duration::ZERO));
        assert_eq!(deadline.after(written, waited), deadline);
    }
}
