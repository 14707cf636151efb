//! HFFS with bitmaps of any width and depth: the same answers, and clear errors.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use forebay_core::params::ParamValue;
use forebay_core::{Packet, Params, Seed};
use forebay_sched::queues::queue::hffs::{self, Hffs};
use forebay_sched::queues::{BuiltQueue, PopMax, QueueSize, RankQueue, Reference, Remove, ShapedTree};
use proptest::prelude::*;
use rand::RngExt;
use std::collections::BTreeMap;

proptest! {
    #[test]
    fn any_shape_equals_the_reference(width in 2..=64_usize, levels in 1..5_usize, capacity in 1..30_usize, seed: u64) {
        let ranks = width.pow(u32::try_from(levels).unwrap());
        prop_assume!(ranks <= 1 << 20);
        let mut queue = Hffs::with_tree(capacity, ranks, ShapedTree::new(width, levels));
        let mut reference = Reference::new(capacity, ranks as u64);
        let mut rng = Seed(seed).stream("shapes");
        let mut handles = Vec::new();
        for item in 0..1_000_u64 {
            match rng.random_range(0..10) {
                0..5 => {
                    let rank = rng.random_range(0..ranks as u64);
                    let pushed = queue.insert(rank, item);
                    prop_assert_eq!(pushed.is_ok(), reference.push(rank, item).is_ok());
                    handles.extend(pushed.map(|handle| (item, handle)));
                }
                5..7 => prop_assert_eq!(queue.pop_min(), reference.pop_min()),
                7..9 => prop_assert_eq!(queue.pop_max(), reference.pop_max()),
                _ if handles.is_empty() => {}
                _ => {
                    let (item, handle) = handles[rng.random_range(0..handles.len())];
                    prop_assert_eq!(queue.remove(handle), reference.remove(&item));
                }
            }
            prop_assert_eq!(queue.len(), reference.len());
        }
    }
}

fn build(given: &[(&str, i64)]) -> Result<BuiltQueue, String> {
    let given: BTreeMap<_, _> =
        given.iter().map(|&(name, value)| (name.to_owned(), ParamValue::Integer(value))).collect();
    let params = Params::check(hffs::ENTRY.about.params, given).map_err(|error| error.message)?;
    (hffs::ENTRY.build)(QueueSize { packets: 10 }, &params).map_err(|error| error.message)
}

#[test]
fn levels_are_as_many_as_the_ranks_need() {
    for (ranks, width) in [
        (1, 64),
        (64, 64),
        (65, 64),
        (262_145, 64),
        (32_768, 2),
        (32_768, 8),
        (1 << 24, 64),
        (1 << 24, 48),
        (1 << 24, 3),
    ] {
        let mut built = build(&[("ranks", ranks), ("width", width)]).unwrap();
        let queue = built.as_rank_queue_mut();
        let highest = u64::try_from(ranks - 1).unwrap();
        assert_eq!(queue.max_rank(), highest);
        queue.push(highest, Packet::default()).unwrap();
        assert_eq!(queue.pop_min().unwrap().0, highest);
    }
}

#[test]
fn shapes_that_do_not_hold_the_ranks_are_refused_with_advice() {
    let message = |given: &[(&str, i64)]| build(given).err().unwrap();
    assert_eq!(
        message(&[("ranks", 32_768), ("width", 4), ("levels", 7)]),
        "7 levels of 4 bits have 16384 ranks, not 32768; use 8 levels"
    );
    assert_eq!(
        message(&[("ranks", 100), ("width", 32), ("levels", 7)]),
        "7 levels of 32 bits have more than 16777216 bitmaps in the lowest; use 2 levels"
    );
    assert!(message(&[("width", 1)]).contains("from 2 to 64"), "{}", message(&[("width", 1)]));
    assert!(message(&[("ranks", 0)]).contains("from 1 to 16777216"));
}
