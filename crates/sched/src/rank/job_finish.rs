//! Self-clocked fair queueing of service time: flows are served in the order in which their packets would finish.
//!
//! This works as [`JobFair`](super::job_fair::JobFair), but `finish = max(virtual time, finish of its flow) + work` is the rank, and
//! virtual time is the finish of the packet served last (Golestani). Fair queueing as first published orders packets by their finish, too.
//! Claim 4 of the SurgeProtector thesis counts in this way: an attack packet with work `J_max` that is a flow of its own is served `J_max`
//! after its arrival. So expensive packets wait longer than under `job-fair`, which orders by the start.
//!
//! Fairness needs `drop = "worst-first"`, as with `job-fair`.

use crate::flow_state::FlowState;
use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use forebay_core::{About, Exactness, Field, Packet, Time};

/// The registry's entry for [`JobFinish`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "job-finish",
        title: "Fair queueing of service time by finish, fair with drop = \"worst-first\": rank = virtual finish time in ps",
        exactness: Exactness::NotApplicable,
        hardware: "an estimate of the work per packet, one finish time per flow and a virtual clock",
        cost: "O(1); 8 bytes per flow, given back when all that began with it have fallen behind virtual time",
        source: "Golestani, INFOCOM'94; Demers, Keshav, Shenker, SIGCOMM'89; SurgeProtector (thesis), claim 4",
        params: &[],
    },
    also_known_as: &["scfq"],
    needs: Some(Field::Processing),
    serves: Serves::FairShares,
    range: RankRange::Rising,
    build: |_, _| Ok(Box::new(JobFinish::default())),
};

/// The virtual finish times in picoseconds of work.
#[derive(Debug, Clone, Default)]
pub struct JobFinish {
    virtual_time: u64,
    /// Finish time of the last packet of each flow.
    finish: FlowState<u64>,
}

impl RankFn for JobFinish {
    fn rank(&mut self, _: Time, packet: &Packet) -> u64 {
        let start = self.virtual_time.max(self.finish.get(packet.flow));
        start.saturating_add(packet.processing.as_ps())
    }

    fn queued(&mut self, packet: &Packet) {
        let now = self.virtual_time;
        *self.finish.get_mut_forgetting(packet.flow, |&finish| finish <= now) = packet.rank;
    }

    fn evicted(&mut self, packet: &Packet) {
        // The highest rank of a flow is its last packet, so the flow now finishes where that would have started.
        *self.finish.get_mut(packet.flow) = packet.rank.saturating_sub(packet.processing.as_ps());
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

    fn offer(fair: &mut JobFinish, flow: u32, work_ps: u64) -> Packet {
        let mut packet =
            Packet { flow: FlowId(flow), processing: Duration::from_ps(work_ps), size_bytes: 64, ..Packet::default() };
        packet.rank = fair.rank(Time::ZERO, &packet);
        fair.queued(&packet);
        packet
    }

    #[test]
    fn a_dear_packet_of_a_flow_of_its_own_waits_for_cheap_ones() {
        let mut fair = JobFinish::default();
        assert_eq!([100, 7, 1].map(|work| offer(&mut fair, 0, work).rank), [100, 107, 108]);
        assert_eq!(offer(&mut fair, 7, 500).rank, 500, "behind the others, by its own work");
        fair.dequeued(Time::ZERO, &mut Packet { rank: 108, ..Packet::default() });
        assert_eq!(offer(&mut fair, 3, 50).rank, 158, "a flow that was idle has saved nothing up");
    }

    #[test]
    fn a_packet_that_is_pushed_out_gives_its_work_back() {
        let mut fair = JobFinish::default();
        offer(&mut fair, 0, 100);
        let last = offer(&mut fair, 0, 70);
        fair.evicted(&last);
        assert_eq!(offer(&mut fair, 0, 30).rank, 130);
    }

    #[test]
    fn a_finish_that_is_ahead_is_not_forgotten() {
        let mut fair = JobFinish::default();
        offer(&mut fair, 0, 1_000);
        fair.dequeued(Time::ZERO, &mut Packet { rank: 10, ..Packet::default() });
        // Flows of other pages, which give pages back that have fallen behind.
        for flow in (1..20).map(|page| page * 300) {
            offer(&mut fair, flow, 1);
        }
        assert_eq!(offer(&mut fair, 0, 1).rank, 1_001);
    }
}
