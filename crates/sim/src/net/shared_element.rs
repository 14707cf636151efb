//! An element that all links of a switch share, as one element for each link.
//!
//! A network has an element at the tail of each link. A policy with several ports, such as longest queue drop over a shared memory, is one
//! element for all links of its switch. A [`SharedLink`] is one of these links. Packets that arrive at it are directed to the queue with
//! the number of the link ([`Packet::queue`]). Packets of other links may be pushed out.

use forebay_core::{Counter, Element, Packet, QueueId, Time, Verdict};
use std::cell::RefCell;
use std::rc::Rc;

/// One link of an element that several links share.
#[derive(Debug)]
pub struct SharedLink<E> {
    shared: Rc<RefCell<Shared<E>>>,
    number: u16,
}

/// The element, and how much of its backlog waits for each link.
#[derive(Debug)]
struct Shared<E> {
    element: E,
    waiting: Vec<Backlog>,
    /// Packets that wait for any link.
    packets: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct Backlog {
    packets: usize,
    bytes: u64,
}

impl<E: Element> SharedLink<E> {
    /// Returns the links of an empty element, in their order.
    ///
    /// # Panics
    /// If packets wait in the element, or if it has more links than there are queue numbers.
    pub fn all_of(element: E) -> Vec<Self> {
        assert!(element.is_empty(), "packets are counted from the first one");
        let links = u16::try_from(element.links()).expect("at most 65,535 links");
        let waiting = vec![Backlog::default(); usize::from(links)];
        let shared = Rc::new(RefCell::new(Shared { element, waiting, packets: 0 }));
        (0..links).map(|number| Self { shared: Rc::clone(&shared), number }).collect()
    }
}

impl<E: Element> Shared<E> {
    fn entered(&mut self, packet: &Packet) {
        let link = &mut self.waiting[usize::from(packet.queue.0)];
        link.packets += 1;
        link.bytes += u64::from(packet.size_bytes);
        self.packets += 1;
    }

    fn left(&mut self, packet: &Packet) {
        let link = &mut self.waiting[usize::from(packet.queue.0)];
        link.packets -= 1;
        link.bytes -= u64::from(packet.size_bytes);
        self.packets -= 1;
    }

    /// Every packet that entered has left, was pushed out, or waits.
    fn check(&self) {
        assert_eq!(self.element.len(), self.packets, "the element keeps the packets that it took");
    }
}

impl<E: Element> Element for SharedLink<E> {
    fn links(&self) -> usize {
        1
    }

    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        let shared = &mut *self.shared.borrow_mut();
        let packet = Packet { queue: QueueId(self.number), ..packet };
        let before = evicted.len();
        let verdict = shared.element.enqueue(now, packet, evicted);
        if matches!(verdict, Verdict::Queued { .. }) {
            shared.entered(&packet);
        }
        evicted[before..].iter().for_each(|victim| shared.left(victim));
        shared.check();
        verdict
    }

    fn dequeue(&mut self, now: Time, _: usize) -> Option<Packet> {
        let shared = &mut *self.shared.borrow_mut();
        let packet = shared.element.dequeue(now, usize::from(self.number))?;
        assert_eq!(packet.queue.0, self.number, "a packet leaves over the link to which its route leads");
        shared.left(&packet);
        shared.check();
        Some(packet)
    }

    fn next_wakeup(&self, now: Time, _: usize) -> Option<Time> {
        self.shared.borrow().element.next_wakeup(now, usize::from(self.number))
    }

    fn len(&self) -> usize {
        self.shared.borrow().waiting[usize::from(self.number)].packets
    }

    fn bytes(&self) -> u64 {
        self.shared.borrow().waiting[usize::from(self.number)].bytes
    }

    /// Returns the counters of the whole element, which its first link reports.
    fn counters(&self) -> Vec<Counter> {
        if self.number == 0 { self.shared.borrow().element.counters() } else { Vec::new() }
    }
}
