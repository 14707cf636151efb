//! Start-time fair queueing of service time: flows get equal shares of a processor, whatever their packets cost.
//!
//! This works as [`Stfq`](super::stfq::Stfq), but each flow is charged for the work of its packets: `start = max(virtual time, finish of
//! its flow)`, `finish = start + work`; virtual time is the start of the packet served last. The thesis shows that this fair queueing is no
//! defence: an attacker who opens more flows gets more shares.
//!
//! Fairness needs `drop = "worst-first"`, as with `stfq`.

use crate::flow_state::FlowState;
use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use forebay_core::{About, Exactness, Field, Packet, Time};

/// The registry's entry for [`JobFair`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "job-fair",
        title: "Fair queueing (FQ) of service time, fair with drop = \"worst-first\": rank = virtual start time in ps",
        exactness: Exactness::NotApplicable,
        hardware: "an estimate of the work per packet, one finish time per flow and a virtual clock",
        cost: "O(1); 8 bytes per flow that ever began, also elsewhere in the network",
        source: "Goyal, Vin, Cheng: SIGCOMM'96; as used in SurgeProtector (thesis), section 3.4.2",
        params: &[],
    },
    also_known_as: &["fq"],
    needs: Some(Field::Processing),
    serves: Serves::FairShares,
    range: RankRange::Rising,
    build: |_, _| Ok(Box::new(JobFair::default())),
};

/// The virtual start times in picoseconds of work.
#[derive(Debug, Clone, Default)]
pub struct JobFair {
    virtual_time: u64,
    /// Finish time of the last packet of each flow.
    finish: FlowState<u64>,
}

impl RankFn for JobFair {
    fn rank(&mut self, _: Time, packet: &Packet) -> u64 {
        self.virtual_time.max(self.finish.get(packet.flow))
    }

    fn queued(&mut self, packet: &Packet) {
        *self.finish.get_mut(packet.flow) = packet.rank.saturating_add(packet.processing.as_ps());
    }

    fn evicted(&mut self, packet: &Packet) {
        // The highest rank of a flow is its last packet, so the flow now finishes where that would have started.
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
    use forebay_core::{Duration, FlowId};

    fn offer(fair: &mut JobFair, flow: u32, work_ps: u64) -> u64 {
        let mut packet =
            Packet { flow: FlowId(flow), processing: Duration::from_ps(work_ps), size_bytes: 64, ..Packet::default() };
        packet.rank = fair.rank(Time::ZERO, &packet);
        fair.queued(&packet);
        packet.rank
    }

    #[test]
    fn a_flow_is_charged_with_its_work_and_not_with_its_bytes() {
        let mut fair = JobFair::default();
        assert_eq!([offer(&mut fair, 0, 100), offer(&mut fair, 0, 7), offer(&mut fair, 0, 1)], [0, 100, 107]);
        assert_eq!(offer(&mut fair, 7, 50), 0, "another flow does not wait for the first");
        fair.dequeued(Time::ZERO, &mut Packet { rank: 107, ..Packet::default() });
        assert_eq!(offer(&mut fair, 3, 50), 107, "a flow that was idle has saved nothing up");
    }
}
