//! Why a pipelined queue needs a PIFO in front: the example of BBQ (NSDI'24), appendix C.1, Figure 18.
//!
//! Flows that always have packets wait in a queue by strict priority. A scheduled flow re-enters the queue, and the link sends a packet
//! every few cycles, fewer than the queue's latency. As in the figure, a dequeue extracts a flow in the cycle after its issue and returns
//! the flow `latency` cycles after its issue.
//!
//! Two measures compare the ways to manage the queue. The first is the utilisation of the link. The second is the number of packets that
//! are sent before a flow of highest priority that begins to wait ([`Example::overtaken`]).

use crate::queues::latency_free::{Extracted, LatencyFree, Ties};
use crate::queues::pipelined::Pipelined;
use crate::queues::queue::pifo::Pifo;
use crate::queues::traits::RankQueue;
use forebay_core::convert;

/// The management of the queue's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Management {
    /// A dequeue is issued when the previous flow has re-entered the queue.
    Wait,
    /// A dequeue is issued for every packet that the link can send.
    Concurrent,
    /// As [`Wait`](Self::Wait), but a scheduled flow sends this number of packets in a row, at least one. If a burst takes as long as an
    /// answer, the link is never idle (note 12). A flow that begins to wait then waits for the burst whose dequeue is in flight, and for
    /// the rest of the burst before it.
    Bursts(usize),
    /// A PIFO of `latency` + 1 flows is in front of the queue.
    LatencyFree,
}

/// The link and its queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The number of flows; the lower a flow's number, the higher its priority.
    pub flows: u64,
    /// The number of cycles from the issue of a dequeue to its answer, at least 2.
    pub latency: usize,
    /// The number of cycles in which the link sends a packet.
    pub packet_cycles: usize,
}

impl Example {
    /// Figure 18: flows A, B, C and D, 4 cycles of latency, a packet every 2 cycles.
    pub const FIGURE_18: Self = Self { flows: 4, latency: 4, packet_cycles: 2 };

    /// Returns the cycle and the flow of each scheduling decision in the first `cycles` cycles.
    ///
    /// # Panics
    /// If the latency is below 2 or the link's packets take no time.
    #[must_use]
    pub fn schedule(&self, management: Management, cycles: usize) -> Vec<(usize, u64)> {
        self.schedule_from(management, cycles, 0)
    }

    /// Returns the most packets of other flows that are sent between the start of flow 0's wait and its scheduling. The maximum is over all
    /// waits that start in the first `cycles` cycles.
    ///
    /// # Panics
    /// As [`schedule`](Self::schedule).
    #[must_use]
    pub fn overtaken(&self, management: Management, cycles: usize) -> usize {
        let before_it = |begins: usize| {
            let schedule = self.schedule_from(management, 2 * cycles, begins);
            schedule.iter().filter(|(cycle, _)| *cycle > begins).take_while(|(_, flow)| *flow != 0).count()
        };
        (1..cycles).map(before_it).max().unwrap_or(0)
    }

    /// Returns the schedule if flow 0 begins to wait in cycle `begins`, and the other flows in the first cycle.
    fn schedule_from(&self, management: Management, cycles: usize, begins: usize) -> Vec<(usize, u64)> {
        assert!(self.latency >= 2 && self.packet_cycles > 0, "packets and answers take time");
        match management {
            Management::Wait => self.pipelined(cycles, self.latency, 1, begins),
            Management::Concurrent => self.pipelined(cycles, self.packet_cycles, 1, begins),
            Management::Bursts(packets) => {
                let packets = packets.max(1);
                self.pipelined(cycles, self.latency.max(packets * self.packet_cycles), packets, begins)
            }
            Management::LatencyFree => self.latency_free(cycles, begins),
        }
    }

    fn all_flows(&self) -> usize {
        convert::index(self.flows)
    }

    /// Returns the schedule with a dequeue every `period` cycles, from cycle 0. Each flow that a dequeue returns sends `packets` packets.
    fn pipelined(&self, cycles: usize, period: usize, packets: usize, begins: usize) -> Vec<(usize, u64)> {
        let mut queue = Pifo::new(self.all_flows());
        for flow in u64::from(begins > 0)..self.flows {
            let pushed = queue.push(flow, ());
            debug_assert!(pushed.is_ok(), "there is room for every flow");
        }
        // The first of the cycles is that from issue to extraction.
        let mut pipeline = Pipelined::new(queue, self.latency - 1);
        let mut scheduled = Vec::new();
        for cycle in 1..cycles {
            if cycle == begins {
                let pushed = pipeline.push(0, ());
                debug_assert!(pushed.is_ok(), "there is room for every flow");
            }
            if let Some((flow, ())) = pipeline.step((cycle - 1).is_multiple_of(period)) {
                scheduled.extend((0..packets).map(|packet| (cycle + packet * self.packet_cycles, flow)));
                let pushed = pipeline.push(flow, ());
                debug_assert!(pushed.is_ok(), "there is room for every flow");
            }
        }
        scheduled.retain(|(cycle, _)| *cycle < cycles);
        scheduled
    }

    /// Returns the schedule with an extraction for every packet. The extracted flow re-enters in the next cycle, or in the cycle after flow
    /// 0's arrival.
    fn latency_free(&self, cycles: usize, begins: usize) -> Vec<(usize, u64)> {
        let large = Pipelined::new(Pifo::new(self.all_flows()), self.latency);
        let mut system = LatencyFree::new(self.latency + 1, large, Ties::ByArrival);
        for flow in u64::from(begins > 0)..self.flows {
            system.step(Some((flow, ())), false);
        }
        let mut scheduled = Vec::new();
        let mut goes_back = None;
        for cycle in 0..cycles {
            let comes = if begins > 0 && cycle == begins { Some(0) } else { goes_back.take() };
            let step = system.step(comes.map(|flow| (flow, ())), cycle.is_multiple_of(self.packet_cycles));
            if let Extracted::Element(flow, ()) = step.extracted {
                scheduled.push((cycle, flow));
                goes_back = Some(flow);
            }
        }
        scheduled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: u64 = 0;
    const B: u64 = 1;

    #[test]
    fn the_schedules_are_those_of_the_paper() {
        let schedule = |management| Example::FIGURE_18.schedule(management, 17);
        // "flows can only be scheduled every 4 cycles, wasting half the link bandwidth"
        assert_eq!(schedule(Management::Wait), [(4, A), (8, A), (12, A), (16, A)]);
        // "at t = 6, the second DEQUEUE operation completes, yielding B"; A, back at
        // 4, is extracted at 5, and B, back at 6, again at 7.
        assert_eq!(schedule(Management::Concurrent), [(4, A), (6, B), (8, A), (10, B), (12, A), (14, B), (16, A)]);
        // Theorem 1: the highest priority is always served, at the rate of the link.
        let every_packet: Vec<(usize, u64)> = (0..17).step_by(2).map(|cycle| (cycle, A)).collect();
        assert_eq!(schedule(Management::LatencyFree), every_packet);
    }

    #[test]
    fn bursts_as_long_as_an_answer_use_the_link_and_delay_what_begins_to_wait() {
        let schedule = |packets| Example::FIGURE_18.schedule(Management::Bursts(packets), 17);
        assert_eq!(schedule(1), Example::FIGURE_18.schedule(Management::Wait, 17));
        let every_packet: Vec<(usize, u64)> = (4..17).step_by(2).map(|cycle| (cycle, A)).collect();
        assert_eq!([schedule(2), schedule(3)], [every_packet.clone(), every_packet], "note 12: the latency is hidden");
        let overtaken = |management| Example::FIGURE_18.overtaken(management, 200);
        let bursts = [1, 2, 3, 8].map(|packets| overtaken(Management::Bursts(packets)));
        assert_eq!(bursts, [1, 2, 3, 8], "the burst whose dequeue is under way");
        assert_eq!([overtaken(Management::Wait), overtaken(Management::Concurrent)], [1, 1]);
        assert_eq!(overtaken(Management::LatencyFree), 0);
    }

    /// For any link and queue, the smallest burst that uses all of the link is the quotient of both. A flow that begins to wait is
    /// overtaken by fewer packets than two bursts have.
    #[test]
    fn a_burst_trades_the_link_for_the_wait() {
        for latency in 2..12 {
            for packet_cycles in 1..5 {
                let example = Example { flows: 5, latency, packet_cycles };
                for packets in 1..8 {
                    let cycles = 60 * latency.max(packets * packet_cycles);
                    let sent = example.schedule(Management::Bursts(packets), cycles + latency).len();
                    let is_used = sent * packet_cycles >= cycles;
                    assert_eq!(is_used, packets >= latency.div_ceil(packet_cycles), "{example:?}, bursts of {packets}");
                    let overtaken =
                        example.overtaken(Management::Bursts(packets), 2 * latency.max(packets * packet_cycles));
                    assert!((packets - 1..2 * packets).contains(&overtaken), "{example:?}, {packets}: {overtaken}");
                }
            }
        }
    }

    #[test]
    fn a_front_smaller_than_the_flows_still_serves_the_best() {
        let crowd = Example { flows: 50, latency: 7, packet_cycles: 2 };
        let schedule = crowd.schedule(Management::LatencyFree, 1_000);
        assert_eq!(schedule.len(), 500);
        assert!(schedule.iter().all(|&(_, flow)| flow == A));
    }
}
