//! A queueing discipline: what one output port does with its packets.

use crate::packet::Packet;
use crate::time::Time;

/// What became of a packet that was offered to a discipline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It waits, with this rank.
    Queued {
        /// The rank it was given.
        rank: u64,
    },
    /// It was dropped on arrival.
    Refused {
        /// The rank it would have had.
        rank: u64,
    },
}

/// A number that a discipline wants in the report, e.g. how many ranks it had to
/// clamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counter {
    /// The name in the report, in `snake_case`.
    pub name: &'static str,
    /// Its value at the end of the run.
    pub value: u64,
}

/// Decides which packet waits, which is dropped and which goes next.
///
/// It does no IO and reads no clock: every call says what time it is, and time
/// never runs backwards. Every packet that goes in comes out exactly once: from
/// [`dequeue`](Self::dequeue), as [`Verdict::Refused`], or in `evicted`.
pub trait Discipline {
    /// Offers a packet. Packets that were waiting and had to make room are
    /// appended to `evicted`, which the caller owns so that it is allocated once.
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict;

    /// Takes the packet that goes next, with its rank set; `None` if nothing may
    /// leave now.
    fn dequeue(&mut self, now: Time) -> Option<Packet>;

    /// When to ask again after `dequeue` returned `None` although packets wait
    /// (shapers). `None`: not before the next arrival.
    fn next_wakeup(&self, now: Time) -> Option<Time> {
        let _ = now;
        None
    }

    /// How many packets wait.
    fn len(&self) -> usize;

    /// Whether nothing waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes wait.
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
