//! The queues, each with what it can do when it is full.

use forebay_sched::queues::bitmap_tree::Levels3;
use forebay_sched::queues::queue::fibonacci_heap::FibonacciHeap;
use forebay_sched::queues::queue::fibonacci_pair::FibonacciPair;
use forebay_sched::queues::queue::hffs::Hffs;
use forebay_sched::queues::{PopMax, RankQueue};

/// Packets that a queue holds.
pub(super) const ENTRIES: usize = 16_384;
/// Ranks of HFFS.
pub(super) const RANKS: u32 = 32_768;

/// What a queue must do here; an item is the place of its packet.
pub(super) trait Contender {
    fn push(&mut self, rank: u64, item: u32);
    fn pop_min(&mut self) -> Option<u32>;
    /// The highest rank, if that can be given up.
    fn worst(&self) -> Option<u64>;
    fn pop_worst(&mut self);
}

/// Which queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Hffs,
    Pair,
    Heap,
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Hffs, Self::Pair, Self::Heap];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Hffs => "HFFS",
            Self::Pair => "pair of Fibonacci heaps",
            Self::Heap => "Fibonacci heap",
        }
    }
}

pub(super) fn hffs() -> TwoEnds<Hffs<u32, Levels3>> {
    TwoEnds(Hffs::new(ENTRIES, RANKS as usize))
}

pub(super) fn pair() -> TwoEnds<FibonacciPair<u32>> {
    TwoEnds(FibonacciPair::new(ENTRIES))
}

pub(super) fn heap() -> OneEnd<FibonacciHeap<u32>> {
    OneEnd(FibonacciHeap::new(ENTRIES))
}

/// A full queue can only drop arriving packets.
pub(super) struct OneEnd<Q>(Q);

impl<Q: RankQueue<u32>> Contender for OneEnd<Q> {
    fn push(&mut self, rank: u64, item: u32) {
        // Whoever plays never fills it above its capacity.
        let pushed = self.0.push(rank, item);
        debug_assert!(pushed.is_ok(), "there is room, and the rank exists");
    }

    fn pop_min(&mut self) -> Option<u32> {
        self.0.pop_min().map(|(_, item)| item)
    }

    fn worst(&self) -> Option<u64> {
        None
    }

    fn pop_worst(&mut self) {}
}

/// A full queue gives up the worst that waits.
pub(super) struct TwoEnds<Q>(Q);

impl<Q: PopMax<u32>> Contender for TwoEnds<Q> {
    fn push(&mut self, rank: u64, item: u32) {
        let pushed = self.0.push(rank, item);
        debug_assert!(pushed.is_ok(), "there is room, and the rank exists");
    }

    fn pop_min(&mut self) -> Option<u32> {
        self.0.pop_min().map(|(_, item)| item)
    }

    fn worst(&self) -> Option<u64> {
        self.0.peek_max().map(|(rank, _)| rank)
    }

    fn pop_worst(&mut self) {
        self.0.pop_max();
    }
}

/// Does nothing: what playing costs without a queue.
#[derive(Debug, Default)]
pub(super) struct Nothing(u32);

impl Contender for Nothing {
    fn push(&mut self, _: u64, item: u32) {
        self.0 = item;
    }

    fn pop_min(&mut self) -> Option<u32> {
        Some(self.0)
    }

    fn worst(&self) -> Option<u64> {
        None
    }

    fn pop_worst(&mut self) {}
}
