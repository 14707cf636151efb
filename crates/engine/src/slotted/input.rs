//! The arrivals of the slotted model.

use forebay_core::{Duration, Packet, QueueId, Time};

/// An arriving packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrival {
    /// The queue that it is directed to, from 0.
    pub queue: u16,
    /// The cycles that the packet needs, at least 1.
    pub processing: u32,
    /// The packet's value.
    pub value: u32,
}

impl Arrival {
    /// Creates a packet of a single queue that needs `processing` cycles.
    #[must_use]
    pub fn of_work(processing: u32) -> Self {
        Self { queue: 0, processing, value: 1 }
    }

    /// Creates a packet of a single queue that needs one cycle and has value `value`.
    #[must_use]
    pub fn of_value(value: u32) -> Self {
        Self { queue: 0, processing: 1, value }
    }

    /// Creates a packet of the queue `number` of separate queues, counted from 1: it needs `number` cycles (Fig. 3, right).
    #[must_use]
    pub fn to_queue(number: u16) -> Self {
        Self { queue: number.saturating_sub(1), processing: number.into(), value: 1 }
    }

    /// Returns the packet for an engine; one cycle is 1 ns of `processing`.
    pub(super) fn packet(self, id: u64, now: Time) -> Packet {
        Packet {
            id,
            arrival: now,
            processing: Duration::from_ns(self.processing.into()),
            value: self.value,
            queue: QueueId(self.queue),
            size_bytes: 1,
            ..Packet::default()
        }
    }
}

/// The arrivals of each slot, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Input {
    /// One list for each slot; after the last slot, no packet arrives.
    pub slots: Vec<Vec<Arrival>>,
}

impl Input {
    /// Adds arrivals to the slot `slot`; missing slots before it are added as empty ones.
    pub fn add(&mut self, slot: usize, arrivals: impl IntoIterator<Item = Arrival>) {
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, Vec::new());
        }
        if let Some(last) = self.slots.get_mut(slot) {
            last.extend(arrivals);
        }
    }

    /// Returns the number of packets.
    #[must_use]
    pub fn packets(&self) -> usize {
        self.slots.iter().map(Vec::len).sum()
    }
}
