//! Every order of a few operations on small queues, each answer held against the reference: no seed has to be lucky.

use super::exact::exact_queues;
use forebay_core::ops::Op;
use forebay_core::params::ParamValue;
use forebay_core::{Exactness, Params};
use forebay_sched::queues::replay::{Replayed, SideBySide};
use forebay_sched::queues::{QueueEntry, QueueSize};

/// Ranks of the queues; one more is tried, which is out of range.
const RANKS: u64 = 4;
/// Entries of the queues, fewer than an order may push.
const CAPACITY: usize = 3;
const LENGTH: u32 = 5;

/// The operations: a push at each rank, both ends, and the removal of the oldest and of the last item.
const KINDS: u64 = RANKS + 5;

fn operation(kind: u64, pushed: &mut u64) -> Op {
    match kind {
        0 => Op::Pop,
        1 => Op::PopMax,
        2 => Op::Remove { item: 1 },
        3 => Op::Remove { item: *pushed },
        _ => {
            *pushed += 1;
            Op::Push { rank: kind - 4, item: *pushed }
        }
    }
}

/// The shapes that are tried: the default one, and for trees of bitmaps the narrowest, which have the most levels.
fn shapes(entry: &QueueEntry) -> Vec<Vec<(String, ParamValue)>> {
    let has = |name: &str| entry.about.params.iter().any(|spec| spec.name == name);
    let integer = |name: &str, value: u64| (name.to_owned(), ParamValue::Integer(value));
    let ranks: Vec<_> = has("ranks").then(|| integer("ranks", RANKS)).into_iter().collect();
    let mut shapes = vec![ranks.clone()];
    if has("width") {
        shapes.push([ranks, vec![integer("width", 2)]].concat());
    }
    shapes
}

fn try_all(entry: &QueueEntry, given: &[(String, ParamValue)]) {
    for number in 0..KINDS.pow(LENGTH) {
        let params = Params::check(entry.about.params, given.iter().cloned().collect()).unwrap();
        let queue = (entry.build)(QueueSize { packets: CAPACITY }, &params).unwrap();
        let mut both = SideBySide::new(Replayed::new(queue));
        let (mut rest, mut pushed) = (number, 0);
        for _ in 0..LENGTH {
            let operation = operation(rest % KINDS, &mut pushed);
            both.apply(operation)
                .unwrap_or_else(|wrong| panic!("{} {given:?}: order {number}: {wrong}", entry.about.name));
            rest /= KINDS;
        }
    }
}

#[test]
fn every_order_of_operations_on_a_small_exact_queue_equals_the_reference() {
    // Whose window moves takes other ranks after the first pop.
    let all = exact_queues().filter(|entry| entry.about.exactness == Exactness::Exact);
    let all: Vec<_> = all.flat_map(|entry| shapes(entry).into_iter().map(move |shape| (entry, shape))).collect();
    assert!(
        all.iter().any(|(entry, shape)| entry.about.name == "hffs" && shape.len() == 2),
        "HFFS with words of two bits"
    );
    std::thread::scope(|threads| {
        for (entry, shape) in &all {
            threads.spawn(move || try_all(entry, shape));
        }
    });
}
