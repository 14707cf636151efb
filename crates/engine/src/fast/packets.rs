//! Makes the structures that the packets of a queue are in.

use super::any_queue::AnyQueue;
use super::arrival_list::ArrivalList;
use super::arrivals::{Arrivals, Fifo};
use super::buckets::Buckets;
use super::double_ended::{DoubleEndedBuckets, DoubleEndedHeap};
use super::end::End;
use super::expr::Test;
use super::indexed_heap::IndexedHeap;
use super::names::Names;
use super::plan::{self, QueueStructure, Sorted, changes, packet_order};
use super::slab::VICTIMS;
use super::two_ended::TwoEnded;
use forebay_lang::ir::{Comparator, Policy};

/// Room is made at once for at most so many packets; it grows when more come.
const MOST_AT_FIRST: usize = 1 << 12;

/// For how many packets room is made at once.
pub(super) fn at_first(packets: u64) -> usize {
    usize::try_from(packets).map_or(MOST_AT_FIRST, |packets| packets.min(MOST_AT_FIRST)).saturating_add(1)
}

/// How many ranks there are; few, where there are buckets.
fn count(ranks: u64) -> usize {
    usize::try_from(ranks).unwrap_or(usize::MAX)
}

/// The empty structure of a queue.
pub(super) fn any_queue(policy: &Policy, queue: usize, structure: QueueStructure) -> AnyQueue {
    let queue = &policy.queues[queue];
    let slots = at_first(queue.size.slots());
    let (processing, admission) = (&queue.processing, &queue.admission);
    match (structure, packet_order(policy, processing, false)) {
        (QueueStructure::Arrivals { latest_first, drop_earliest }, _) => match (latest_first, drop_earliest) {
            (false, false) => AnyQueue::Fifo(Fifo::with_capacity(slots)),
            (false, true) => AnyQueue::FifoDropEarliest(Arrivals::with_capacity(slots)),
            (true, false) => AnyQueue::Lifo(Arrivals::with_capacity(slots)),
            (true, true) => AnyQueue::LifoDropEarliest(Arrivals::with_capacity(slots)),
        },
        (QueueStructure::DoubleEnded(Sorted::Buckets { ranks }), Some(order)) => match ranks {
            0..=64 => AnyQueue::Buckets64(DoubleEndedBuckets::new(order, count(ranks), slots)),
            65..=4096 => AnyQueue::Buckets4096(Box::new(DoubleEndedBuckets::new(order, count(ranks), slots))),
            _ => AnyQueue::BucketsMore(Box::new(DoubleEndedBuckets::new(order, count(ranks), slots))),
        },
        (QueueStructure::DoubleEnded(Sorted::Heap { bits }), Some(order)) => {
            let moves = changes(processing);
            if bits <= u64::BITS {
                AnyQueue::Heap(DoubleEndedHeap::new(order, moves, slots))
            } else {
                AnyQueue::WideHeap(DoubleEndedHeap::new(order, moves, slots))
            }
        }
        (QueueStructure::TwoEnded { service, victims }, _) => AnyQueue::TwoEnded(Box::new(TwoEnded::new(
            end(policy, processing, service, slots),
            end(policy, admission, victims, slots),
            slots,
        ))),
        // A plan has sorted structures only where there are keys.
        (QueueStructure::DoubleEnded(_), None) => AnyQueue::TwoEnded(Box::new(TwoEnded::new(
            end(policy, processing, plan::End::Scan, slots),
            end(policy, admission, plan::End::Scan, slots),
            slots,
        ))),
    }
}

fn end<const ORDER: usize>(policy: &Policy, comparator: &Comparator, end: plan::End, slots: usize) -> End<ORDER> {
    let moves = changes(comparator);
    match (end, packet_order(policy, comparator, ORDER == VICTIMS)) {
        (plan::End::Arrival { against_ties }, _) => End::Arrival { list: ArrivalList::default(), against_ties },
        (plan::End::Sorted(Sorted::Buckets { ranks }), Some(order)) => {
            End::Buckets { order, buckets: Box::new(Buckets::new(count(ranks))) }
        }
        (plan::End::Sorted(Sorted::Heap { bits }), Some(order)) if bits <= u64::BITS => {
            End::Heap { order, moves, heap: IndexedHeap::with_capacity(slots) }
        }
        (plan::End::Sorted(Sorted::Heap { .. }), Some(order)) => {
            End::WideHeap { order, moves, heap: IndexedHeap::with_capacity(slots) }
        }
        _ => End::Scan {
            list: ArrivalList::default(),
            before: Test::compile(&comparator.before, &Names::packets(policy)),
        },
    }
}
