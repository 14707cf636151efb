//! A rank queue that reports its operations, so that they can be replayed on another queue, for example on hardware.

use crate::queues::entry::BuiltQueue;
use crate::queues::traits::{PopMax, PushError, PushErrorKind, RankQueue};
use forebay_core::ops::{Answer, Op};
use forebay_core::{Counter, Packet};
use std::sync::Arc;

/// Receives every operation, in order of execution.
pub trait OpSink: Send + Sync {
    /// Records `op` and its answer.
    fn record(&self, op: Op, answer: Answer);
}

/// Wraps `queue` so that `sink` receives every push, every pop from either end and every peek at the front. Items are the ids of the
/// packets.
///
/// Two things are not reported. A peek at the worst item changes nothing, and op streams have no such operation. Items cannot be removed
/// from a recorded queue, since no discipline does so.
#[must_use]
pub fn recorded(queue: BuiltQueue, sink: Arc<dyn OpSink>) -> BuiltQueue {
    match queue {
        BuiltQueue::SingleEnded(queue) => BuiltQueue::SingleEnded(Box::new(Recorded { queue, sink })),
        BuiltQueue::DoubleEnded(queue) => BuiltQueue::DoubleEnded(Box::new(Recorded { queue, sink })),
    }
}

struct Recorded<Q: ?Sized> {
    queue: Box<Q>,
    sink: Arc<dyn OpSink>,
}

/// The answer to a pop or a peek.
fn found(item: Option<(u64, &Packet)>) -> Answer {
    item.map_or(Answer::Empty, |(rank, packet)| Answer::Item { rank, item: packet.id })
}

impl<Q: RankQueue<Packet> + ?Sized> RankQueue<Packet> for Recorded<Q> {
    fn push(&mut self, rank: u64, packet: Packet) -> Result<(), PushError<Packet>> {
        let item = packet.id;
        let pushed = self.queue.push(rank, packet);
        let answer = match &pushed {
            Ok(()) => Answer::Done,
            Err(PushError { kind: PushErrorKind::Full, .. }) => Answer::Full,
            Err(PushError { kind: PushErrorKind::RankOutOfRange, .. }) => Answer::OutOfRange,
        };
        self.sink.record(Op::Push { rank, item }, answer);
        pushed
    }

    fn pop_min(&mut self) -> Option<(u64, Packet)> {
        let popped = self.queue.pop_min();
        self.sink.record(Op::Pop, found(popped.as_ref().map(|(rank, packet)| (*rank, packet))));
        popped
    }

    fn peek_min(&self) -> Option<(u64, &Packet)> {
        let first = self.queue.peek_min();
        self.sink.record(Op::Peek, found(first));
        first
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    fn capacity(&self) -> usize {
        self.queue.capacity()
    }

    fn sure_capacity(&self) -> usize {
        self.queue.sure_capacity()
    }

    fn max_rank(&self) -> u64 {
        self.queue.max_rank()
    }

    fn counters(&self) -> Vec<Counter> {
        self.queue.counters()
    }

    fn add_bounds(&self, bounds: &mut Vec<u64>) {
        self.queue.add_bounds(bounds);
    }
}

impl<Q: PopMax<Packet> + ?Sized> PopMax<Packet> for Recorded<Q> {
    fn pop_max(&mut self) -> Option<(u64, Packet)> {
        let popped = self.queue.pop_max();
        self.sink.record(Op::PopMax, found(popped.as_ref().map(|(rank, packet)| (*rank, packet))));
        popped
    }

    fn peek_max(&self) -> Option<(u64, &Packet)> {
        self.queue.peek_max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queues::QUEUES;
    use crate::queues::entry::QueueSize;
    use forebay_core::ops::OpStream;
    use forebay_core::{ParamValue, Params};
    use std::sync::Mutex;

    struct Lines(Mutex<String>);

    impl OpSink for Lines {
        fn record(&self, op: Op, answer: Answer) {
            self.0.lock().unwrap().push_str(&format!("{op} -> {answer}\n"));
        }
    }

    /// The registered queue of this name for 2 packets and ranks 0 to 7, recorded.
    fn queue(name: &str) -> (BuiltQueue, Arc<Lines>) {
        let entry = QUEUES.iter().find(|entry| entry.about.name == name).unwrap();
        let given = entry.about.params.iter().filter(|param| param.name == "ranks");
        let given = given.map(|param| (param.name.to_owned(), ParamValue::Integer(8))).collect();
        let params = Params::check(entry.about.params, given).unwrap();
        let lines = Arc::new(Lines(Mutex::default()));
        (recorded((entry.build)(QueueSize { packets: 2 }, &params).unwrap(), lines.clone()), lines)
    }

    fn packet(id: u64) -> Packet {
        Packet { id, ..Packet::default() }
    }

    #[test]
    fn all_that_is_done_is_told_in_order() {
        let (queue, lines) = queue("hffs");
        let BuiltQueue::DoubleEnded(mut queue) = queue else { panic!("hffs has two ends") };
        assert_eq!(queue.pop_min(), None);
        for (rank, id) in [(8, 0), (5, 1), (3, 2), (3, 3)] {
            let _ = queue.push(rank, packet(id));
        }
        assert_eq!(queue.peek_min().map(|(rank, packet)| (rank, packet.id)), Some((3, 2)));
        assert_eq!(queue.peek_max().map(|(rank, packet)| (rank, packet.id)), Some((5, 1)));
        assert_eq!(queue.pop_max().map(|(rank, packet)| (rank, packet.id)), Some((5, 1)));
        assert_eq!((queue.len(), queue.capacity(), queue.max_rank()), (1, 2, 7));
        assert_eq!(queue.pop_min().map(|(rank, packet)| (rank, packet.id)), Some((3, 2)));
        assert_eq!(queue.pop_max(), None);
        let text = "pop -> empty\npush 8 0 -> range\npush 5 1 -> ok\npush 3 2 -> ok\npush 3 3 -> full\n\
                    peek -> 3 2\npop-max -> 5 1\npop -> 3 2\npop-max -> empty\n";
        assert_eq!(*lines.0.lock().unwrap(), text);
        OpStream::parse(&format!("capacity 2\nranks 8\n{text}")).unwrap();
    }

    #[test]
    fn a_queue_with_one_end_still_has_one() {
        assert!(matches!(queue("pheap").0, BuiltQueue::SingleEnded(_)));
    }
}
