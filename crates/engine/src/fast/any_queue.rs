//! A queue of any structure, for policies with several kinds.

use super::arrivals::Arrivals;
use super::double_ended::{DoubleEndedBuckets, DoubleEndedHeap};
use super::fifo::Fifo;
use super::slab::Stored;
use super::structure::Structure;
use super::two_ended::TwoEnded;
use forebay_core::{Duration, Packet};
use forebay_sched::queues::bitmap_tree::{Levels1, Levels2, Levels3};

macro_rules! any {
    ($($variant:ident($inner:ty) = |$key:ident| $into:expr, |$from:ident| $back:expr;)*) => {
        /// A queue of one of the structures.
        #[derive(Debug)]
        pub(super) enum AnyQueue {
            $($variant($inner),)*
        }

        impl Structure for AnyQueue {
            /// A key that is wide enough for all structures; an order with one key stores it first.
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
            fn insert(&mut self, stored: Stored, key: Self::Key) {
                match self {
                    $(Self::$variant(queue) => {
                        let $from = key;
                        queue.insert(stored, $back);
                    })*
                }
            }

            #[inline]
            fn first(&self) -> u32 {
                match self {
                    $(Self::$variant(queue) => queue.first(),)*
                }
            }

            #[inline]
            fn len(&self) -> u64 {
                match self {
                    $(Self::$variant(queue) => queue.len(),)*
                }
            }

            #[inline]
            fn get(&self, slot: u32) -> Stored {
                match self {
                    $(Self::$variant(queue) => queue.get(slot),)*
                }
            }

            fn packet_mut(&mut self, slot: u32) -> &mut Packet {
                match self {
                    $(Self::$variant(queue) => queue.packet_mut(slot),)*
                }
            }

            fn set_left(&mut self, slot: u32, left: Duration) {
                match self {
                    $(Self::$variant(queue) => queue.set_left(slot, left),)*
                }
            }

            #[inline]
            fn replace(&mut self, slot: u32) {
                match self {
                    $(Self::$variant(queue) => queue.replace(slot),)*
                }
            }

            #[inline]
            fn take(&mut self, slot: u32) -> Option<Stored> {
                match self {
                    $(Self::$variant(queue) => queue.take(slot),)*
                }
            }

            #[inline]
            fn release(&mut self, slot: u32) -> &Packet {
                match self {
                    $(Self::$variant(queue) => queue.release(slot),)*
                }
            }

            #[inline]
            fn pop_victim(&mut self) -> Option<(&Packet, Duration)> {
                match self {
                    $(Self::$variant(queue) => queue.pop_victim(),)*
                }
            }

            #[inline]
            fn arriving_is_first(&self, arriving: &Stored, key: Self::Key) -> bool {
                match self {
                    $(Self::$variant(queue) => {
                        let $from = key;
                        queue.arriving_is_first(arriving, $back)
                    })*
                }
            }

            #[inline]
            fn arriving_is_victim(&self, arriving: &Stored, key: Self::Key) -> bool {
                match self {
                    $(Self::$variant(queue) => {
                        let $from = key;
                        queue.arriving_is_victim(arriving, $back)
                    })*
                }
            }
        }
    };
}

/// Returns the key of a structure without keys.
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
    Fifo(Fifo) = |key| none(key), |_key| ();
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
