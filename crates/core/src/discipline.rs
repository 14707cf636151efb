//! A queueing discipline: the rules by which one output port queues, orders and drops its packets.

use crate::packet::Packet;
use crate::time::Time;

/// The outcome for a packet that was offered to a discipline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The packet waits with this rank.
    Queued {
        /// The rank that the packet was given.
        rank: u64,
    },
    /// The packet was dropped on arrival.
    Refused {
        /// The rank that the packet would have had.
        rank: u64,
    },
}

/// A number that a discipline adds to the report, e.g. the number of ranks that it clamped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counter {
    /// The name in the report, in `snake_case`.
    pub name: &'static str,
    /// The counter's value at the end of the run.
    pub value: u64,
}

/// Decides which packets to queue, which to drop and which to dequeue next.
///
/// It does no IO and reads no clock: every call gives the time, which never runs backwards. Every offered packet is
/// returned exactly once: from [`dequeue`](Self::dequeue), as [`Verdict::Refused`], or in `evicted`.
pub trait Discipline {
    /// Offers a packet. Waiting packets that are pushed out are appended to `evicted`, which the caller owns so that it
    /// is allocated once.
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict;

    /// Dequeues the next packet, with its rank set; `None` if no packet may depart now.
    fn dequeue(&mut self, now: Time) -> Option<Packet>;

    /// Returns the time at which to call `dequeue` again after it returned `None` although packets are queued (shapers). `None` means: not
    /// before the next arrival.
    fn next_wakeup(&self, now: Time) -> Option<Time> {
        let _ = now;
        None
    }

    /// Returns the number of queued packets.
    fn len(&self) -> usize;

    /// Returns whether no packet is queued.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of queued bytes.
    fn bytes(&self) -> u64;

    /// Returns the numbers for the report.
    fn counters(&self) -> Vec<Counter> {
        Vec::new()
    }
}

impl<D: Discipline + ?Sized> Discipline for Box<D> {
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        (**self).enqueue(now, packet, evicted)
    }

    fn dequeue(&mut self, now: Time) -> Option<Packet> {
        (**self).dequeue(now)
    }

    fn next_wakeup(&self, now: Time) -> Option<Time> {
        (**self).next_wakeup(now)
    }

    fn len(&self) -> usize {
        (**self).len()
    }

    fn bytes(&self) -> u64 {
        (**self).bytes()
    }

    fn counters(&self) -> Vec<Counter> {
        (**self).counters()
    }
}
