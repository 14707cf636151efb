//! One version of a policy with its engine and the names of its parts.

use crate::traits::{Engine, Occupancy, Waiting};
use forebay_core::{Packet, QueueId, Time};
use forebay_lang::ir::{BufferId, BufferRef, Policy, PortId, PortRef, QueueRef, State};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A version with its engine.
pub(super) struct Version<E> {
    pub(super) number: u32,
    pub(super) policy: Arc<Policy>,
    pub(super) engine: E,
    queues: BTreeMap<String, QueueId>,
    /// For each port of the newest version, the port of the same name.
    ports: Vec<Option<PortId>>,
    /// The occupancy that older versions hold in queues of the same names.
    held: Vec<Occupancy>,
    /// The number of packets by queue at the last check, for older versions.
    seen: Vec<u64>,
    /// The packets from older versions: number, time of arrival and version, sorted, each with its count. Empty if there are none.
    placed: Vec<((u64, Time, u32), u32)>,
    /// The number of such packets that remain.
    placed_there: usize,
}

impl<E: Engine> Version<E> {
    pub(super) fn new(number: u32, policy: Arc<Policy>, engine: E) -> Self {
        let names = policy.queues.iter().map(|queue| queue.name.clone());
        let mut version = Self {
            number,
            queues: names.zip((0..=u16::MAX).map(QueueId)).collect(),
            ports: Vec::new(),
            held: vec![Occupancy::default(); policy.queues.len()],
            seen: Vec::new(),
            placed: Vec::new(),
            placed_there: 0,
            policy,
            engine,
        };
        version.ports = version.ports_named(&version.policy);
        version
    }

    pub(super) fn queue_named(&self, name: &str) -> Option<QueueId> {
        self.queues.get(name).copied()
    }

    pub(super) fn queue_name(&self, queue: QueueId) -> &str {
        &self.policy.queues[usize::from(queue.0)].name
    }

    /// Sets the newest policy, whose ports [`port`](Self::port) expects.
    pub(super) fn answer_to(&mut self, newest: &Policy) {
        self.ports = self.ports_named(newest);
    }

    fn ports_named(&self, newest: &Policy) -> Vec<Option<PortId>> {
        let named = |name: &str| (0..=u16::MAX).map(PortId).zip(&self.policy.ports).find(|(_, port)| port.name == name);
        newest.ports.iter().map(|port| named(&port.name).map(|(id, _)| id)).collect()
    }

    /// Returns the port with the name of a port of the newest version.
    pub(super) fn port(&self, newest: PortId) -> Option<PortId> {
        self.ports.get(usize::from(newest.0)).copied().flatten()
    }

    /// Whether the newest version has all of its ports.
    pub(super) fn has_no_other_port(&self) -> bool {
        self.ports.iter().flatten().count() == self.policy.ports.len()
    }

    pub(super) fn occupancies(&self) -> impl Iterator<Item = (QueueId, Occupancy)> + '_ {
        (0..).map(QueueId).take(self.policy.queues.len()).map(|id| (id, self.engine.occupancy(id)))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.occupancies().all(|(_, occupancy)| occupancy.packets == 0)
    }

    /// Begins to track where packets leave.
    pub(super) fn retire(&mut self) {
        self.seen = self.occupancies().map(|(_, occupancy)| occupancy.packets).collect();
    }

    /// Returns the queue of a port that a packet has left since the last call.
    pub(super) fn queue_left(&mut self, port: PortId) -> Option<QueueId> {
        for &queue in &self.policy.ports[usize::from(port.0)].queues {
            let (now, seen) = (self.engine.occupancy(queue).packets, &mut self.seen[usize::from(queue.0)]);
            if now != *seen {
                *seen = now;
                return Some(queue);
            }
        }
        None
    }

    /// Increases the held occupancy of the queue of this name.
    pub(super) fn hold_more(&mut self, name: &str, more: Occupancy) {
        self.change_held(name, |held| Occupancy {
            packets: held.packets + more.packets,
            bytes: held.bytes + more.bytes,
        });
    }

    /// Subtracts a packet from the held occupancy of the queue of this name.
    pub(super) fn hold_less(&mut self, name: &str, packet: &Packet) {
        self.change_held(name, |held| Occupancy {
            packets: held.packets - 1,
            bytes: held.bytes - u64::from(packet.size_bytes),
        });
    }

    /// Replaces `before` by `after` in the held occupancy of the queue of this name.
    pub(super) fn hold_other(&mut self, name: &str, before: Occupancy, after: Occupancy) {
        self.change_held(name, |held| Occupancy {
            packets: held.packets + after.packets - before.packets,
            bytes: held.bytes + after.bytes - before.bytes,
        });
    }

    fn change_held(&mut self, name: &str, change: impl FnOnce(Occupancy) -> Occupancy) {
        if let Some(queue) = self.queue_named(name) {
            let held = &mut self.held[usize::from(queue.0)];
            *held = change(*held);
            self.engine.hold(queue, *held);
        }
    }

    /// Places packets of older versions, in order of arrival.
    pub(super) fn place(&mut self, all: &[Waiting]) {
        self.placed = all.iter().map(|it| ((it.packet.id, it.packet.arrival, it.policy_id), 1)).collect();
        self.placed.sort_unstable();
        self.placed.dedup_by(|next, first| {
            let alike = next.0 == first.0;
            first.1 += u32::from(alike);
            alike
        });
        self.placed_there = all.len();
        all.iter().for_each(|waiting| self.engine.place(*waiting));
    }

    /// Returns the version under which a departed packet arrived.
    pub(super) fn arrived_under(&mut self, packet: &Packet) -> u32 {
        if self.placed_there == 0 {
            return self.number;
        }
        let same = (packet.id, packet.arrival);
        let first = self.placed.partition_point(|((id, arrival, _), _)| (*id, *arrival) < same);
        let alike = self.placed[first..].iter_mut().take_while(|((id, arrival, _), _)| (*id, *arrival) == same);
        let Some((key, there)) = alike.into_iter().find(|(_, there)| *there > 0) else { return self.number };
        *there -= 1;
        self.placed_there -= 1;
        let version = key.2;
        if self.placed_there == 0 {
            self.placed.clear();
        }
        version
    }

    /// 8.2: adopts the states of parts with the same name and the same initial value.
    pub(super) fn take_over_states(&mut self, old: &Self) {
        let mut same = Vec::new();
        for (id, queue) in (0..=u16::MAX).map(QueueId).zip(&self.policy.queues) {
            let Some(old_id) = old.queue_named(&queue.name) else { continue };
            let before = &old.policy.queues[usize::from(old_id.0)];
            let (to, from) = (QueueRef::Named(id), QueueRef::Named(old_id));
            if before.adm_state == queue.adm_state {
                same.push((State::QueueAdm(to), State::QueueAdm(from)));
            }
            if before.sched_state == queue.sched_state {
                same.push((State::QueueSched(to), State::QueueSched(from)));
            }
        }
        for (id, port) in (0..=u16::MAX).map(PortId).zip(&self.policy.ports) {
            for (old_id, before) in (0..=u16::MAX).map(PortId).zip(&old.policy.ports) {
                if (&before.name, before.sched_state) == (&port.name, port.sched_state) {
                    same.push((State::PortSched(PortRef::Named(id)), State::PortSched(PortRef::Named(old_id))));
                }
            }
        }
        for (id, buffer) in (0..=u16::MAX).map(BufferId).zip(&self.policy.buffers) {
            for (old_id, before) in (0..=u16::MAX).map(BufferId).zip(&old.policy.buffers) {
                if (&before.name, before.adm_state) == (&buffer.name, buffer.adm_state) {
                    same.push((State::BufferAdm(BufferRef::Named(id)), State::BufferAdm(BufferRef::Named(old_id))));
                }
            }
        }
        for (to, from) in same {
            let value = old.engine.state(from);
            // An engine may sort its queues anew for each state that is set.
            if value != self.engine.state(to) {
                self.engine.set_state(to, value);
            }
        }
    }
}
