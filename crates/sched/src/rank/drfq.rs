//! Dominant resource fair queueing (DRFQ): flows get equal shares of the resource that each of them needs most.
//!
//! A packet needs time of two resources: its work at the processor, and its transmission time at the link behind the processor. Its start
//! and finish are virtual times. With `memory = "none"`, `start = max(virtual time, finish of its flow)` and `finish = start + the larger
//! of both times`; virtual time is the start of the packet served last. So each packet is charged for the resource that it needs most.
//!
//! With `memory = "resources"` each resource has its own virtual time, and each flow has a start and a finish at each resource
//! (dovetailing). Packets are served by the larger of their two starts. If the packets of a flow alternate between the resources, the flow
//! is then charged for the resource that its packets need most in total. A flow that has used only one resource owes nothing at the other.
//!
//! With `round`, packets whose starts lie in the same round are served in order of arrival. Rounds replace sorting: a queue of a few FIFOs,
//! one for each round, is enough. Virtual time then is the beginning of the round, and the service of flows differs by less than a round.
//! DRFQ is from the source; the rounds are our own.
//!
//! The thesis names DRFQ among the kinds of fair queueing that are no defence against flows that cost nothing to open. Fairness needs
//! `drop = "worst-first"`, as with `job-fair`.

use crate::flow_state::FlowState;
use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, Field, FlowId, Packet, ParamSpec, Rate, Time};
use std::collections::{HashMap, VecDeque};

/// The registry's entry for [`Drfq`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "drfq",
        title: "Dominant resource fair queueing (DRFQ) of processor and link, fair with drop = \"worst-first\": rank = virtual start, ps",
        exactness: Exactness::NotApplicable,
        hardware: "an estimate of the work per packet, two finish times per flow and two virtual clocks",
        cost: "O(1); 16 bytes per flow that ever began, also elsewhere in the network, and 16 bytes per waiting packet",
        source: "Ghodsi, Sekar, Zaharia and Stoica: SIGCOMM'12; named in SurgeProtector (thesis), sections 3.4.2 and 3.8",
        params: &[
            ParamSpec::rate("link", "10 Gbps", "rate of the link, at which bytes take time"),
            ParamSpec::choice(
                "memory",
                &["none", "resources"],
                "none",
                "none: each packet is charged for the resource that it needs most; resources: each flow is charged for the \
                 resource that all its packets together need most (dovetailing)",
            ),
            ParamSpec {
                name: "round",
                kind: ParamKind::Integer { min: 1, max: 1 << 40, default: Some(1) },
                meaning: "virtual time in ps that counts as one rank: packets of one round are served in order of arrival",
            },
        ],
    },
    also_known_as: &["dominant-resource-fair-queueing"],
    needs: Some(Field::Processing),
    serves: Serves::FairShares,
    range: RankRange::Rising,
    build: |_, params| {
        let memory = if params.text("memory") == "resources" { Memory::Resources } else { Memory::None };
        Ok(Box::new(Drfq::new(params.rate("link"), memory, params.integer("round").unwrap_or(1))))
    },
};

/// The resource for which a flow is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// A flow is charged for each packet at the resource that the packet needs most.
    None,
    /// A flow is charged at each resource for what its packets need there.
    Resources,
}

/// Virtual times at the processor and at the link, in picoseconds.
type Times = [u64; 2];

/// The virtual starts of packets.
#[derive(Debug, Clone)]
pub struct Drfq {
    link: Rate,
    memory: Memory,
    round: u64,
    virtual_time: Times,
    /// Finish times of the last packet of each flow.
    finish: FlowState<Times>,
    /// Starts of the packets of each flow that wait, in their order.
    waiting: HashMap<FlowId, VecDeque<Times>>,
}

impl Drfq {
    /// Creates DRFQ for a processor with a link of the rate `link` behind it; `round` picoseconds of virtual time are one rank.
    ///
    /// # Panics
    /// If `round` is 0.
    #[must_use]
    pub fn new(link: Rate, memory: Memory, round: u64) -> Self {
        assert!(round > 0, "a round takes time");
        let (virtual_time, finish) = ([0; 2], FlowState::default());
        Self { link, memory, round, virtual_time, finish, waiting: HashMap::new() }
    }

    /// Returns the time that a packet needs of each resource.
    fn needs(&self, packet: &Packet) -> Times {
        let needs = [packet.processing.as_ps(), self.link.transmission_time(packet.size_bytes).as_ps()];
        match self.memory {
            Memory::None => [needs[0].max(needs[1]); 2],
            Memory::Resources => needs,
        }
    }

    fn starts(&self, flow: FlowId) -> Times {
        let finish = self.finish.get(flow);
        [0, 1].map(|resource| self.virtual_time[resource].max(finish[resource]))
    }
}

impl RankFn for Drfq {
    fn rank(&mut self, _: Time, packet: &Packet) -> u64 {
        let [processor, link] = self.starts(packet.flow);
        processor.max(link) / self.round
    }

    fn queued(&mut self, packet: &Packet) {
        // Nothing has changed since the packet was ranked.
        let (starts, needs) = (self.starts(packet.flow), self.needs(packet));
        *self.finish.get_mut(packet.flow) = [0, 1].map(|resource| starts[resource].saturating_add(needs[resource]));
        self.waiting.entry(packet.flow).or_default().push_back(starts);
    }

    fn evicted(&mut self, packet: &Packet) {
        // The highest rank of a flow is its last packet, so the flow now finishes where that would have started.
        if let Some(starts) = self.take(packet.flow, VecDeque::pop_back) {
            *self.finish.get_mut(packet.flow) = starts;
        }
    }

    fn dequeued(&mut self, _: Time, packet: &mut Packet) {
        if let Some(starts) = self.take(packet.flow, VecDeque::pop_front) {
            // Ranks of an approximate queue may leave out of order; time does not. It stands at the beginning of a round, so that nobody
            // loses what is left of the round to a flow that was served before.
            let begun = starts.map(|start| start - start % self.round);
            self.virtual_time = [0, 1].map(|resource| self.virtual_time[resource].max(begun[resource]));
        }
    }
}

impl Drfq {
    /// Takes the starts of a waiting packet from one end of its flow.
    fn take(&mut self, flow: FlowId, end: impl Fn(&mut VecDeque<Times>) -> Option<Times>) -> Option<Times> {
        let waiting = self.waiting.get_mut(&flow)?;
        let starts = end(waiting);
        if waiting.is_empty() {
            self.waiting.remove(&flow);
        }
        starts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Duration;

    fn offer(drfq: &mut Drfq, flow: u32, work_ps: u64, bytes: u32) -> u64 {
        let processing = Duration::from_ps(work_ps);
        let mut packet = Packet { flow: FlowId(flow), processing, size_bytes: bytes, ..Packet::default() };
        packet.rank = drfq.rank(Time::ZERO, &packet);
        drfq.queued(&packet);
        packet.rank
    }

    /// A byte takes 8 ns.
    fn new(memory: Memory, round: u64) -> Drfq {
        Drfq::new(Rate::parse("1 Gbps").unwrap(), memory, round)
    }

    #[test]
    fn a_packet_is_charged_with_what_it_needs_most() {
        let mut drfq = new(Memory::None, 1);
        assert_eq!(
            [(9_000, 1), (1, 2), (5, 1)].map(|(work, bytes)| offer(&mut drfq, 0, work, bytes)),
            [0, 9_000, 25_000]
        );
        assert_eq!(offer(&mut drfq, 1, 7, 1), 0, "another flow does not wait for the first");
    }

    #[test]
    fn with_memory_a_flow_is_charged_with_what_its_packets_need_most_together() {
        let mut drfq = new(Memory::Resources, 1);
        // Now 16,000 ps of the processor, now 16,000 ps of the link: both together are 16,000 of each.
        assert_eq!(
            [(16_000, 0), (0, 2), (16_000, 0), (0, 2)].map(|(work, bytes)| offer(&mut drfq, 0, work, bytes)),
            [0, 16_000, 16_000, 32_000]
        );
        let mut none = new(Memory::None, 1);
        assert_eq!(
            [(16_000, 0), (0, 2), (16_000, 0)].map(|(work, bytes)| offer(&mut none, 0, work, bytes)),
            [0, 16_000, 32_000]
        );
    }

    #[test]
    fn rounds_are_ranks() {
        let mut drfq = new(Memory::None, 10_000);
        assert_eq!([9_000, 9_000, 9_000].map(|work| offer(&mut drfq, 0, work, 1)), [0, 0, 1]);
    }
}
