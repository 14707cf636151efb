//! Start-time fair queueing: the rank is the virtual time at which the packet
//! would start in a fair system.
//!
//! A packet starts when its flow's last packet finishes, or now if the flow is idle: `start = max(virtual time, finish of its flow)`,
//! `finish = start + size / weight`. Virtual time is the start of the packet sent last (Goyal et al.). Only packets that are sent are
//! charged to their flow: when a packet is pushed out, its charge is refunded.
//!
//! Fairness needs `drop = "worst-first"`. Under tail drop the flow that offers most
//! gets most of the buffer, and the order of service cannot undo that.

use crate::class_weights::ClassWeights;
use crate::flow_state::FlowState;
use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use forebay_core::{About, Exactness, Packet, Time};

/// Virtual time counts in 1/256 bytes at weight 1, so that small packets of heavy
/// flows do not round to nothing.
const UNITS_PER_BYTE: u64 = 256;

/// The registry's entry for [`Stfq`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "stfq",
        title: "Start-time fair queueing, fair with drop = \"worst-first\": rank = virtual start time, 1/256 byte",
        exactness: Exactness::NotApplicable,
        hardware: "one finish time per flow and a virtual clock",
        cost: "O(1); 8 bytes per flow, given back when all that began with it have finished",
        source: "Goyal, Vin, Cheng: SIGCOMM'96; Sivaraman et al., SIGCOMM'16, section 2.1; SP-PIFO, NSDI'20, section 6.1",
        params: &[ClassWeights::PARAM],
    },
    also_known_as: &[],
    needs: None,
    serves: Serves::FairShares,
    range: RankRange::Rising,
    build: |_, params| Ok(Box::new(Stfq::new(ClassWeights::read(params)?))),
};

/// The virtual start times.
#[derive(Debug, Clone)]
pub struct Stfq {
    virtual_time: u64,
    /// Finish time of the last packet of each flow.
    finish: FlowState<u64>,
    weights: ClassWeights,
}

impl Stfq {
    /// Creates a fair queue in which the flows of a class have the class's weight.
    #[must_use]
    pub fn new(weights: ClassWeights) -> Self {
        Self { virtual_time: 0, finish: FlowState::default(), weights }
    }
}

impl RankFn for Stfq {
    fn rank(&mut self, _: Time, packet: &Packet) -> u64 {
        self.virtual_time.max(self.finish.get(packet.flow))
    }

    fn queued(&mut self, packet: &Packet) {
        let weight = self.weights.of(packet.class);
        let service = u64::from(packet.size_bytes) * UNITS_PER_BYTE / u64::from(weight);
        // Flows that have finished start at the virtual time, as new ones do.
        let now = self.virtual_time;
        *self.finish.get_mut_forgetting(packet.flow, |&finish| finish <= now) = packet.rank + service;
    }

    fn evicted(&mut self, packet: &Packet) {
        // The highest rank of a flow is its last packet, so the flow now finishes
        // where that would have started.
        *self.finish.get_mut(packet.flow) = packet.rank;
    }

    fn dequeued(&mut self, _: Time, packet: &mut Packet) {
        // Ranks of an approximate queue may leave out of order; time does not.
        self.virtual_time = self.virtual_time.max(packet.rank);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::{ClassId, FlowId};

    fn offer(stfq: &mut Stfq, flow: u32, size_bytes: u32) -> u64 {
        let mut packet = Packet { flow: FlowId(flow), size_bytes, ..Packet::default() };
        packet.rank = stfq.rank(Time::ZERO, &packet);
        stfq.queued(&packet);
        packet.rank
    }

    #[test]
    fn a_flow_starts_where_it_finished_and_an_idle_one_starts_now() {
        let mut stfq = Stfq::new(ClassWeights::default());
        assert_eq!([offer(&mut stfq, 0, 100), offer(&mut stfq, 0, 100)], [0, 25_600]);
        assert_eq!(offer(&mut stfq, 7, 50), 0, "another flow does not wait for the first");
        stfq.dequeued(Time::ZERO, &mut Packet { rank: 25_600, ..Packet::default() });
        assert_eq!(offer(&mut stfq, 3, 50), 25_600, "a flow that was idle has saved nothing up");
        assert_eq!(offer(&mut stfq, 0, 100), 51_200);
    }

    #[test]
    fn weight_two_advances_half_as_fast() {
        let mut stfq = Stfq::new(ClassWeights::from([(ClassId(0), 2)]));
        assert_eq!([offer(&mut stfq, 0, 100), offer(&mut stfq, 0, 100)], [0, 12_800]);
    }
}
