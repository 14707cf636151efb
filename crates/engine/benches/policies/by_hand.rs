//! Policies as an engineer would write them: for one policy each, with nothing that it does not need.

use forebay_core::{Counter, Packet, QueueId, Time, Verdict};
use forebay_engine::{Engine, Occupancy, Served, Waiting};
use forebay_lang::Fixed;
use forebay_lang::ir::{PortId, State};
use forebay_sched::queues::queue::pifo::Pifo;
use forebay_sched::queues::{PopMax, RankQueue};
use std::collections::VecDeque;

/// What none of these needs, since nothing changes and all packets are served as a whole.
macro_rules! nothing_else {
    () => {
        fn cycle(&mut self, _: Time, _: PortId) -> Served {
            Served::Nothing
        }
        fn hold(&mut self, _: QueueId, _: Occupancy) {}
        fn place(&mut self, _: Waiting) {}
        fn take_all(&mut self) -> Vec<Waiting> {
            Vec::new()
        }
        fn state(&self, _: State) -> Fixed {
            Fixed(0)
        }
        fn set_state(&mut self, _: State, _: Fixed) {}
        fn counters(&self) -> Vec<Counter> {
            vec![Counter { name: "dropped", value: self.dropped }]
        }
    };
}

/// One FIFO queue with tail drop.
pub(crate) struct TailDrop {
    waiting: VecDeque<Packet>,
    size: usize,
    bytes: u64,
    dropped: u64,
}

impl TailDrop {
    pub(crate) fn new(size: usize) -> Self {
        Self { waiting: VecDeque::with_capacity(size), size, bytes: 0, dropped: 0 }
    }
}

impl Engine for TailDrop {
    fn enqueue(&mut self, _: Time, packet: Packet, _: &mut Vec<Packet>) -> Verdict {
        if self.waiting.len() >= self.size {
            self.dropped += 1;
            return Verdict::Refused { rank: packet.rank };
        }
        self.bytes += u64::from(packet.size_bytes);
        self.waiting.push_back(packet);
        Verdict::Queued { rank: packet.rank }
    }

    fn dequeue(&mut self, _: Time, _: PortId) -> Option<Packet> {
        let packet = self.waiting.pop_front()?;
        self.bytes -= u64::from(packet.size_bytes);
        Some(packet)
    }

    fn occupancy(&self, _: QueueId) -> Occupancy {
        Occupancy { packets: self.waiting.len() as u64, bytes: self.bytes }
    }

    nothing_else!();
}

/// The shortest job is served first, the longest pushed out.
pub(crate) struct ShortestFirst {
    waiting: Pifo<Packet>,
    bytes: u64,
    dropped: u64,
}

impl ShortestFirst {
    pub(crate) fn new(size: usize) -> Self {
        Self { waiting: Pifo::new(size), bytes: 0, dropped: 0 }
    }
}

impl Engine for ShortestFirst {
    fn enqueue(&mut self, _: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        let work = packet.processing.as_ps();
        if self.waiting.len() == self.waiting.capacity() {
            self.dropped += 1;
            // Of equals the latest is the victim.
            if self.waiting.peek_max().is_none_or(|(longest, _)| work >= longest) {
                return Verdict::Refused { rank: packet.rank };
            }
            if let Some((_, victim)) = self.waiting.pop_max() {
                self.bytes -= u64::from(victim.size_bytes);
                evicted.push(victim);
            }
        }
        self.bytes += u64::from(packet.size_bytes);
        match self.waiting.push(work, packet) {
            Ok(()) => Verdict::Queued { rank: packet.rank },
            Err(_) => Verdict::Refused { rank: packet.rank },
        }
    }

    fn dequeue(&mut self, _: Time, _: PortId) -> Option<Packet> {
        let (_, packet) = self.waiting.pop_min()?;
        self.bytes -= u64::from(packet.size_bytes);
        Some(packet)
    }

    fn occupancy(&self, _: QueueId) -> Occupancy {
        Occupancy { packets: self.waiting.len() as u64, bytes: self.bytes }
    }

    nothing_else!();
}

/// Four FIFO queues at one port, the first that has packets is served.
pub(crate) struct Strict {
    queues: [VecDeque<Packet>; 4],
    bytes: [u64; 4],
    size: usize,
    dropped: u64,
}

impl Strict {
    pub(crate) fn new(size: usize) -> Self {
        Self { queues: std::array::from_fn(|_| VecDeque::with_capacity(size)), bytes: [0; 4], size, dropped: 0 }
    }
}

impl Engine for Strict {
    fn enqueue(&mut self, _: Time, packet: Packet, _: &mut Vec<Packet>) -> Verdict {
        let queue = usize::from(packet.queue.0);
        match self.queues.get_mut(queue) {
            Some(waiting) if waiting.len() < self.size => {
                waiting.push_back(packet);
                self.bytes[queue] += u64::from(packet.size_bytes);
                Verdict::Queued { rank: packet.rank }
            }
            _ => {
                self.dropped += 1;
                Verdict::Refused { rank: packet.rank }
            }
        }
    }

    fn dequeue(&mut self, _: Time, _: PortId) -> Option<Packet> {
        for (queue, waiting) in self.queues.iter_mut().enumerate() {
            if let Some(packet) = waiting.pop_front() {
                self.bytes[queue] -= u64::from(packet.size_bytes);
                return Some(packet);
            }
        }
        None
    }

    fn occupancy(&self, queue: QueueId) -> Occupancy {
        let queue = usize::from(queue.0);
        Occupancy { packets: self.queues[queue].len() as u64, bytes: self.bytes[queue] }
    }

    nothing_else!();
}

/// How many ports [`LongestDrops`] has.
pub(crate) const PORTS: u16 = 32;
const QUEUES: usize = PORTS as usize;

/// 32 ports with a FIFO queue each share a buffer: when it is full, the longest queue loses its last packet.
///
/// The lengths stand side by side, so that the longest is found in a few cache lines, and only when a packet is lost.
pub(crate) struct LongestDrops {
    queues: [VecDeque<Packet>; QUEUES],
    lengths: [u32; QUEUES],
    bytes: [u64; QUEUES],
    waiting: u32,
    size: u32,
    dropped: u64,
}

impl LongestDrops {
    pub(crate) fn new(size: u32) -> Self {
        let queue = |_| VecDeque::with_capacity(size as usize);
        Self {
            queues: std::array::from_fn(queue),
            lengths: [0; QUEUES],
            bytes: [0; QUEUES],
            waiting: 0,
            size,
            dropped: 0,
        }
    }

    /// The first of the longest queues.
    fn longest(&self) -> usize {
        let mut longest = 0;
        let mut most = 0;
        for (queue, &length) in self.lengths.iter().enumerate() {
            if length > most {
                most = length;
                longest = queue;
            }
        }
        longest
    }
}

impl Engine for LongestDrops {
    fn enqueue(&mut self, _: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        let queue = usize::from(packet.queue.0);
        let Some(waiting) = self.queues.get_mut(queue) else { return Verdict::Refused { rank: packet.rank } };
        self.lengths[queue] += 1;
        if self.waiting == self.size {
            self.dropped += 1;
            let longest = self.longest();
            self.lengths[longest] -= 1;
            if longest == queue {
                return Verdict::Refused { rank: packet.rank };
            }
            if let Some(victim) = self.queues[longest].pop_back() {
                self.bytes[longest] -= u64::from(victim.size_bytes);
                evicted.push(victim);
            }
            self.queues[queue].push_back(packet);
        } else {
            self.waiting += 1;
            waiting.push_back(packet);
        }
        self.bytes[queue] += u64::from(packet.size_bytes);
        Verdict::Queued { rank: packet.rank }
    }

    fn dequeue(&mut self, _: Time, port: PortId) -> Option<Packet> {
        let queue = usize::from(port.0);
        let packet = self.queues.get_mut(queue)?.pop_front()?;
        self.lengths[queue] -= 1;
        self.bytes[queue] -= u64::from(packet.size_bytes);
        self.waiting -= 1;
        Some(packet)
    }

    fn occupancy(&self, queue: QueueId) -> Occupancy {
        let queue = usize::from(queue.0);
        Occupancy { packets: self.lengths[queue].into(), bytes: self.bytes[queue] }
    }

    nothing_else!();
}
