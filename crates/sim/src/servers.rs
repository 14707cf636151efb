//! Several servers behind one discipline.

use forebay_core::{Counter, Discipline, Element, Packet, Time, Verdict};

/// A discipline in front of several equal servers, each of which serves one packet at a time. A packet goes to the first server that is
/// free.
///
/// Packets of a flow that a discipline gives in order may be in service at the same time, and then end in another order.
#[derive(Debug, Clone)]
pub struct Servers<D> {
    discipline: D,
    servers: usize,
}

impl<D: Discipline> Servers<D> {
    /// Creates `servers` servers behind `discipline` (0 counts as 1).
    #[must_use]
    pub fn new(servers: usize, discipline: D) -> Self {
        Self { discipline, servers: servers.max(1) }
    }

    /// The discipline, to read results from.
    pub fn discipline(&self) -> &D {
        &self.discipline
    }
}

impl<D: Discipline> Element for Servers<D> {
    fn links(&self) -> usize {
        self.servers
    }

    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        self.discipline.enqueue(now, packet, evicted)
    }

    fn dequeue(&mut self, now: Time, _server: usize) -> Option<Packet> {
        self.discipline.dequeue(now)
    }

    fn next_wakeup(&self, now: Time, _server: usize) -> Option<Time> {
        self.discipline.next_wakeup(now)
    }

    fn len(&self) -> usize {
        self.discipline.len()
    }

    fn bytes(&self) -> u64 {
        self.discipline.bytes()
    }

    fn counters(&self) -> Vec<Counter> {
        self.discipline.counters()
    }
}
