//! FIFO+: packets are served in the order in which they would have arrived if every hop so far had delayed them by its average.
//!
//! A packet that earlier hops delayed more than the average is served before others that arrived with it; a packet that they delayed less
//! is served after them. So delays even out along a path, where FIFO adds them up: the tail shrinks, not the mean.
//!
//! The offset from the average travels in the packet's slack, since the slack has the same meaning: how much later than others the packet
//! may be. A source gives all packets the same slack. Every hop subtracts a packet's waiting time from its slack, whatever the hop's
//! policy; this policy adds the average wait of the packet's class. Only differences count, so the initial slack is free. It must be more
//! than a path may subtract, because slack is never negative.
//!
//! At one port this shows how packets with offsets are served. The gain shows at the next hop of a network. Where all packets have the same
//! slack, the order is FIFO.
//!
//! The paper leaves open the period over which a hop averages. Here it is an exponentially weighted mean of the waiting times, without the
//! wait of the packet itself; the first packet of a class sets the mean.

use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use forebay_core::params::ParamKind;
use forebay_core::{About, Duration, Exactness, Field, Packet, ParamSpec, Time};

/// The default of the parameter.
const AVERAGE_OVER: u64 = 1_000;

/// The registry's entry for [`FifoPlus`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "fifo-plus",
        title: "FIFO+, evens out the delays of a path: rank = arrival time if earlier hops had caused average delays, picoseconds",
        exactness: Exactness::NotApplicable,
        hardware: "a clock, a header field that each hop rewrites, an average per class",
        cost: "O(1); 32 bytes per class",
        source: "Clark, Shenker, Zhang: SIGCOMM'92",
        params: &[ParamSpec {
            name: "average_over",
            kind: ParamKind::Integer { min: 1, max: 1 << 32, default: Some(AVERAGE_OVER) },
            meaning: "number n: a packet has the weight 1/n in the average delay of its class",
        }],
    },
    also_known_as: &["fifo+"],
    needs: Some(Field::Slack),
    serves: Serves::Otherwise,
    range: RankRange::Rising,
    build: |_, params| Ok(Box::new(FifoPlus::new(params.integer("average_over").unwrap_or(AVERAGE_OVER)))),
};

/// A rank function that ranks packets by the time of arrival after average delays.
#[derive(Debug, Clone)]
pub struct FifoPlus {
    average_over: u64,
    /// Mean waiting time of each class, once it had a packet, in 1 / `average_over`
    /// picoseconds, so that small differences are learnt, too.
    average: Box<[Option<u128>; 256]>,
}

impl FifoPlus {
    /// Creates FIFO+ without packets. The newest packet's weight in its class's average is 1 / `average_over`.
    #[must_use]
    pub fn new(average_over: u64) -> Self {
        Self { average_over: average_over.max(1), average: Box::new([None; 256]) }
    }
}

impl RankFn for FifoPlus {
    fn rank(&mut self, now: Time, packet: &Packet) -> u64 {
        (now + packet.slack).as_ps()
    }

    fn dequeued(&mut self, now: Time, packet: &mut Packet) {
        let waited = now.since(packet.arrival);
        let over = u128::from(self.average_over);
        let waited_ps = u128::from(waited.as_ps());
        let average = self.average[usize::from(packet.class.0)].get_or_insert(waited_ps * over);
        let average_ps = u64::try_from(*average / over).expect("the average of waits of 64 bits");
        packet.slack = packet.slack + Duration::from_ps(average_ps);
        *average = *average - *average / over + waited_ps;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::ClassId;

    #[test]
    fn a_packet_is_given_the_average_wait_of_its_class_back() {
        let mut fifo_plus = FifoPlus::new(2);
        let mut slack_after = |class, waited| {
            let mut packet = Packet { slack: Duration::from_ns(50), class: ClassId(class), ..Packet::default() };
            fifo_plus.dequeued(Time::from_ns(waited), &mut packet);
            (packet.slack - Duration::from_ns(waited)).as_ns()
        };
        assert_eq!(slack_after(0, 10), 50, "the first is the average");
        assert_eq!(slack_after(0, 30), 30, "the average was 10");
        assert_eq!(slack_after(0, 0), 70, "the average was 20");
        assert_eq!(slack_after(0, 90), 0, "no slack is less than none");
        assert_eq!(slack_after(7, 1_000), 50, "another class has its own average");
    }
}
