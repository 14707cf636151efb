//! The queue of pFabric's switches, which keeps flows in order: the packet of lowest rank selects the flow, and the flow's earliest packet
//! is sent.
//!
//! With remaining bytes as ranks, later packets of a flow have lower ranks, and a queue that sorts packets would send a flow backwards.
//! Here the best packet only selects its flow. Dropping is unchanged: the packet of highest rank is pushed out, whatever its position in
//! its flow. So with `drop = "worst-first"` this is pFabric's switch. Source: Alizadeh et al.: pFabric, SIGCOMM'13, section 4.
//!
//! Among equal ranks, the first to arrive is first, and the last is pushed out first. Where every packet is a flow of its own, this is a
//! PIFO.
//!
//! Cost: as `Tournament`, O(log n) per operation, and one lookup in a hash table of the flows with queued packets.

use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::tournament::Tournament;
use crate::queues::traits::{Handle, PopMax, PushError, RankQueue, Remove};
use forebay_core::{About, Exactness, FlowId, Packet};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};

/// The registry's entry for [`EarliestOfFlow`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "earliest-of-flow",
        title: "pFabric's queue: the best packet's flow sends its earliest packet, so that flows stay in order",
        exactness: Exactness::Approximate,
        hardware: "a search over all packets for the lowest rank, and another for the flow; for buffers of some 20 KB",
        cost: "O(log n) per operation; about 90 bytes plus the packet per entry",
        source: "Alizadeh et al.: pFabric: minimal near-optimal datacenter transport, SIGCOMM'13, section 4",
        params: &[],
    },
    build: |size, _| Ok(BuiltQueue::DoubleEnded(Box::new(EarliestOfFlow::new(size.packets)))),
};

/// No slot.
const NIL: u32 = u32::MAX;

/// Packets sorted by rank, and the packets of each flow in order of arrival.
#[derive(Debug)]
pub struct EarliestOfFlow {
    order: Tournament<Packet>,
    /// The neighbours of each packet in its flow, by slot of `order`.
    links: Vec<Link>,
    /// The flows with queued packets. The map is never iterated, so its order does not matter.
    flows: HashMap<FlowId, Ends, BuildHasherDefault<DefaultHasher>>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    handle: Handle,
    /// The slot of the next earlier packet of the flow.
    prev: u32,
    /// The slot of the next later packet of the flow.
    next: u32,
}

#[derive(Debug, Clone, Copy)]
struct Ends {
    earliest: u32,
    latest: u32,
}

impl EarliestOfFlow {
    /// Creates an empty queue for `capacity` packets.
    ///
    /// # Panics
    /// If `capacity` does not fit 31 bits.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { order: Tournament::new(capacity), links: Vec::new(), flows: HashMap::default() }
    }

    /// Returns the packet that is sent next.
    fn next(&self) -> Option<Handle> {
        let (_, best) = self.order.peek_min()?;
        let ends = self.flows.get(&best.flow)?;
        Some(self.links[ends.earliest as usize].handle)
    }

    /// Removes a packet from the order and from its flow.
    fn take(&mut self, handle: Handle) -> Option<(u64, Packet)> {
        let (rank, packet) = self.order.remove(handle)?;
        let Link { prev, next, .. } = self.links[handle.slot as usize];
        if let Some(link) = self.links.get_mut(prev as usize) {
            link.next = next;
        }
        if let Some(link) = self.links.get_mut(next as usize) {
            link.prev = prev;
        }
        if (prev, next) == (NIL, NIL) {
            self.flows.remove(&packet.flow);
        } else if let Some(ends) = self.flows.get_mut(&packet.flow) {
            if prev == NIL {
                ends.earliest = next;
            }
            if next == NIL {
                ends.latest = prev;
            }
        }
        Some((rank, packet))
    }
}

impl RankQueue<Packet> for EarliestOfFlow {
    fn push(&mut self, rank: u64, packet: Packet) -> Result<(), PushError<Packet>> {
        let handle = self.order.insert(rank, packet)?;
        let slot = handle.slot;
        let ends = self.flows.entry(packet.flow).or_insert(Ends { earliest: slot, latest: NIL });
        let prev = std::mem::replace(&mut ends.latest, slot);
        if let Some(link) = self.links.get_mut(prev as usize) {
            link.next = slot;
        }
        let link = Link { handle, prev, next: NIL };
        match self.links.get_mut(slot as usize) {
            Some(place) => *place = link,
            // A new slot is the next one.
            None => self.links.push(link),
        }
        Ok(())
    }

    fn pop_min(&mut self) -> Option<(u64, Packet)> {
        self.take(self.next()?)
    }

    fn peek_min(&self) -> Option<(u64, &Packet)> {
        self.order.find(self.next()?)
    }

    fn len(&self) -> usize {
        self.order.len()
    }

    fn capacity(&self) -> usize {
        self.order.capacity()
    }
}

impl PopMax<Packet> for EarliestOfFlow {
    fn pop_max(&mut self) -> Option<(u64, Packet)> {
        self.take(self.order.last_handle()?)
    }

    fn peek_max(&self) -> Option<(u64, &Packet)> {
        self.order.peek_max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queues::queue::pifo::Pifo;
    use forebay_core::Seed;
    use rand::RngExt;

    fn packet(id: u64, flow: u32) -> Packet {
        Packet { id, flow: FlowId(flow), ..Packet::default() }
    }

    /// A list in order of arrival.
    struct Plain(Vec<(u64, Packet)>);

    impl Plain {
        fn pop_min(&mut self) -> Option<(u64, Packet)> {
            let flow = self.0.iter().min_by_key(|(rank, _)| *rank)?.1.flow;
            let earliest = self.0.iter().position(|(_, packet)| packet.flow == flow)?;
            Some(self.0.remove(earliest))
        }

        fn pop_max(&mut self) -> Option<(u64, Packet)> {
            // Of equal ones, max_by_key takes the last.
            let (worst, _) = self.0.iter().enumerate().max_by_key(|(_, (rank, _))| *rank)?;
            Some(self.0.remove(worst))
        }
    }

    #[test]
    fn it_does_what_a_list_does() {
        for flows in [1, 3, 40] {
            let mut rng = Seed(8).stream("earliest-of-flow");
            let (mut queue, mut plain) = (EarliestOfFlow::new(30), Plain(Vec::new()));
            for id in 0..30_000 {
                let waits = plain.0.len();
                match rng.random_range(0..100) {
                    n if n < if id % 1_000 < 500 { 60 } else { 40 } => {
                        // Few ranks, so that many are equal.
                        let (rank, packet) = (rng.random_range(0..20), packet(id, rng.random_range(0..flows)));
                        assert_eq!(queue.push(rank, packet).is_ok(), waits < 30);
                        if waits < 30 {
                            plain.0.push((rank, packet));
                        }
                    }
                    n if n < 80 => {
                        let peeked = queue.peek_min().map(|(rank, packet)| (rank, *packet));
                        let popped = plain.pop_min();
                        assert_eq!((peeked, queue.pop_min()), (popped, popped), "{flows}: {id}");
                    }
                    _ => {
                        let peeked = queue.peek_max().map(|(rank, packet)| (rank, *packet));
                        let popped = plain.pop_max();
                        assert_eq!((peeked, queue.pop_max()), (popped, popped), "{flows}: {id}");
                    }
                }
                assert_eq!((queue.len(), queue.flows.is_empty()), (plain.0.len(), plain.0.is_empty()));
            }
        }
    }

    #[test]
    fn where_every_packet_is_a_flow_it_is_a_pifo() {
        let mut rng = Seed(9).stream("earliest-of-flow");
        let (mut queue, mut pifo) = (EarliestOfFlow::new(50), Pifo::new(50));
        for id in 0..10_000 {
            let packet = packet(id.into(), id);
            match rng.random_range(0..5) {
                0..3 => {
                    let rank = rng.random_range(0..100);
                    assert_eq!(queue.push(rank, packet), pifo.push(rank, packet));
                }
                3 => assert_eq!(queue.pop_min(), pifo.pop_min()),
                _ => assert_eq!(queue.pop_max(), pifo.pop_max()),
            }
        }
    }

    /// Remaining bytes fall from packet to packet; one that was sent again has much to go.
    #[test]
    fn a_flow_is_sent_forwards_and_its_worst_packet_is_given_up() {
        let mut queue = EarliestOfFlow::new(10);
        for (id, flow, remaining) in [(0, 1, 9_000), (1, 2, 8_000), (2, 1, 7_500), (3, 1, 6_000), (4, 2, 12_000)] {
            queue.push(remaining, packet(id, flow)).unwrap();
        }
        assert_eq!(queue.pop_max().map(|(_, packet)| packet.id), Some(4));
        let order: Vec<u64> = std::iter::from_fn(|| queue.pop_min()).map(|(_, packet)| packet.id).collect();
        assert_eq!(order, [0, 2, 3, 1]);
    }
}
