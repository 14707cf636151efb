//! The processor of a trial: one link of any element, and the true work of packets whose estimates the scheduler knows.

use crate::Service;
use crate::attack::traffic::Traffic;
use forebay_core::{Counter, Discipline, Duration, Element, Packet, Time, Verdict};
use rustc_hash::FxHashMap;

/// The first link of an element, as a discipline that several servers can share.
pub(crate) struct OneLink<'a>(pub(crate) &'a mut dyn Element);

impl Discipline for OneLink<'_> {
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        self.0.enqueue(now, packet, evicted)
    }

    fn dequeue(&mut self, now: Time) -> Option<Packet> {
        self.0.dequeue(now, 0)
    }

    fn next_wakeup(&self, now: Time) -> Option<Time> {
        self.0.next_wakeup(now, 0)
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn counters(&self) -> Vec<Counter> {
        self.0.counters()
    }
}

/// An application that takes its work from a copy of the arriving traffic, whatever the packets carry.
pub(crate) struct KnowsTruth {
    equal: Traffic,
    /// The work of packets that wait and carry something else, by their `id`.
    works: FxHashMap<u64, Duration>,
}

impl KnowsTruth {
    /// Creates the application; the packets of `equal` must be the packets that arrive.
    pub(crate) fn of(equal: Traffic) -> Self {
        Self { equal, works: FxHashMap::default() }
    }
}

impl Service for KnowsTruth {
    fn arrived(&mut self, _: Time, packet: &mut Packet) {
        if let Some(arrival) = self.equal.next()
            && arrival.job.work != packet.processing
        {
            self.works.insert(packet.id, arrival.job.work);
        }
    }

    fn started(&mut self, _: Time, packet: &mut Packet) -> Duration {
        if let Some(work) = self.works.remove(&packet.id) {
            packet.processing = work;
        }
        packet.processing
    }

    fn dropped(&mut self, _: Time, packet: &mut Packet) {
        self.works.remove(&packet.id);
    }
}
