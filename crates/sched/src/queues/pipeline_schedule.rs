//! Why a pipelined queue needs a PIFO in front: the example of BBQ (NSDI'24),
//! appendix C.1, Figure 18.
//!
//! Flows that always have packets wait in a queue by strict priority. A flow that
//! is scheduled goes back into the queue, and the link sends a packet every few
//! cycles, fewer than the queue's latency. As in the figure, a dequeue that is
//! issued in a cycle extracts a flow in the next and yields it `latency` cycles
//! after it was issued.

use crate::queues::latency_free::{Extracted, LatencyFree, Ties};
use crate::queues::pipelined::Pipelined;
use crate::queues::queue::pifo::Pifo;
use crate::queues::traits::RankQueue;
use forebay_core::convert;

/// How the state of the queue is managed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Management {
    /// A dequeue is issued when the flow before has gone back.
    Wait,
    /// A dequeue is issued for every packet that the link can send.
    Concurrent,
    /// A PIFO of `latency` + 1 flows is in front of the queue.
    LatencyFree,
}

/// The link and its queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// Flows; the lower the number, the higher the priority.
    pub flows: u64,
    /// Cycles from issuing a dequeue to its flow, at least 2.
    pub latency: usize,
    /// The link sends a packet every so many cycles.
    pub packet_cycles: usize,
}

impl Example {
    /// Figure 18: flows A, B, C and D, 4 cycles of latency, a packet every 2 cycles.
    pub const FIGURE_18: Self = Self { flows: 4, latency: 4, packet_cycles: 2 };

    /// When which flow is scheduled in the first `cycles` cycles.
    ///
    /// # Panics
    /// If the latency is below 2 or the link's packets take no time.
    #[must_use]
    pub fn schedule(&self, management: Management, cycles: usize) -> Vec<(usize, u64)> {
        assert!(self.latency >= 2 && self.packet_cycles > 0, "packets and answers take time");
        match management {
            Management::Wait => self.pipelined(cycles, self.latency),
            Management::Concurrent => self.pipelined(cycles, self.packet_cycles),
            Management::LatencyFree => self.latency_free(cycles),
        }
    }

    fn all_flows(&self) -> usize {
        convert::index(self.flows)
    }

    /// A dequeue every `period` cycles, from cycle 0.
    fn pipelined(&self, cycles: usize, period: usize) -> Vec<(usize, u64)> {
        let mut queue = Pifo::new(self.all_flows());
        for flow in 0..self.flows {
            let pushed = queue.push(flow, ());
            debug_assert!(pushed.is_ok(), "there is room for every flow");
        }
        // The first of the cycles is that from issue to extraction.
        let mut pipeline = Pipelined::new(queue, self.latency - 1);
        let mut scheduled = Vec::new();
        for cycle in 1..cycles {
            if let Some((flow, ())) = pipeline.step((cycle - 1).is_multiple_of(period)) {
                scheduled.push((cycle, flow));
                let pushed = pipeline.push(flow, ());
                debug_assert!(pushed.is_ok(), "there is room for every flow");
            }
        }
        scheduled
    }

    /// An extraction every packet; the flow goes back in the cycle after it.
    fn latency_free(&self, cycles: usize) -> Vec<(usize, u64)> {
        let large = Pipelined::new(Pifo::new(self.all_flows()), self.latency);
        let mut system = LatencyFree::new(self.latency + 1, large, Ties::ByArrival);
        for flow in 0..self.flows {
            system.step(Some((flow, ())), false);
        }
        let mut scheduled = Vec::new();
        let mut goes_back = None;
        for cycle in 0..cycles {
            let step = system.step(goes_back.take().map(|flow| (flow, ())), cycle.is_multiple_of(self.packet_cycles));
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
    fn a_front_smaller_than_the_flows_still_serves_the_best() {
        let crowd = Example { flows: 50, latency: 7, packet_cycles: 2 };
        let schedule = crowd.schedule(Management::LatencyFree, 1_000);
        assert_eq!(schedule.len(), 500);
        assert!(schedule.iter().all(|&(_, flow)| flow == A));
    }
}
