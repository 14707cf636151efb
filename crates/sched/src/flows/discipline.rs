//! A discipline that keeps each flow in order: a flow rank, a drop rule and an order of flows.

use super::load::{FlowRankEntry, Job};
use super::order::{FlowOrder, by_name};
use super::queue::FlowQueue;
use super::rank::FLOW_RANKS;
use crate::spec::{DisciplineError, DisciplineSpec, MAX_SLOTS, unknown};
use forebay_core::registry::find;
use forebay_core::{BufferSize, Counter, Discipline, FlowId, Packet, Params, Time, Verdict, convert};
use std::hash::{BuildHasherDefault, DefaultHasher};

/// A [`FlowQueue`] of packets as simulations have it: boxed order, and a hasher without a random key, so that a run is
/// the same each time.
type PacketFlows = FlowQueue<FlowId, Packet, Box<dyn FlowOrder + Send>, BuildHasherDefault<DefaultHasher>>;

/// Packets wait in FIFO order inside their flow; the head of the flow of lowest rank is sent next.
///
/// Admission is virtual, as in [`RankDiscipline`](crate::RankDiscipline): the arriving packet counts as queued, and the last packet of the
/// worst flow is dropped until the rest fits. The dropped packet may be the arriving one.
///
/// A packet's rank is the rank of its flow just after the packet's arrival. The rank of the flow may change while the packet waits.
pub struct FlowDiscipline {
    pub(super) flows: PacketFlows,
    rank: &'static FlowRankEntry,
    buffer: BufferSize,
    /// Whether the drop rule is worst first; otherwise the arriving packet is dropped if it does not fit.
    worst_first: bool,
}

impl FlowDiscipline {
    /// Builds the discipline from its parts; `spec.rank` names one of [`FLOW_RANKS`].
    ///
    /// # Errors
    /// If a name or a parameter is unknown, or the parts do not fit each other.
    pub fn new(spec: &DisciplineSpec) -> Result<Self, DisciplineError> {
        use DisciplineError as E;
        let rank = find("flow rank", FLOW_RANKS, &spec.rank.name).map_err(|text| E::Rank(unknown(text)))?;
        Params::check(rank.about.params, spec.rank.params.clone()).map_err(E::Rank)?;
        let slots = spec.buffer.slots();
        if slots > MAX_SLOTS {
            return Err(E::Buffer(format!("a buffer of {} is more than {MAX_SLOTS} packets", spec.buffer)));
        }
        if spec.pace.is_some() {
            return Err(E::Pace(unknown(format!(
                "`{}` ranks flows, which are not held back; leave `pace` out",
                rank.about.name
            ))));
        }
        let drop = spec.drop.drop_entry().map_err(|text| E::Drop(unknown(text)))?;
        Params::check(drop.about.params, spec.drop.params.clone()).map_err(E::Drop)?;
        let worst_first = match drop.about.name {
            "tail" => false,
            "worst-first" => true,
            _ => {
                let message = format!(
                    "drop = \"{}\" chooses between packets, but `{}` ranks flows; use drop = \"worst-first\" or \
                     \"tail\"",
                    spec.drop.name, rank.about.name
                );
                return Err(E::Drop(unknown(message)));
            }
        };
        // One more, for the arriving packet while it is weighed against the rest.
        let places = convert::index(slots) + 1;
        let order = by_name(&spec.queue, places).map_err(E::Queue)?;
        let flows = FlowQueue::new(order, rank.rank, spec.rank_unit, BuildHasherDefault::default());
        Ok(Self { flows, rank, buffer: spec.buffer, worst_first })
    }

    /// Turns the empty discipline into its serial form: a flow is held back while one of its packets is in service.
    pub(super) fn serial(mut self, servers: usize) -> Self {
        self.flows = self.flows.serial(servers);
        self
    }

    /// Whether the backlog fits together with `packets` of `bytes` more.
    fn fits(&self, packets: usize, bytes: u32) -> bool {
        let packets = self.flows.len() + packets;
        match self.buffer {
            BufferSize::Packets(limit) => packets as u64 <= limit,
            BufferSize::Bytes(limit) => {
                self.flows.bytes() + u64::from(bytes) <= limit && packets < self.flows.capacity()
            }
        }
    }

    /// Returns the rank that the packet's flow would have with the packet.
    fn rank_with(&self, packet: &Packet) -> u64 {
        let mut load = self.flows.load(packet.flow);
        let job = job(packet);
        load.add(job);
        if load.items == 1 {
            load.head = job;
        }
        (self.rank.rank)(&load)
    }
}

fn job(packet: &Packet) -> Job {
    Job { work: packet.processing, bytes: packet.size_bytes }
}

impl Discipline for FlowDiscipline {
    fn enqueue(&mut self, _: Time, mut packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        let rank = self.rank_with(&packet);
        packet.rank = rank;
        let has_room = self.worst_first || self.fits(1, packet.size_bytes);
        if !has_room || self.flows.push(packet.flow, job(&packet), packet).is_err() {
            return Verdict::Refused { rank };
        }
        while !self.fits(0, 0) {
            match self.flows.drop_worst() {
                // The last of its flow is the one that has just come.
                Some(victim) if victim.flow == packet.flow => return Verdict::Refused { rank },
                Some(victim) => evicted.push(victim.item),
                None => break,
            }
        }
        Verdict::Queued { rank }
    }

    fn dequeue(&mut self, _: Time) -> Option<Packet> {
        self.flows.take().map(|taken| taken.item)
    }

    fn len(&self) -> usize {
        self.flows.len()
    }

    fn bytes(&self) -> u64 {
        self.flows.bytes()
    }

    fn counters(&self) -> Vec<Counter> {
        vec![Counter { name: "ranks_clamped", value: self.flows.ranks_clamped() }]
    }
}
