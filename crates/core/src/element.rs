//! A network element with one or several output links.

use crate::discipline::{Counter, Discipline, Verdict};
use crate::packet::Packet;
use crate::time::Time;

/// The rules by which a switch queues, orders and drops its packets: like a [`Discipline`], but with several links, which may share queues
/// or memory.
///
/// Every discipline is an element with one link.
pub trait Element {
    /// Returns the number of links, at least one.
    fn links(&self) -> usize;

    /// Offers a packet, as [`Discipline::enqueue`].
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict;

    /// Dequeues the next packet of `link`, counted from 0; `None` if no packet may depart there now.
    fn dequeue(&mut self, now: Time, link: usize) -> Option<Packet>;

    /// Returns the next time at which to call `dequeue` for `link`, as [`Discipline::next_wakeup`].
    fn next_wakeup(&self, now: Time, link: usize) -> Option<Time>;

    /// Whether packets pass through several queues on their way to a link, so that an event at one link can let packets
    /// depart by others. Then [`advance`](Self::advance) is called after every arrival and whenever a link has begun a
    /// packet or could not.
    fn has_stages(&self) -> bool {
        false
    }

    /// Moves packets through the inner queues as far as possible at this time. Appends the packets that are dropped on the way to
    /// `dropped`. Returns whether any packet moved.
    fn advance(&mut self, _now: Time, _dropped: &mut Vec<Packet>) -> bool {
        false
    }

    /// Returns the next time at which packets may move between inner queues, if no packet arrives or departs before.
    fn next_advance(&self, _now: Time) -> Option<Time> {
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
    fn counters(&self) -> Vec<Counter>;
}

impl<D: Discipline> Element for D {
    #[inline]
    fn links(&self) -> usize {
        1
    }

    #[inline]
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        Discipline::enqueue(self, now, packet, evicted)
    }

    #[inline]
    fn dequeue(&mut self, now: Time, _link: usize) -> Option<Packet> {
        Discipline::dequeue(self, now)
    }

    #[inline]
    fn next_wakeup(&self, now: Time, _link: usize) -> Option<Time> {
        Discipline::next_wakeup(self, now)
    }

    #[inline]
    fn len(&self) -> usize {
        Discipline::len(self)
    }

    #[inline]
    fn bytes(&self) -> u64 {
        Discipline::bytes(self)
    }

    fn counters(&self) -> Vec<Counter> {
        Discipline::counters(self)
    }
}

impl Element for Box<dyn Element> {
    fn links(&self) -> usize {
        (**self).links()
    }

    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        (**self).enqueue(now, packet, evicted)
    }

    fn dequeue(&mut self, now: Time, link: usize) -> Option<Packet> {
        (**self).dequeue(now, link)
    }

    fn next_wakeup(&self, now: Time, link: usize) -> Option<Time> {
        (**self).next_wakeup(now, link)
    }

    fn has_stages(&self) -> bool {
        (**self).has_stages()
    }

    fn advance(&mut self, now: Time, dropped: &mut Vec<Packet>) -> bool {
        (**self).advance(now, dropped)
    }

    fn next_advance(&self, now: Time) -> Option<Time> {
        (**self).next_advance(now)
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
