//! BMW-Tree: a balanced multi-way sorting tree.
//!
//! A node has M elements. Each element has a slot for a key, the lowest key of the subtree below the element, and a counter of the keys in
//! that subtree, including this key. A push enters the emptiest subtree, the leftmost among equals. If the pushed key is lower than the
//! element's key, it replaces the element's key, and the displaced key moves on to the node below. So subtrees fill evenly, and every push
//! finds a free slot as long as the tree has one. A pop removes the lowest key of the root; the lowest key of the node below fills the gap,
//! and so on down. Each operation visits one node per level from the top, so hardware can pipeline it. Source: Yao et al.: BMW Tree:
//! Large-scale, high-throughput and modular PIFO implementation using balanced multi-way sorting tree, SIGCOMM'23.
//!
//! Choices: as published, equal ranks leave in any order; here the key is rank, then arrival, so equal ranks leave in order of arrival, as
//! in every queue of forebay. In hardware that costs a sequence number per element. The tree has at least as many slots as the buffer, so
//! the buffer limits the number of packets.

use crate::queues::entry::{BuiltQueue, QueueEntry, QueueSize};
use crate::queues::keyed_slab::{Key, KeyedSlab};
use crate::queues::traits::{PushError, RankQueue};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};

/// The most slots of a tree: 8 GB of them.
const MAX_PLACES: usize = 1 << 28;
const MAX_LEVELS: u64 = 32;

/// The registry's entry for [`BmwTree`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "bmw-tree",
        title: "Balanced multi-way sorting tree: exact for any rank, pipelined over its levels",
        exactness: Exactness::Exact,
        hardware: "a pipeline with one RAM and M comparators per level; push and pop only",
        cost: "O(M x levels) per operation, in hardware pipelined over the levels; 32 bytes per slot of the tree (up to M times \
               the buffer) and 16 bytes plus the packet per entry",
        source: "Yao et al.: BMW Tree, SIGCOMM'23",
        params: &[
            ParamSpec {
                name: "order",
                kind: ParamKind::Integer { min: 2, max: 64, default: Some(4) },
                meaning: "elements per node and subtrees below it (M)",
            },
            ParamSpec {
                name: "levels",
                kind: ParamKind::Integer { min: 1, max: MAX_LEVELS, default: None },
                meaning: "levels of the tree; by default as few as hold the buffer",
            },
        ],
    },
    build,
};

fn build(size: QueueSize, params: &Params) -> Result<BuiltQueue, ParamError> {
    let integer = |name: &str| params.integer(name).and_then(|value| usize::try_from(value).ok());
    let order = integer("order").unwrap_or(2);
    let fewest = levels_for(order, size.packets);
    let levels = integer("levels").unwrap_or(fewest);
    if levels < fewest {
        return Err(ParamError::of(
            "levels",
            format!(
                "{levels} levels of order {order} hold {} packets, but the buffer holds {}; use levels = {fewest}",
                places(order, levels),
                size.packets
            ),
        ));
    }
    if places(order, levels) > MAX_PLACES {
        let (param, advice) = if levels > fewest {
            ("levels", format!("use levels = {fewest}"))
        } else {
            ("order", "use another order, or a smaller buffer".to_owned())
        };
        let message = format!("{levels} levels of order {order} have more than {MAX_PLACES} slots; {advice}");
        return Err(ParamError::of(param, message));
    }
    Ok(BuiltQueue::SingleEnded(Box::new(BmwTree::new(size.packets, order, levels))))
}

/// Returns the number of slots of a tree: order + order^2 + ... + order^levels.
fn places(order: usize, levels: usize) -> usize {
    (0..levels).fold(0_usize, |below, _| below.saturating_add(1).saturating_mul(order))
}

/// Returns the least number of levels with at least `capacity` slots.
fn levels_for(order: usize, capacity: usize) -> usize {
    (1..).find(|&levels| places(order, levels) >= capacity).unwrap_or(1)
}

/// A balanced multi-way sorting tree.
#[derive(Debug)]
pub struct BmwTree<T> {
    /// Node after node, from the root down and from left to right: the elements of
    /// node `n` begin at `n x order`, and below element `e` is node `e + 1`.
    elements: Box<[Element]>,
    order: usize,
    items: KeyedSlab<T>,
}

/// A slot of a node.
#[derive(Debug, Clone, Copy, Default)]
struct Element {
    /// Meaningless if `count` is 0.
    key: Key,
    /// The number of keys in this slot and below it.
    count: u32,
}

impl<T> BmwTree<T> {
    /// Creates an empty tree of `levels` levels whose nodes have `order` elements, for `capacity` items.
    ///
    /// # Panics
    /// If `order` is less than 2, or if the tree has fewer places than `capacity`
    /// or more than fit 32 bits.
    #[must_use]
    pub fn new(capacity: usize, order: usize, levels: usize) -> Self {
        let places = places(order, levels);
        assert!(order >= 2, "a tree branches");
        assert!(capacity <= places, "the tree has a place for every item");
        assert!(u32::try_from(places).is_ok(), "counters have 32 bits");
        Self { elements: vec![Element::default(); places].into(), order, items: KeyedSlab::new(capacity) }
    }

    /// Returns the first slot of the node below `element`.
    fn below(&self, element: usize) -> usize {
        (element + 1) * self.order
    }

    /// Returns the slot of the lowest key in the node that begins at `node`.
    fn lowest(&self, node: usize) -> Option<usize> {
        let places = node..node + self.order;
        let elements = self.elements.get(places.clone())?;
        let occupied = places.zip(elements).filter(|(_, element)| element.count > 0);
        occupied.min_by_key(|(_, element)| element.key).map(|(place, _)| place)
    }

    /// Returns the slot of the emptiest subtree of a node, the leftmost among equals.
    fn emptiest(&self, node: usize) -> usize {
        (node..node + self.order).min_by_key(|&place| self.elements[place].count).unwrap_or(node)
    }
}

impl<T> RankQueue<T> for BmwTree<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        let mut key = self.items.insert(rank, item)?;
        let mut node = 0;
        loop {
            let place = self.emptiest(node);
            node = self.below(place);
            let element = &mut self.elements[place];
            element.count += 1;
            if element.count == 1 {
                element.key = key;
                return Ok(());
            }
            if key < element.key {
                std::mem::swap(&mut key, &mut element.key);
            }
        }
    }

    fn pop_min(&mut self) -> Option<(u64, T)> {
        let mut place = self.lowest(0)?;
        let first = self.elements[place].key;
        loop {
            self.elements[place].count -= 1;
            let Some(lowest_below) = self.lowest(self.below(place)) else { break };
            self.elements[place].key = self.elements[lowest_below].key;
            place = lowest_below;
        }
        self.items.take(first)
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        self.items.get(self.elements[self.lowest(0)?].key)
    }

    fn len(&self) -> usize {
        self.items.len()
    }

    fn capacity(&self) -> usize {
        self.items.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use forebay_core::params::ParamValue;
    use rand::RngExt;

    /// Checks that the counters are right, and that no key is below a higher one. Returns the number of keys from `node` down.
    fn check(tree: &BmwTree<u32>, node: usize, above: Option<Key>) -> u32 {
        let Some(elements) = tree.elements.get(node..node + tree.order) else { return 0 };
        let mut keys = 0;
        for (place, element) in (node..).zip(elements) {
            let below = check(tree, tree.below(place), (element.count > 0).then_some(element.key));
            assert!(element.count == below + 1 || element.count + below == 0, "nothing is below a gap");
            assert!(element.count == 0 || above.is_none_or(|above| above < element.key));
            keys += element.count;
        }
        keys
    }

    #[test]
    fn every_place_is_used_and_the_tree_stays_sorted() {
        for (order, levels) in [(2, 1), (2, 4), (3, 3), (4, 2), (64, 1)] {
            let capacity = places(order, levels);
            let mut tree = BmwTree::new(capacity, order, levels);
            let mut rng = Seed(1).stream("bmw-tree");
            for step in 0..20_000_u32 {
                let pushes = if step / 100 % 2 == 0 { 0.7 } else { 0.3 };
                if rng.random_bool(pushes) {
                    let has_room = tree.len() < capacity;
                    assert_eq!(tree.push(rng.random_range(0..50), step).is_ok(), has_room);
                } else {
                    tree.pop_min();
                }
                if step % 16 == 0 {
                    assert_eq!(check(&tree, 0, None) as usize, tree.len());
                }
            }
        }
    }

    #[test]
    fn subtrees_fill_evenly() {
        let mut tree = BmwTree::new(84, 4, 3);
        for item in 0..50_u32 {
            tree.push(u64::from(item) * 7 % 50, item).unwrap();
            let counts = tree.elements[..4].iter().map(|element| element.count);
            assert!(counts.clone().max().unwrap() - counts.min().unwrap() <= 1);
        }
    }

    #[test]
    fn a_tree_that_does_not_hold_the_buffer_is_refused() {
        let build = |packets, given: &[(&str, i64)]| {
            let given = given.iter().map(|(name, value)| ((*name).to_owned(), ParamValue::Integer(*value)));
            build(QueueSize { packets }, &Params::check(ENTRY.about.params, given.collect()).unwrap())
        };
        assert_eq!(build(84, &[("levels", 3)]).unwrap().as_rank_queue().capacity(), 84);
        assert_eq!(
            build(85, &[("levels", 3)]).err().unwrap().to_string(),
            "3 levels of order 4 hold 84 packets, but the buffer holds 85; use levels = 4"
        );
        assert!(build(1, &[("order", 64), ("levels", 32)]).is_err());
    }
}
