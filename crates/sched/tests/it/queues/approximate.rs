//! What the approximate queues keep to: a bound on their inversions.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and say why it skips"
)]

use forebay_core::{Packet, ParamValue, Params, Seed};
use forebay_sched::queues::queue::fifo::Fifo;
use forebay_sched::queues::queue::mean_bounds::MeanBounds;
use forebay_sched::queues::queue::sp_pifo::SpPifo;
use forebay_sched::queues::{QUEUES, QueueSize, RankQueue};
use proptest::prelude::*;
use rand::RngExt;

proptest! {
    /// Rising ranks all go to the lowest queue, so SP-PIFO keeps their order.
    #[test]
    fn sp_pifo_never_inverts_rising_ranks(mut ranks: Vec<u64>, queues in 1..10_usize) {
        ranks.sort_unstable();
        let mut queue = SpPifo::new(queues, ranks.len());
        for &rank in &ranks {
            queue.push(rank, ()).unwrap();
        }
        let popped: Vec<u64> = std::iter::from_fn(|| queue.pop_min()).map(|(rank, ())| rank).collect();
        prop_assert_eq!(popped, ranks);
    }

    /// As many queues as there are ranks to tell apart: once every rank has been
    /// seen in falling order, each has a queue of its own and nothing inverts.
    #[test]
    fn sp_pifo_with_a_queue_per_rank_settles_without_inversions(order in prop::collection::vec(0..4_u64, 1..100)) {
        let mut queue = SpPifo::new(4, 1_000);
        for rank in (0..4).rev() {
            queue.push(rank, ()).unwrap();
        }
        prop_assert_eq!(queue.bounds(), [0, 1, 2, 3]);
        let mut sorted = order.clone();
        sorted.extend(0..4);
        sorted.sort_unstable();
        for rank in order {
            queue.push(rank, ()).unwrap();
        }
        let popped: Vec<u64> = std::iter::from_fn(|| queue.pop_min()).map(|(rank, ())| rank).collect();
        prop_assert_eq!(popped, sorted);
    }
}

/// Pops that leave a lower rank behind, at a steady backlog of 40 with uniform
/// ranks 0 to 100.
fn inversions(queue: &mut dyn RankQueue<Packet>) -> u64 {
    let mut rng = Seed(3).stream("inversions");
    let mut queued = [0_u32; 101];
    let mut inversions = 0;
    for step in 0..100_000 {
        let rank = rng.random_range(0..=100);
        if queue.push(rank, Packet::default()).is_ok() {
            queued[usize::try_from(rank).unwrap()] += 1;
        }
        if step >= 40 {
            let (rank, _) = queue.pop_min().unwrap();
            let rank = usize::try_from(rank).unwrap();
            queued[rank] -= 1;
            inversions += u64::from(queued[..rank].iter().any(|&count| count > 0));
        }
    }
    inversions
}

#[test]
fn more_queues_make_fewer_inversions() {
    let fifo = inversions(&mut Fifo::new(80));
    let sp_pifo_8 = inversions(&mut SpPifo::new(8, 80));
    let sp_pifo_32 = inversions(&mut SpPifo::new(32, 80));
    let mean_bounds_8 = inversions(&mut MeanBounds::new(8, 80, 4, 7));
    println!("fifo {fifo}, sp-pifo 8 {sp_pifo_8}, sp-pifo 32 {sp_pifo_32}, mean-bounds 8 {mean_bounds_8}");
    assert!(mean_bounds_8 < sp_pifo_8, "bounds that follow means, with detours, invert less");
    assert!(2 * sp_pifo_8 < fifo, "8 queues halve the inversions of a FIFO");
    assert!(2 * sp_pifo_32 < sp_pifo_8, "32 queues halve those of 8");
}

/// Each queue takes as many items as it says that it takes for sure, whatever their ranks are and whatever has left.
#[test]
fn no_queue_refuses_what_it_has_room_for_in_any_case() {
    let params = [
        vec![],
        vec![("queue_packets", ParamValue::Integer(30))],
        vec![("beyond", ParamValue::Text("last".to_owned()))],
    ];
    for entry in QUEUES {
        for given in &params {
            let known = |name: &str| entry.about.params.iter().any(|param| param.name == name);
            if !given.iter().all(|(name, _)| known(name)) {
                continue;
            }
            let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
            let params = Params::check(entry.about.params, given).unwrap();
            let mut queue = (entry.build)(QueueSize { packets: 30 }, &params).unwrap();
            let mut rng = Seed(4).stream("sure");
            let mut refused = 0;
            for step in 0..20_000 {
                let filling = step / 200 % 2 == 0;
                if rng.random_range(0..100) < if filling { 65 } else { 40 } {
                    let bits = rng.random_range(1..63);
                    let rank = rng.random_range(0..1 << bits).min(queue.max_rank());
                    let is_sure = queue.len() < queue.sure_capacity();
                    let pushed = queue.push(rank, Packet::default()).is_ok();
                    assert!(pushed || !is_sure, "{} at {}", entry.about.name, queue.len());
                    refused += u32::from(!pushed);
                } else {
                    queue.pop_min();
                }
            }
            assert!(queue.sure_capacity() <= queue.capacity() && refused > 0, "{}", entry.about.name);
        }
    }
}
