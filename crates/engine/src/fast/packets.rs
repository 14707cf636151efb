//! Creates the structures that store the packets of a queue.
//!
//! They start empty, and their capacity doubles as packets arrive: sizes may be huge, and a change under traffic must be quick.

use super::any_queue::AnyQueue;
use super::arrival_list::ArrivalList;
use super::arrivals::Arrivals;
use super::buckets::Buckets;
use super::double_ended::{DoubleEndedBuckets, DoubleEndedHeap};
use super::expr::Test;
use super::fifo::Fifo;
use super::indexed_heap::IndexedHeap;
use super::names::Names;
use super::plan::{self, QueueStructure, Sorted, changes, packet_order};
use super::queue_end::End;
use super::slab::VICTIMS;
use super::two_ended::TwoEnded;
use forebay_core::convert;
use forebay_lang::ir::{Comparator, Policy};

/// Converts a number of ranks, which is small where there are buckets.
fn count(ranks: u64) -> usize {
    convert::index(ranks)
}

/// Creates the empty structure of a queue.
pub(super) fn any_queue(policy: &Policy, queue: usize, structure: QueueStructure, policy_id: u32) -> AnyQueue {
    let queue = &policy.queues[queue];
    let (processing, admission) = (&queue.processing, &queue.admission);
    match (structure, packet_order(policy, processing, false)) {
        (QueueStructure::Arrivals { latest_first, drop_earliest }, _) => match (latest_first, drop_earliest) {
            (false, false) => AnyQueue::Fifo(Fifo::new(policy_id)),
            (false, true) => AnyQueue::FifoDropEarliest(Arrivals::new()),
            (true, false) => AnyQueue::Lifo(Arrivals::new()),
            (true, true) => AnyQueue::LifoDropEarliest(Arrivals::new()),
        },
        (QueueStructure::DoubleEnded(Sorted::Buckets { ranks }), Some(order)) => match ranks {
            0..=64 => AnyQueue::Buckets64(DoubleEndedBuckets::new(order, count(ranks))),
            65..=4096 => AnyQueue::Buckets4096(Box::new(DoubleEndedBuckets::new(order, count(ranks)))),
            _ => AnyQueue::BucketsMore(Box::new(DoubleEndedBuckets::new(order, count(ranks)))),
        },
        (QueueStructure::DoubleEnded(Sorted::Heap { bits }), Some(order)) => {
            let moves = changes(policy, processing);
            if bits <= u64::BITS {
                AnyQueue::Heap(DoubleEndedHeap::new(order, moves))
            } else {
                AnyQueue::WideHeap(DoubleEndedHeap::new(order, moves))
            }
        }
        (QueueStructure::TwoEnded { service, victims }, _) => AnyQueue::TwoEnded(Box::new(TwoEnded::new(
            end(policy, processing, service),
            end(policy, admission, victims),
        ))),
        // A plan has sorted structures only where there are keys.
        (QueueStructure::DoubleEnded(_), None) => AnyQueue::TwoEnded(Box::new(TwoEnded::new(
            end(policy, processing, plan::End::Scan),
            end(policy, admission, plan::End::Scan),
        ))),
    }
}

fn end<const ORDER: usize>(policy: &Policy, comparator: &Comparator, end: plan::End) -> End<ORDER> {
    let moves = changes(policy, comparator);
    match (end, packet_order(policy, comparator, ORDER == VICTIMS)) {
        (plan::End::Arrival { against_ties }, _) => End::Arrival { list: ArrivalList::default(), against_ties },
        (plan::End::Sorted(Sorted::Buckets { ranks }), Some(order)) => {
            End::Buckets { order, buckets: Box::new(Buckets::new(count(ranks))) }
        }
        (plan::End::Sorted(Sorted::Heap { bits }), Some(order)) if bits <= u64::BITS => {
            End::Heap { order, moves, heap: IndexedHeap::new() }
        }
        (plan::End::Sorted(Sorted::Heap { .. }), Some(order)) => {
            End::WideHeap { order, moves, heap: IndexedHeap::new() }
        }
        _ => End::Scan {
            list: ArrivalList::default(),
            before: Test::compile(&comparator.before, &Names::packets(policy)),
        },
    }
}
