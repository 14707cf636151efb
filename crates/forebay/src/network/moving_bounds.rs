//! The queue that SP-PIFO chooses for a packet, for a port that notifies the next node of its packets.

use forebay_core::convert::index;
use forebay_core::{BufferSize, Packet, Params};
use forebay_sched::queues::RankQueue;
use forebay_sched::queues::queue::sp_pifo::{PushDown, SpPifo};
use forebay_sim::net::{QueueChoice, Refused};

/// SP-PIFO whose bounds are moved only by the packets that arrive.
#[derive(Debug, Clone, Copy)]
pub(super) struct MovingBounds {
    queues: usize,
    push_down: PushDown,
    buffer: BufferSize,
    /// Packets that all queues hold.
    capacity: u64,
}

impl MovingBounds {
    /// Returns the bounds of a queue with these parameters in a port with this buffer; [`None`] if its bounds depend on more than arrivals.
    pub(super) fn of(params: &Params, buffer: BufferSize) -> Option<Self> {
        let moves_otherwise = params.text("moves") != "arriving"
            || params.integer("second_pass").is_some()
            || !params.integers("reserved").is_empty()
            || params.number("guard") < 1.0;
        if moves_otherwise {
            return None;
        }
        let queues = params.integer("queues")?;
        let queue_packets = params.integer("queue_packets").unwrap_or(buffer.slots().div_ceil(queues));
        let push_down = PushDown::from_params(params);
        Some(Self { queues: index(queues), push_down, buffer, capacity: queues.saturating_mul(queue_packets) })
    }

    pub(super) fn queues(&self) -> usize {
        self.queues
    }

    /// Follows the bounds of a port from its beginning.
    pub(super) fn followed(self) -> Followed {
        Followed { of: self, queue: SpPifo::with_push_down(self.queues, 1, self.push_down) }
    }
}

/// A queue without packets that has the bounds of the port's queue: each packet is dequeued immediately.
pub(super) struct Followed {
    of: MovingBounds,
    queue: SpPifo<()>,
}

impl Followed {
    /// A packet of this rank arrives at the queues; says for which one it is meant.
    fn arrives(&mut self, rank: u64) -> usize {
        let queue = self.queue.bounds().iter().rposition(|&bound| bound <= rank).unwrap_or(0);
        let entered = self.queue.push(rank, ()).is_ok();
        debug_assert!(entered, "it was empty");
        self.queue.pop_min();
        queue
    }
}

impl QueueChoice for Followed {
    fn queued(&mut self, packet: &Packet) -> usize {
        self.arrives(packet.rank)
    }

    /// A packet that the buffer has no room for does not get to the queues; one whose queue is full moves the bounds.
    fn refused(&mut self, packet: &Refused) {
        let has_room = match self.of.buffer {
            BufferSize::Packets(limit) => packet.packets < limit,
            BufferSize::Bytes(limit) => {
                packet.bytes + u64::from(packet.size_bytes) <= limit && packet.packets < self.of.capacity
            }
        };
        if has_room {
            self.arrives(packet.rank);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::registry::find;
    use forebay_core::{Discipline, ParamValue, Rate, Seed, Time, Verdict};
    use forebay_sched::queues::QUEUES;
    use forebay_sched::{DisciplineSpec, Part, RankDiscipline, RankUnit};
    use rand::RngExt as _;
    use std::collections::VecDeque;

    /// Compared with the discipline itself: the backlog of each queue must leave in the same order.
    fn follow(buffer: &str, push_down: &str, seed: u64) -> u64 {
        let text = |text: &str| ParamValue::Text(text.to_owned());
        let given = [("queues".to_owned(), ParamValue::Integer(4)), ("push_down".to_owned(), text(push_down))];
        let buffer = BufferSize::parse(buffer).unwrap();
        let spec = DisciplineSpec {
            rank: Part::named("packet-rank"),
            queue: Part { name: "sp-pifo".to_owned(), params: given.into(), own: None },
            drop: Part::named("tail"),
            buffer,
            mark: None,
            pace: None,
            rank_unit: RankUnit::ONE,
            link_rate: Rate::from_bits_per_second(1_000_000_000).unwrap(),
        };
        let mut port = RankDiscipline::new(&spec).unwrap();
        let about = &find("queue", QUEUES, "sp-pifo").unwrap().about;
        let params = Params::check(about.params, spec.queue.params.clone()).unwrap();
        let mut followed = MovingBounds::of(&params, buffer).unwrap().followed();
        let mut waiting: Vec<VecDeque<u64>> = vec![VecDeque::new(); 4];
        let mut rng = Seed(seed).stream("followed");
        let mut refused = 0;
        for id in 0..4_000 {
            if rng.random_range(0..2) == 0 {
                let size_bytes = rng.random_range(64..1_500);
                let packet = Packet { id, rank: rng.random_range(0..100), size_bytes, ..Packet::default() };
                let (packets, bytes) = (Discipline::len(&port) as u64, Discipline::bytes(&port));
                match Discipline::enqueue(&mut port, Time::ZERO, packet, &mut Vec::new()) {
                    Verdict::Queued { rank } => waiting[followed.queued(&Packet { rank, ..packet })].push_back(id),
                    Verdict::Refused { rank } => {
                        refused += 1;
                        followed.refused(&Refused { rank, size_bytes, packets, bytes });
                    }
                }
            } else {
                let left = Discipline::dequeue(&mut port, Time::ZERO).map(|packet| packet.id);
                let first = waiting.iter_mut().find_map(VecDeque::pop_front);
                assert_eq!(left, first, "{push_down} {seed}");
            }
        }
        refused
    }

    #[test]
    fn packets_leave_as_the_queues_that_are_followed_say() {
        for push_down in ["cost", "queue-bound", "rank", "one"] {
            for seed in 0..20 {
                let refused = ["20 packets", "7 packets", "9 KB"].map(|buffer| follow(buffer, push_down, seed));
                assert!(refused.iter().all(|&refused| refused > 20), "{refused:?}");
            }
        }
    }
}
