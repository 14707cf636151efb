//! Strict-priority FIFO queues, as in switches. Every approximate queue for such a device consists of them and a mapping from ranks to
//! queues.

use crate::queues::traits::PushError;
use forebay_core::params::ParamKind;
use forebay_core::{ParamError, ParamSpec, Params, convert};
use std::collections::VecDeque;

/// FIFO queues of equal capacity; number 0 is served first.
#[derive(Debug)]
pub(crate) struct StrictPriority<T> {
    queues: Box<[VecDeque<(u64, T)>]>,
    queue_capacity: usize,
    len: usize,
}

/// The number of queues, and the number of packets that each holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) queues: usize,
    pub(crate) queue_capacity: usize,
}

/// Most packets that all queues together may be asked to hold.
const MAX_PACKETS: usize = 1 << 28;

impl Shape {
    /// The number of queues.
    pub(crate) const QUEUES: ParamSpec = ParamSpec {
        name: "queues",
        kind: ParamKind::Integer { min: 1, max: 1024, default: Some(8) },
        meaning: "number of strict-priority queues",
    };

    /// The packets that each queue holds.
    pub(crate) const QUEUE_PACKETS: ParamSpec = ParamSpec {
        name: "queue_packets",
        kind: ParamKind::Integer { min: 1, max: 1 << 24, default: None },
        meaning: "packets that each queue holds (default: the buffer divided by the queues, rounded up)",
    };

    /// Reads the shape from [`QUEUES`](Self::QUEUES) and [`QUEUE_PACKETS`](Self::QUEUE_PACKETS).
    pub(crate) fn from_params(buffer_packets: usize, params: &Params) -> Result<Self, ParamError> {
        Self::of_queues(params.integer("queues").map_or(1, convert::index), buffer_packets, params)
    }

    /// Returns the shape with `queues` queues; each holds the number of packets in [`QUEUE_PACKETS`](Self::QUEUE_PACKETS).
    pub(crate) fn of_queues(queues: usize, buffer_packets: usize, params: &Params) -> Result<Self, ParamError> {
        let queue_packets = params.integer("queue_packets").map(convert::index);
        let queue_capacity = queue_packets.unwrap_or(buffer_packets.div_ceil(queues));
        if queues.saturating_mul(queue_capacity) > MAX_PACKETS {
            let message = format!("{queues} queues of {queue_capacity} packets are more than {MAX_PACKETS} packets");
            return Err(ParamError::of("queue_packets", message));
        }
        Ok(Self { queues, queue_capacity })
    }
}

impl<T> StrictPriority<T> {
    pub(crate) fn new(shape: Shape) -> Self {
        assert!(shape.queues > 0, "there must be at least one queue");
        Self {
            queues: (0..shape.queues).map(|_| VecDeque::new()).collect(),
            queue_capacity: shape.queue_capacity,
            len: 0,
        }
    }

    /// Appends an item to the queue with index `queue`.
    pub(crate) fn push(&mut self, queue: usize, rank: u64, item: T) -> Result<(), PushError<T>> {
        if self.free(queue) == 0 {
            return Err(PushError::full(item));
        }
        self.queues[queue].push_back((rank, item));
        self.len += 1;
        Ok(())
    }

    /// Returns the number of free slots in the queue with index `queue`.
    pub(crate) fn free(&self, queue: usize) -> usize {
        self.queue_capacity - self.queues[queue].len()
    }

    /// Returns the number of items in the queue with index `queue`.
    pub(crate) fn len_of(&self, queue: usize) -> usize {
        self.queues[queue].len()
    }

    /// Whether queue number `queue` holds nothing.
    pub(crate) fn is_empty(&self, queue: usize) -> bool {
        self.queues[queue].is_empty()
    }

    pub(crate) fn pop_min(&mut self) -> Option<(u64, T)> {
        self.pop_from(self.first_occupied()?)
    }

    /// The queue that is served next, if a packet waits.
    pub(crate) fn first_occupied(&self) -> Option<usize> {
        self.queues.iter().position(|queue| !queue.is_empty())
    }

    pub(crate) fn peek_min(&self) -> Option<(u64, &T)> {
        self.queues.iter().find_map(VecDeque::front).map(|(rank, item)| (*rank, item))
    }

    /// Removes the first item of the queue with index `queue`.
    pub(crate) fn pop_from(&mut self, queue: usize) -> Option<(u64, T)> {
        let fifo = &mut self.queues[queue];
        let item = fifo.pop_front()?;
        self.len -= 1;
        if fifo.is_empty() {
            // It begins again at the front of its memory. Otherwise it would go round all of it in time, and queues that may
            // be long but are not would use as much memory as long ones.
            fifo.clear();
        }
        Some(item)
    }

    /// Looks at the first item of the queue with index `queue`.
    pub(crate) fn peek_at(&self, queue: usize) -> Option<(u64, &T)> {
        self.queues[queue].front().map(|(rank, item)| (*rank, item))
    }

    pub(crate) fn queues(&self) -> usize {
        self.queues.len()
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn capacity(&self) -> usize {
        self.queues.len() * self.queue_capacity
    }

    /// Returns the number of packets that have room even if all enter the same queue.
    pub(crate) fn sure_capacity(&self) -> usize {
        self.queue_capacity
    }
}
