//! `FlowQueue` on each of its orders.

use crate::flows::naive::Naive;
use forebay_core::{Duration, Rng, Seed};
use forebay_sched::RankUnit;
use forebay_sched::flows::{FLOW_RANKS, FlowOrder, FlowQueue, FlowRankEntry, Job, Taken};
use forebay_sched::queues::bitmap_tree::{Levels1, Levels2};
use forebay_sched::queues::queue::hffs::Hffs;
use forebay_sched::queues::queue::shift_register::ShiftRegister;
use forebay_sched::queues::{RankQueue, Tournament};
use rand::RngExt;
use std::hash::RandomState;

type Queue<Q> = FlowQueue<u64, u64, Q, RandomState>;

fn parts(taken: Option<Taken<u64, u64>>) -> Option<(u64, Job, u64)> {
    taken.map(|taken| (taken.flow, taken.job, taken.item))
}

/// Few values, so that ranks are often equal, or any at all.
fn draw(rng: &mut Rng, few: bool) -> Job {
    let magnitude = rng.random_range(0..64);
    let (work, bytes) = if few {
        (1_000 * rng.random_range(0..4), rng.random_range(0..3) * 10)
    } else {
        (rng.random_range(0..=u64::MAX >> magnitude), rng.random_range(0..=u32::MAX))
    };
    Job { work: Duration::from_ps(work), bytes }
}

fn compare<Q: FlowOrder>(mut queue: Queue<Q>, mut naive: Naive, case: &str) {
    let mut rng = Seed(11).stream(case);
    let few = rng.random();
    // Names are any 64 bits.
    let flows: Vec<u64> = (0..rng.random_range(1..=12)).map(|_| rng.random()).collect();
    let mut evicted_from_held = 0;
    for step in 0..3_000 {
        let flow = flows[rng.random_range(0..flows.len())];
        let pushes = if step % 500 < 250 { 60 } else { 30 };
        match rng.random_range(0..100) {
            n if n < pushes => {
                let job = draw(&mut rng, few);
                assert_eq!(queue.push(flow, job, step), naive.push(flow, job, step), "{case}: {step}");
            }
            n if n < 80 => assert_eq!(parts(queue.take()), naive.take(), "{case}: {step}"),
            n if n < 90 => {
                let dropped = naive.drop_worst();
                let was_held =
                    dropped.is_some_and(|(id, ..)| naive.flows.iter().any(|flow| flow.id == id && flow.held));
                evicted_from_held += u32::from(was_held);
                assert_eq!(parts(queue.drop_worst()), dropped, "{case}: {step}");
            }
            n if n < 95 => {
                let job = draw(&mut rng, few);
                assert_eq!(queue.put_back(flow, job, step), naive.put_back(flow, job, step), "{case}: {step}");
            }
            _ => assert_eq!(queue.release(flow), naive.release(flow), "{case}: {step}"),
        }
        let totals = (queue.len(), queue.bytes(), queue.work_ps(), queue.held_flows());
        assert_eq!(totals, (naive.len(), naive.bytes(), naive.work_ps(), naive.held()), "{case}: {step}");
        let load = naive.flows.iter().find(|naive| naive.id == flow).map(super::naive::Flow::load).unwrap_or_default();
        let ready = naive.flows.iter().any(|flow| !flow.items.is_empty() && !flow.held)
            && naive.serial.is_none_or(|limit| naive.held() < limit);
        assert_eq!((queue.load(flow).items, queue.load(flow).work_ps), (load.items, load.work_ps), "{case}: {step}");
        assert_eq!(queue.is_ready(), ready, "{case}: {step}");
    }
    assert!(naive.serial.is_none_or(|limit| limit < 2) || evicted_from_held > 0 || flows.len() == 1, "{case}");
}

/// On `order` with each unit, with flows held and not.
fn compare_all<Q: RankQueue<u32> + FlowOrder>(make: impl Fn(usize) -> Q, name: &str, entry: &FlowRankEntry) {
    for unit in [RankUnit::ONE, RankUnit::linear(30), RankUnit::Float { mantissa_bits: 2 }] {
        for serial in [None, Some(1), Some(3), Some(100)] {
            for limit in [1, 7, 40] {
                let order = make(limit);
                let max_rank = FlowOrder::max_rank(&order);
                let naive = Naive { rank: entry.rank, unit, max_rank, limit, serial, flows: Vec::new(), came: 0 };
                let queue = FlowQueue::new(order, entry.rank, unit, RandomState::new());
                let queue = if let Some(workers) = serial { queue.serial(workers) } else { queue };
                compare(queue, naive, &format!("{} {name} {unit:?} {serial:?} {limit}", entry.about.name));
            }
        }
    }
}

#[test]
fn it_does_what_plain_lists_do() {
    for entry in FLOW_RANKS {
        compare_all(Tournament::new, "tournament", entry);
        // Ranks are clamped most of the time, and rarely.
        compare_all(|limit| Hffs::<u32, Levels1>::new(limit, 5), "hffs of 5", entry);
        compare_all(|limit| Hffs::<u32, Levels2>::new(limit, 4_000), "hffs", entry);
        compare_all(ShiftRegister::new, "shift register", entry);
    }
}

#[test]
fn it_allocates_only_to_hold_more_than_before() {
    let one = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(one.count_total, 1, "the counter counts");
    let entry = &FLOW_RANKS[0];
    let mut queue = FlowQueue::new(Tournament::new(1_000), entry.rank, RankUnit::ONE, RandomState::new()).serial(4);
    let mut rng = Seed(4).stream("allocation");
    let mut served = 0;
    let allocated = allocation_counter::measure(|| {
        for step in 0..100_000 {
            // Each flow has a new name most of the time.
            let flow = rng.random_range(step / 2..=step);
            let _full = queue.push(flow, draw(&mut rng, false), step).is_err();
            if step % 3 == 0
                && let Some(taken) = queue.take()
            {
                served += 1;
                assert!(queue.release(taken.flow));
            } else if step % 7 == 0 {
                queue.drop_worst();
            }
        }
    });
    // Six lists double until they hold 1,000.
    assert!(allocated.count_total <= 60, "{}", allocated.count_total);
    assert!(served > 30_000, "{served}");
}
