//! Weighted fair queueing (WFQ, also PGPS): the rank is the virtual time at which the
//! packet would finish if all flows were served at the same time.
//!
//! The reference is GPS, a fluid in which every backlogged flow has its weight's share of the link at every instant. A packet's virtual
//! finish time is `max(virtual time, finish of its flow) + size / weight`, and packets served in this order finish at most one packet's
//! transmission later than in the fluid (Parekh and Gallager). The virtual time is exactly the fluid's, not an estimate; `GpsClock`
//! computes it.
//!
//! While a flow is backlogged, it keeps the weight with which its backlog began, even if later packets are of another class. When a packet
//! is pushed out, its charge is refunded, except for the part that the fluid has already sent. As with `stfq`, fairness needs `drop =
//! "worst-first"`.
//!
//! Ranks count in 1/256 bytes at weight 1, rounded down; the flows' finish times are
//! kept exactly, so rounding does not add up. Ranks stop at 2^64 - 1 after 2^56 bytes
//! of virtual time: 66 days of a single flow of weight 1 at 100 Gb/s. After that all
//! packets have this rank and are served in order of arrival.

use crate::class_weights::ClassWeights;
use crate::gps_clock::{GpsClock, UNITS_PER_BYTE};
use crate::traits::{BuiltRankFn, RankEntry, RankFn, RankRange, Serves};
use forebay_core::{About, Exactness, Packet, ParamError, Params, Rate, Time, convert};

/// Virtual time per rank: as in `stfq`, 1/256 byte.
pub(super) const UNITS_PER_RANK: u128 = UNITS_PER_BYTE / 256;

/// The registry's entry for [`Wfq`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "wfq",
        title: "Weighted fair queueing, fair with drop = \"worst-first\": rank = virtual finish time, 1/256 byte",
        exactness: Exactness::NotApplicable,
        hardware: "the flows that wait, sorted by finish time, beside the queue itself; `stfq` does without",
        cost: "O(log flows) per packet and per flow that runs empty; 32 bytes per flow, about as many again while it waits",
        source: "Demers, Keshav, Shenker, SIGCOMM'89; Parekh, Gallager: GPS, ToN 1993, section III",
        params: &[ClassWeights::PARAM],
    },
    also_known_as: &["pgps"],
    needs: None,
    serves: Serves::FairShares,
    range: RankRange::Rising,
    build,
};

fn build(link_rate: Option<Rate>, params: &Params) -> BuiltRankFn {
    let weights = ClassWeights::read(params)?;
    let link_rate = link_rate.ok_or_else(|| ParamError {
        param: None,
        message: "`wfq` follows a fluid that has the whole link, so it can only be at the root of a tree; use rank = \"stfq\" or \
                  \"wf2q\", whose clocks are the service that they give"
            .to_owned(),
    })?;
    Ok(Box::new(Wfq::new(link_rate, weights)))
}

/// The virtual finish times.
#[derive(Debug, Clone)]
pub struct Wfq {
    clock: GpsClock,
    weights: ClassWeights,
}

impl Wfq {
    /// Creates fair queueing on a link of `link_rate`. A flow's weight is the weight of the class of the packet with which its backlog
    /// begins.
    #[must_use]
    pub fn new(link_rate: Rate, weights: ClassWeights) -> Self {
        Self { clock: GpsClock::new(link_rate), weights }
    }
}

impl RankFn for Wfq {
    fn rank(&mut self, now: Time, packet: &Packet) -> u64 {
        self.clock.advance(now);
        let finish = self.clock.finish(packet.flow, packet.size_bytes, self.weights.of(packet.class));
        convert::saturate(finish / UNITS_PER_RANK)
    }

    fn queued(&mut self, packet: &Packet) {
        self.clock.arrive(packet.flow, packet.size_bytes, self.weights.of(packet.class));
    }

    fn evicted(&mut self, packet: &Packet) {
        self.clock.take_back(packet.flow, packet.size_bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_stop_at_the_greatest_number() {
        let mut wfq = Wfq::new(Rate::parse("1 Gbps").unwrap(), ClassWeights::default());
        let packet = Packet { size_bytes: u32::MAX, ..Packet::default() };
        // 2^24 packets of 4 GB are 2^56 bytes.
        for _ in 0..(1 << 24) - 1 {
            wfq.queued(&packet);
        }
        assert!(wfq.rank(Time::ZERO, &packet) < u64::MAX);
        wfq.queued(&packet);
        assert_eq!(wfq.rank(Time::ZERO, &packet), u64::MAX);
    }
}
