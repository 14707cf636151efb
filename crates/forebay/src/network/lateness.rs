//! The permitted lateness of packets: `slack` and `deadline` of `[[workload]]`.

use crate::document::Table;
use crate::error::Result;
use crate::scenario::quantity;
use forebay_core::{Duration, Time};
use forebay_sim::net::{Allowances, FlowSpec, Lateness};

/// The permitted lateness of the packets of a workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LatenessPlan {
    kind: Kind,
    /// The permitted lateness of every packet.
    fixed: Duration,
    /// More for each byte of its flow.
    per_byte: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Waits in queues count.
    Slack,
    /// All time counts, from the start of the flow.
    Deadline,
}

impl LatenessPlan {
    /// Reads the fields of a workload; returns `None` if none is given.
    pub(super) fn read(table: &Table<'_>) -> Result<Option<Self>> {
        let time = |key| table.get(key).map(|node| Ok((quantity(node, key, Duration::parse)?, node))).transpose();
        let (slack, slack_per_byte) = (time("slack")?, time("slack_per_byte")?);
        let (deadline, deadline_per_byte) = (time("deadline")?, time("deadline_per_byte")?);
        let of = |kind, fixed: Option<(Duration, _)>, per_byte: Option<(Duration, _)>| Self {
            kind,
            fixed: fixed.map_or(Duration::ZERO, |(time, _)| time),
            per_byte: per_byte.map_or(Duration::ZERO, |(time, _)| time),
        };
        match (slack.or(slack_per_byte), deadline.or(deadline_per_byte)) {
            (Some(_), Some((_, node))) => {
                Err(node.error("a packet has a slack or a deadline, not both; remove the fields of one of them"))
            }
            (Some(_), None) => Ok(Some(of(Kind::Slack, slack, slack_per_byte))),
            (None, Some(_)) => Ok(Some(of(Kind::Deadline, deadline, deadline_per_byte))),
            (None, None) => Ok(None),
        }
    }

    /// Returns the time by which a flow should be complete, if it has a deadline.
    pub(super) fn deadline(self, flow: &FlowSpec) -> Option<Time> {
        (self.kind == Kind::Deadline).then(|| flow.start + self.of(flow))
    }

    /// Returns the permitted lateness of the packets of a flow.
    fn of(self, flow: &FlowSpec) -> Duration {
        let by_size = Duration::from_ps(self.per_byte.as_ps().saturating_mul(flow.bytes));
        // An endless flow, and one that is longer than time, has all the time that there is.
        Duration::from_ps(self.fixed.as_ps().saturating_add(by_size.as_ps()).min(LONGEST.as_ps()))
    }
}

impl Allowances for LatenessPlan {
    fn next(&mut self, _now: Time, flow: &FlowSpec) -> Lateness {
        self.deadline(flow).map_or_else(|| Lateness::Slack(self.of(flow)), Lateness::Deadline)
    }
}

/// So that a rank, which is a time plus a slack, is still a time.
const LONGEST: Duration = Duration::from_ps(u64::MAX / 4);

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_sim::net::HostId;

    #[test]
    fn a_slack_has_a_part_for_each_byte_and_a_deadline_counts_from_the_start_of_the_flow() {
        let flow = FlowSpec { start: Time::from_ns(100), src: HostId(0), dst: HostId(1), bytes: 1_000, workload: 0 };
        let (fixed, per_byte) = (Duration::from_ns(10), Duration::from_ns(2));
        let mut plan = LatenessPlan { kind: Kind::Slack, fixed, per_byte };
        assert_eq!(plan.next(Time::from_ns(500), &flow), Lateness::Slack(Duration::from_ns(2_010)));
        plan.kind = Kind::Deadline;
        assert_eq!(plan.next(Time::from_ns(500), &flow), Lateness::Deadline(Time::from_ns(2_110)));
        let endless = FlowSpec { bytes: FlowSpec::ENDLESS, ..flow };
        assert_eq!(plan.next(Time::ZERO, &endless), Lateness::Deadline(flow.start + LONGEST));
    }
}
