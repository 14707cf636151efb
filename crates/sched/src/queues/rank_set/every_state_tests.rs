//! Bounded, exhaustive tests of hierarchical find-first-set. They cover every state of small shapes and every step out of it, and every
//! order of few operations. For the full shapes, they cover every state with one or two numbers.

use super::{Part, RankSet};
use crate::queues::bitmap_tree::{Levels1, Levels2, Levels3, Levels4};
use crate::queues::shaped_tree::ShapedTree;
use std::fmt::Debug;

/// Returns all parts that are neighbouring bits of one bitmap, with the first number and the end of the numbers below them.
fn parts(width: usize, levels: usize) -> Vec<(Part, usize, usize)> {
    let mut parts = Vec::new();
    for level in 0..levels {
        let below = width.pow(u32::try_from(levels - level - 1).expect("few levels"));
        for word in 0..width.pow(u32::try_from(level).expect("few levels")) {
            for begin in 0..width {
                for end in begin + 1..=width {
                    let mask = (begin..end).fold(0, |mask, bit| mask | 1_u64 << bit);
                    let from = |bit| (word * width + bit) * below;
                    parts.push((Part { level, word, mask }, from(begin), from(end)));
                }
            }
        }
    }
    parts
}

/// The ends of a set whose numbers are the bits of `set`.
fn ends(set: u64) -> (Option<usize>, Option<usize>) {
    let first = (set != 0).then(|| set.trailing_zeros() as usize);
    (first, (set != 0).then(|| set.ilog2() as usize))
}

fn of(set: u64, width: usize, levels: usize) -> ShapedTree {
    let mut tree = ShapedTree::new(width, levels);
    (0..64).filter(|number| set >> number & 1 == 1).for_each(|number| tree.insert(number));
    tree
}

/// Asserts that a tree is the set of these bits, also in every part.
fn is_set(tree: &impl RankSet, set: u64, parts: &[(Part, usize, usize)]) {
    assert_eq!((tree.first(), tree.last()), ends(set), "{set:b}");
    for &(part, begin, end) in parts {
        let inside = set & (u64::MAX >> (64 - end)) & (u64::MAX << begin);
        assert_eq!((tree.first_in(part), tree.last_in(part)), ends(inside), "{set:b}, {part:?}");
    }
}

/// Checks every state, and each step out of it: the words after the step must represent the resulting set. So no sequence of operations,
/// however long, leads to words that are not checked here.
fn every_state(width: usize, levels: usize) {
    let numbers = width.pow(u32::try_from(levels).expect("few levels"));
    let parts = parts(width, levels);
    let words: Vec<String> = (0..1_u64 << numbers).map(|set| format!("{:?}", of(set, width, levels))).collect();
    for set in 0..1_u64 << numbers {
        is_set(&of(set, width, levels), set, &parts);
        for number in 0..numbers {
            let (mut more, mut less) = (of(set, width, levels), of(set, width, levels));
            more.insert(number);
            less.remove(number);
            let place = |set: u64| usize::try_from(set).expect("few numbers");
            assert_eq!(format!("{more:?}"), words[place(set | 1 << number)], "{set:b} and {number}");
            assert_eq!(format!("{less:?}"), words[place(set & !(1 << number))], "{set:b} without {number}");
        }
    }
}

#[test]
fn every_state_of_small_shapes_and_every_step_out_of_it() {
    for (width, levels) in [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (5, 1), (8, 1)] {
        every_state(width, levels);
    }
}

/// Every state of 16 numbers, which have up to four levels.
#[test]
fn every_state_of_sixteen_numbers() {
    for (width, levels) in [(2, 4), (4, 2), (16, 1)] {
        let parts: Vec<_> = parts(width, levels).into_iter().step_by(if width == 16 { 7 } else { 1 }).collect();
        (0..1 << 16).for_each(|set| is_set(&of(set, width, levels), set, &parts));
    }
}

/// Every order of six operations on the numbers of 64 bits that lie at the ends of words.
#[test]
fn every_order_of_six_operations_on_the_full_shapes() {
    fn play<Tree: RankSet + Default>(numbers: [usize; 3]) {
        for mut order in 0..6_u32.pow(6) {
            let (mut tree, mut set) = (Tree::default(), 0_u64);
            for _ in 0..6 {
                let place = (order % 3) as usize;
                if order / 3 % 2 == 0 {
                    tree.insert(numbers[place]);
                    set |= 1 << place;
                } else {
                    tree.remove(numbers[place]);
                    set &= !(1 << place);
                }
                let (first, last) = ends(set);
                let number = |place: usize| numbers[place];
                assert_eq!((tree.first(), tree.last()), (first.map(number), last.map(number)), "{numbers:?} {set:b}");
                order /= 6;
            }
        }
    }
    play::<Levels1>([0, 31, 63]);
    play::<Levels2>([63, 64, 4_095]);
    for numbers in [[0, 1, 64], [4_031, 4_032, 4_095]] {
        play::<Levels2>(numbers);
    }
}

/// The ends of one number and of two; afterwards the tree is empty again.
fn one_or_two<Tree: RankSet + Debug>(tree: &mut Tree, one: usize, others: impl Iterator<Item = usize>) {
    tree.insert(one);
    assert_eq!((tree.first(), tree.last()), (Some(one), Some(one)));
    for other in others {
        tree.insert(other);
        assert_eq!((tree.first(), tree.last()), (Some(one.min(other)), Some(one.max(other))), "{one}, {other}");
        if other != one {
            tree.remove(other);
            assert_eq!((tree.first(), tree.last()), (Some(one), Some(one)), "{one} without {other}");
        }
    }
    tree.remove(one);
    assert_eq!((tree.first(), tree.last()), (None, None), "without {one}");
}

#[test]
fn every_state_of_one_or_two_numbers_of_the_full_shapes() {
    let mut tree = Levels1::default();
    (0..64).for_each(|one| one_or_two(&mut tree, one, 0..64));
    let mut tree = Levels2::default();
    (0..4_096).for_each(|one| one_or_two(&mut tree, one, one..4_096));
    let mut tree = ShapedTree::new(32, 2);
    (0..1_024).for_each(|one| one_or_two(&mut tree, one, 0..1_024));
}

/// Every number alone, and with each at the ends of words and of the whole.
#[test]
fn every_number_of_the_deepest_shapes() {
    let edges = |numbers: usize| {
        let powers = (0..24).map(|bit| 1_usize << bit).filter(|power| *power < numbers).collect::<Vec<_>>();
        powers.into_iter().flat_map(|power| [power - 1, power]).chain([numbers - 1]).collect::<Vec<_>>()
    };
    let (mut tree, all) = (Levels3::default(), edges(1 << 18));
    (0..1 << 18).for_each(|one| one_or_two(&mut tree, one, all.iter().copied()));
    let (mut tree, all) = (Levels4::default(), edges(1 << 24));
    (0..1 << 24).for_each(|one| one_or_two(&mut tree, one, std::iter::empty()));
    all.iter().for_each(|one| one_or_two(&mut tree, *one, all.iter().copied()));
}
