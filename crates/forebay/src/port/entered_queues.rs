//! The queue of a policy in OpenQueue that each packet entered, for the table of packets.

use forebay_core::{Counter, Element, Packet, QueueId, Time, Verdict};
use forebay_engine::{Engine, PolicyElement};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The queues of the packets in the port, by the packets' numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct EnteredQueues(Rc<RefCell<HashMap<u64, QueueId>>>);

impl EnteredQueues {
    /// Removes and returns the queue that this packet entered; [`None`] if it entered none, or if the queue was not recorded.
    pub(super) fn take(&self, packet: u64) -> Option<QueueId> {
        self.0.borrow_mut().remove(&packet)
    }
}

/// A policy with several queues that records which of them each packet enters.
pub(super) struct Noting<E> {
    element: PolicyElement<E>,
    entered: EnteredQueues,
    /// Packets in each queue before an arrival.
    before: Vec<u64>,
}

impl<E: Engine> Noting<E> {
    /// Creates the policy, which records the queues in `entered`.
    pub(super) fn new(element: PolicyElement<E>, entered: EnteredQueues) -> Self {
        let before = vec![0; element.live().policy().queues.len()];
        Self { element, entered, before }
    }

    pub(super) fn into_element(self) -> PolicyElement<E> {
        self.element
    }

    /// Packets in a queue.
    fn packets(&self, queue: usize) -> u64 {
        u16::try_from(queue).map_or(0, |queue| self.element.live().occupancy(QueueId(queue)).packets)
    }

    /// Returns the queue that the packet entered: it has one packet more than expected after the packets pushed out.
    fn entered(&self, evicted: &[Packet]) -> Option<QueueId> {
        let noted = self.entered.0.borrow();
        let pushed_out =
            |queue: QueueId| evicted.iter().filter(|packet| noted.get(&packet.id) == Some(&queue)).count() as u64;
        let queues = (0..self.before.len()).filter_map(|queue| Some((queue, QueueId(u16::try_from(queue).ok()?))));
        queues
            .filter(|&(queue, id)| self.packets(queue) + pushed_out(id) == self.before[queue] + 1)
            .map(|(_, id)| id)
            .next()
    }
}

impl<E: Engine> Element for Noting<E> {
    fn links(&self) -> usize {
        self.element.links()
    }

    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        for queue in 0..self.before.len() {
            self.before[queue] = self.packets(queue);
        }
        let (id, already) = (packet.id, evicted.len());
        let verdict = self.element.enqueue(now, packet, evicted);
        if matches!(verdict, Verdict::Queued { .. })
            && let Some(queue) = self.entered(&evicted[already..])
        {
            self.entered.0.borrow_mut().insert(id, queue);
        }
        verdict
    }

    fn dequeue(&mut self, now: Time, link: usize) -> Option<Packet> {
        self.element.dequeue(now, link)
    }

    fn next_wakeup(&self, now: Time, link: usize) -> Option<Time> {
        self.element.next_wakeup(now, link)
    }

    fn has_stages(&self) -> bool {
        self.element.has_stages()
    }

    fn advance(&mut self, now: Time, dropped: &mut Vec<Packet>) -> bool {
        self.element.advance(now, dropped)
    }

    fn next_advance(&self, now: Time) -> Option<Time> {
        self.element.next_advance(now)
    }

    fn len(&self) -> usize {
        self.element.len()
    }

    fn bytes(&self) -> u64 {
        self.element.bytes()
    }

    fn counters(&self) -> Vec<Counter> {
        self.element.counters()
    }
}
