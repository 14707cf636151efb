//! The packets that wait at the port.

use super::PrototypeSpec;
use super::generator::Packet;
use forebay_core::{Time, convert};
use std::collections::VecDeque;

/// A packet that waits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
    pub(super) id: u64,
    pub(super) came: Time,
    /// When its FPM was sent, and how many packets had been sent by then.
    pub(super) announced: Option<(Time, u64)>,
}

/// Strict priority FIFOs with a common bound.
#[derive(Debug, Clone)]
pub(super) struct Port {
    /// Places of the packets, class by class; 0 goes first.
    queues: Vec<VecDeque<u32>>,
    packets: Vec<Waiting>,
    /// Places to be used again.
    vacant: Vec<u32>,
    /// How many packets fit.
    capacity: u64,
    len: u64,
}

impl Port {
    pub(super) fn new(spec: &PrototypeSpec) -> Self {
        let fit = |bytes: u64| bytes / u64::from(spec.packet_bytes);
        Self {
            queues: vec![VecDeque::new(); spec.announcer.classes],
            packets: Vec::new(),
            vacant: Vec::new(),
            // Places are numbers of 32 bits.
            capacity: spec.queue_bytes.map_or(u64::MAX, fit).min(u64::from(u32::MAX)),
            len: 0,
        }
    }

    /// How many packets wait.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// How many of them have been announced.
    pub(super) fn announced(&self) -> u64 {
        let waiting = self.queues.iter().flatten();
        waiting.filter(|place| self.packets[**place as usize].announced.is_some()).count() as u64
    }

    /// Enqueues a packet; returns its place, or nothing if it is dropped.
    pub(super) fn push(&mut self, packet: &Packet) -> Option<u64> {
        if self.len >= self.capacity {
            return None;
        }
        let waiting = Waiting { id: packet.id, came: packet.time, announced: None };
        let place = match self.vacant.pop() {
            Some(place) => {
                self.packets[place as usize] = waiting;
                place
            }
            None => {
                let place = u32::try_from(self.packets.len()).ok()?;
                self.packets.push(waiting);
                place
            }
        };
        self.queues[packet.class].push_back(place);
        self.len += 1;
        Some(u64::from(place))
    }

    /// The FPM of the packet at `place` is sent after `sent` packets; returns the packet's id.
    pub(super) fn announce(&mut self, place: u64, now: Time, sent: u64) -> u64 {
        let place = convert::index(place);
        let packet = &mut self.packets[place];
        packet.announced = Some((now, sent));
        packet.id
    }

    /// Takes the packet that goes next, with its class.
    pub(super) fn pop(&mut self) -> Option<(usize, Waiting)> {
        let (class, place) =
            self.queues.iter_mut().enumerate().find_map(|(class, queue)| Some((class, queue.pop_front()?)))?;
        self.len -= 1;
        self.vacant.push(place);
        Some((class, self.packets[place as usize]))
    }
}
