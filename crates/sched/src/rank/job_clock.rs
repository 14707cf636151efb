//! Virtual clock of service time: each flow's clock advances by the work of its packets, and is never before the present time.
//!
//! `start = max(arrival, clock of its flow)`, `clock = start + work`; the rank is the clock. So a flow without queued packets starts at the
//! time of its packet's arrival, whereas [`JobFair`](super::job_fair::JobFair) starts it at the virtual time. The proof of claim 4 in the
//! thesis counts jobs by such clocks: jobs with a clock of at most T are served before later arrivals. The rank of a flow's only packet is
//! its arrival plus its own work.
//!
//! Fairness needs `drop = "worst-first"`, as with `job-fair`.

use crate::flow_state::FlowState;
use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use forebay_core::{About, Exactness, Field, Packet, Time};

/// The registry's entry for [`JobClock`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "job-clock",
        title: "Virtual clock of service time, fair with drop = \"worst-first\": rank = clock of the flow in ps",
        exactness: Exactness::NotApplicable,
        hardware: "an estimate of the work per packet, one clock per flow and the time",
        cost: "O(1); 8 bytes per flow, given back when all that began with it have fallen behind the time",
        source: "Zhang: SIGCOMM'90; as counted in SurgeProtector (thesis), section 3.4.2, claim 4",
        params: &[],
    },
    also_known_as: &["virtual-clock"],
    needs: Some(Field::Processing),
    serves: Serves::FairShares,
    range: RankRange::Rising,
    build: |_, _| Ok(Box::new(JobClock::default())),
};

/// The clocks of flows in picoseconds.
#[derive(Debug, Clone, Default)]
pub struct JobClock {
    clocks: FlowState<u64>,
}

impl RankFn for JobClock {
    fn rank(&mut self, now: Time, packet: &Packet) -> u64 {
        let start = now.as_ps().max(self.clocks.get(packet.flow));
        start.saturating_add(packet.processing.as_ps())
    }

    fn queued(&mut self, packet: &Packet) {
        let start = packet.rank.saturating_sub(packet.processing.as_ps());
        *self.clocks.get_mut_forgetting(packet.flow, |&clock| clock <= start) = packet.rank;
    }

    fn evicted(&mut self, packet: &Packet) {
        // The highest rank of a flow is its last packet, so its clock now stands where that would have started.
        *self.clocks.get_mut(packet.flow) = packet.rank.saturating_sub(packet.processing.as_ps());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::{Duration, FlowId};

    fn packet(flow: u32, work_ps: u64) -> Packet {
        Packet { flow: FlowId(flow), processing: Duration::from_ps(work_ps), size_bytes: 64, ..Packet::default() }
    }

    fn offer(clock: &mut JobClock, now_ps: u64, flow: u32, work_ps: u64) -> Packet {
        let mut packet = packet(flow, work_ps);
        packet.rank = clock.rank(Time::from_ps(now_ps), &packet);
        clock.queued(&packet);
        packet
    }

    #[test]
    fn a_flow_starts_at_the_time_of_its_arrival_or_behind_its_own_packets() {
        let mut clock = JobClock::default();
        assert_eq!([0, 5, 9].map(|now| offer(&mut clock, now, 0, 100).rank), [100, 200, 300]);
        assert_eq!(offer(&mut clock, 9, 1, 50).rank, 59, "another flow does not wait for the first");
        assert_eq!(offer(&mut clock, 900, 0, 100).rank, 1_000, "a flow that was idle has saved nothing up");
    }

    #[test]
    fn a_packet_that_is_pushed_out_gives_its_work_back() {
        let mut clock = JobClock::default();
        offer(&mut clock, 0, 0, 100);
        let last = offer(&mut clock, 0, 0, 70);
        clock.evicted(&last);
        assert_eq!(offer(&mut clock, 0, 0, 30).rank, 130);
    }

    #[test]
    fn a_clock_that_is_ahead_is_not_forgotten() {
        let mut clock = JobClock::default();
        offer(&mut clock, 10, 0, 1_000);
        // Flows of other pages, which give pages back that have fallen behind.
        for flow in (1..20).map(|page| page * 300) {
            offer(&mut clock, 11, flow, 1);
        }
        assert_eq!(offer(&mut clock, 12, 0, 1).rank, 1_011);
    }
}
