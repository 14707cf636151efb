//! Queues allocate when they are built, and when more wait than ever before.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use forebay_core::{FlowId, Packet, Params, Seed, Time};
use forebay_sched::queues::queue::gradient::{Gradient, Steps};
use forebay_sched::queues::{BuiltQueue, QUEUES, QueueSize, RankQueue};
use rand::RngExt;

/// Lists of one queue: the days of a calendar, and some more.
const MOST_LISTS: u64 = 40;

#[test]
fn queues_allocate_only_to_hold_more_than_before() {
    let one = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(one.count_total, 1, "the counter counts");
    for entry in QUEUES {
        let mut queue = (entry.build)(QueueSize { packets: 1_000 }, &Params::defaults(entry.about.params)).unwrap();
        let mut rng = Seed(4).stream("allocation");
        let allocated = allocation_counter::measure(|| {
            for step in 0..100_000_u32 {
                // Each flow has a new name most of the time.
                let packet = Packet { flow: FlowId(rng.random_range(step / 2..=step)), ..Packet::default() };
                let queue_is_filling = step % 4_000 < 2_000;
                if rng.random_bool(if queue_is_filling { 0.8 } else { 0.2 }) {
                    let rank = rng.random_range(0..40_000);
                    let queue = queue.as_rank_queue_mut();
                    // Full and out of range are answers, too.
                    let _full = match queue.as_pop_eligible_mut() {
                        Some(queue) => queue.insert_at(rank, Time::from_ps(rank), packet).is_err(),
                        None => queue.push(rank, packet).is_err(),
                    };
                } else if let (true, BuiltQueue::DoubleEnded(queue)) = (step % 3 == 0, &mut queue) {
                    queue.pop_max();
                } else if let (1, Some(queue)) = (step % 3, queue.as_rank_queue_mut().as_pop_eligible_mut()) {
                    queue.pop_eligible(Time::from_ps(20_000));
                } else {
                    queue.as_rank_queue_mut().pop_min();
                }
            }
        });
        // Each of its lists doubles until it holds the most that it ever does: ten times for 1,000 packets.
        let most = 10 * MOST_LISTS;
        assert!(allocated.count_total <= most, "{}: {}", entry.about.name, allocated.count_total);
    }
}

/// A queue that holds little takes little, whatever there is room for.
#[test]
fn memory_follows_what_waits() {
    for name in ["fifo", "pifo", "earliest-of-flow", "shift-register", "sp-pifo", "strict"] {
        let Some(entry) = QUEUES.iter().find(|entry| entry.about.name == name) else { continue };
        let allocated = allocation_counter::measure(|| {
            let mut queue =
                (entry.build)(QueueSize { packets: 2_000_000 }, &Params::defaults(entry.about.params)).unwrap();
            for step in 0..100_u32 {
                let packet = Packet { flow: FlowId(step), ..Packet::default() };
                queue.as_rank_queue_mut().push(7, packet).unwrap();
                queue.as_rank_queue_mut().pop_min();
            }
        });
        assert!(allocated.bytes_max < 100_000, "{name}: {} bytes", allocated.bytes_max);
    }
}

/// The registry's defaults do not reach the histogram of a whole window.
#[test]
fn bounds_that_converge_do_not_allocate() {
    let mut queue = Gradient::new(vec![0, 10, 20, 30], 10, 100, Steps::Converge);
    let mut rng = Seed(5).stream("allocation");
    let fill = |queue: &mut Gradient<()>| {
        (0..40_000).for_each(|rank| {
            queue.push(rank, ()).ok();
        });
        while queue.pop_min().is_some() {}
    };
    fill(&mut queue);
    let allocated = allocation_counter::measure(|| {
        for _ in 0..10_000 {
            queue.push(rng.random_range(0..40_000), ()).ok();
            queue.pop_min();
        }
    });
    assert_eq!(allocated.count_total, 0);
}
