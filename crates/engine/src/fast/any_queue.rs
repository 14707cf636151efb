//! A queue of any structure, where a policy has several kinds.

use super::arrivals::Arrivals;
use super::double_ended::{DoubleEndedBuckets, DoubleEndedHeap};
use super::slab::{Slab, Stored};
use super::structure::Structure;
use super::two_ended::TwoEnded;
use forebay_queues::bitmap_tree::{Levels1, Levels2, Levels3};

macro_rules! any {
    ($($variant:ident($inner:ty) = |$key:ident| $into:expr, |$from:ident| $back:expr;)*) => {
        /// One of the structures.
        #[derive(Debug)]
        pub(super) enum AnyQueue {
            $($variant($inner),)*
        }

        impl Structure for AnyQueue {
            /// Wide enough for the keys of all; an order with one key has it first.
            type Key = (u128, u128);

            #[inline]
            fn key(&self, stored: &Stored) -> Self::Key {
                match self {
                    $(Self::$variant(queue) => {
                        let $key = queue.key(stored);
                        $into
                    })*
                }
            }

            #[inline]
            fn insert(&mut self, slab: &mut Slab, slot: u32, key: Self::Key) {
                match self {
                    $(Self::$variant(queue) => {
                        let $from = key;
                        queue.insert(slab, slot, $back);
                    })*
                }
            }

            fn replace_first(&mut self, slab: &mut Slab, slot: u32) {
                match self {
                    $(Self::$variant(queue) => queue.replace_first(slab, slot),)*
                }
            }

            #[inline]
            fn first(&self, slab: &Slab) -> u32 {
                match self {
                    $(Self::$variant(queue) => queue.first(slab),)*
                }
            }

            #[inline]
            fn victim(&self, slab: &Slab) -> u32 {
                match self {
                    $(Self::$variant(queue) => queue.victim(slab),)*
                }
            }

            #[inline]
            fn remove_first(&mut self, slab: &mut Slab, slot: u32) {
                match self {
                    $(Self::$variant(queue) => queue.remove_first(slab, slot),)*
                }
            }

            #[inline]
            fn remove_victim(&mut self, slab: &mut Slab, slot: u32) {
                match self {
                    $(Self::$variant(queue) => queue.remove_victim(slab, slot),)*
                }
            }

            #[inline]
            fn arriving_is_first(&self, slab: &Slab, arriving: &Stored, key: Self::Key) -> bool {
                match self {
                    $(Self::$variant(queue) => {
                        let $from = key;
                        queue.arriving_is_first(slab, arriving, $back)
                    })*
                }
            }

            #[inline]
            fn arriving_is_victim(&self, slab: &Slab, arriving: &Stored, key: Self::Key) -> bool {
                match self {
                    $(Self::$variant(queue) => {
                        let $from = key;
                        queue.arriving_is_victim(slab, arriving, $back)
                    })*
                }
            }
        }
    };
}

/// No key.
fn none((): ()) -> (u128, u128) {
    (0, 0)
}

#[expect(clippy::cast_possible_truncation, reason = "the key was so wide when it was made")]
fn narrow((key, _): (u128, u128)) -> u64 {
    key as u64
}

#[expect(clippy::cast_possible_truncation, reason = "the key was so wide when it was made")]
fn rank((key, _): (u128, u128)) -> u32 {
    key as u32
}

any! {
    Fifo(Arrivals<false, false>) = |key| none(key), |_key| ();
    FifoDropEarliest(Arrivals<false, true>) = |key| none(key), |_key| ();
    Lifo(Arrivals<true, false>) = |key| none(key), |_key| ();
    LifoDropEarliest(Arrivals<true, true>) = |key| none(key), |_key| ();
    Buckets64(DoubleEndedBuckets<Levels1>) = |key| (key.into(), 0), |key| rank(key);
    Buckets4096(Box<DoubleEndedBuckets<Levels2>>) = |key| (key.into(), 0), |key| rank(key);
    BucketsMore(Box<DoubleEndedBuckets<Levels3>>) = |key| (key.into(), 0), |key| rank(key);
    Heap(DoubleEndedHeap<u64>) = |key| (key.into(), 0), |key| narrow(key);
    WideHeap(DoubleEndedHeap<u128>) = |key| (key, 0), |key| key.0;
    TwoEnded(Box<TwoEnded>) = |key| key, |key| key;
}
