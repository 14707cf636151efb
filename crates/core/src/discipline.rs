//! A queueing discipline: the rules by which one output port treats its packets.

use crate::packet::Packet;
use crate::time::Time;

/// The outcome for a packet that was offered to a discipline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The packet waits with this rank.
    Queued {
        /// The rank it was given.
        rank: u64,
    },
    /// The packet was dropped on arrival.
    Refused {
        /// The rank it would have had.
        rank: u64,
    },
}

/// A number that a discipline adds to the report, e.g. the number of ranks that it clamped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counter {
    /// The name in the report, in `snake_case`.
    pub name: &'static str,
    /// Its value at the end of the run.
    pub value: u64,
}

/// Decides which packet waits, which is dropped and which goes next.
///
/// It does no IO and reads no clock: every call gives the time, which never runs backwards. Every offered packet is
/// returned exactly once: from [`dequeue`](Self::dequeue), as [`Verdict::Refused`], or in `evicted`.
pub trait Discipline {
    /// Offers a packet. Waiting packets that are pushed out are appended to `evicted`, which the caller owns so that it
    /// is allocated once.
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict;

    /// Dequeues the next packet, with its rank set; `None` if no packet may depart now.
    fn dequeue(&mut self, now: Time) -> Option<Packet>;

    /// The time at which to call `dequeue` again after it returned `None` although packets wait (shapers). `None`: not
    /// before the next arrival.
    fn next_wakeup(&self, now: Time) -> Option<Time> {
        let _ = now;
        None
    }

    /// Number of packets that wait.
    fn len(&self) -> usize;

    /// Whether no packet waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of bytes that wait.
    fn bytes(&self) -> u64;

    /// Numbers for the report.
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
