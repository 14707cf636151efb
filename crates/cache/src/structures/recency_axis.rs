//! Objects in the cache and ghosts on one axis, by how recently each was requested.

use super::PerSlot;

/// An object on the axis, by a number that the policy gives it.
type Node = u32;

/// The recency axis: the most recent object has the first position, and every object takes up
/// its size, 1 at least. The *position* of an object is the sum of the sizes of those that are
/// more recent, and its own: the cache size from which on LRU would hold it.
///
/// O(log n) per operation, amortised: a Fenwick tree over the order of the last requests,
/// which is tidied up when its end is reached. Memory grows with the greatest number of objects.
#[derive(Debug, Clone)]
pub struct RecencyAxis {
    /// The tree; as many places as a power of two, oldest first.
    sums: Vec<Sums>,
    /// By place: which object is there.
    nodes: Vec<Node>,
    items: PerSlot<Item>,
    used: usize,
    live: usize,
    all: Sums,
}

/// The sums over a part of the axis.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    size: u128,
    residents: u32,
    ghosts: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Item {
    place: usize,
    size: u64,
    is_resident: bool,
}

const NOBODY: Node = u32::MAX;
const LEAST_PLACES: usize = 16;

impl Item {
    fn sums(self) -> Sums {
        let residents = u32::from(self.is_resident);
        Sums { size: u128::from(self.size.max(1)), residents, ghosts: 1 - residents }
    }
}

impl Sums {
    fn plus(self, other: Self) -> Self {
        Self {
            size: self.size.wrapping_add(other.size),
            residents: self.residents.wrapping_add(other.residents),
            ghosts: self.ghosts.wrapping_add(other.ghosts),
        }
    }

    fn negated(self) -> Self {
        Self {
            size: self.size.wrapping_neg(),
            residents: self.residents.wrapping_neg(),
            ghosts: self.ghosts.wrapping_neg(),
        }
    }
}

impl RecencyAxis {
    /// An empty axis with room for this many objects before memory grows.
    #[must_use]
    pub fn new(objects: usize) -> Self {
        let places = (2 * objects).next_power_of_two().max(LEAST_PLACES);
        Self {
            sums: vec![Sums::default(); places],
            nodes: vec![NOBODY; places],
            items: PerSlot::new(objects),
            used: 0,
            live: 0,
            all: Sums::default(),
        }
    }

    /// Puts an object that is not on the axis at its first position, in the cache.
    pub fn push(&mut self, node: Node, size: u64) {
        if self.used == self.nodes.len() {
            self.tidy();
        }
        let item = Item { place: self.used, size, is_resident: true };
        self.nodes[self.used] = node;
        self.used += 1;
        self.live += 1;
        self.items.set(node, item);
        self.add(item.place, item.sums());
    }

    /// Takes an object off the axis.
    pub fn remove(&mut self, node: Node) {
        let item = self.items[node];
        self.add(item.place, item.sums().negated());
        self.nodes[item.place] = NOBODY;
        self.live -= 1;
    }

    /// An object of the axis was evicted.
    pub fn make_ghost(&mut self, node: Node) {
        self.change(node, |item| item.is_resident = false);
    }

    /// An object of the axis has another size.
    pub fn resize(&mut self, node: Node, size: u64) {
        self.change(node, |item| item.size = size);
    }

    fn change(&mut self, node: Node, change: impl FnOnce(&mut Item)) {
        let before = self.items[node];
        change(&mut self.items[node]);
        let after = self.items[node];
        self.add(before.place, after.sums().plus(before.sums().negated()));
    }

    /// The size with which an object is on the axis.
    #[must_use]
    pub fn size(&self, node: Node) -> u64 {
        self.items[node].size
    }

    /// The position of an object of the axis.
    #[must_use]
    pub fn position(&self, node: Node) -> u128 {
        self.all.size - self.before(self.items[node].place).size
    }

    /// How many objects are in the cache.
    #[must_use]
    pub fn residents(&self) -> u32 {
        self.all.residents
    }

    /// The object in the cache that is the so-manieth, the least recent being the first one.
    ///
    /// # Panics
    /// If there are not so many, or for 0.
    #[must_use]
    pub fn resident(&self, nth: u32) -> Node {
        let place = self.descend(|sums| sums.residents < nth);
        self.nodes[place]
    }

    /// How many objects in the cache have this position or one behind it.
    #[must_use]
    pub fn residents_from(&self, position: u64) -> u32 {
        let Some(behind) = self.all.size.checked_sub(u128::from(position)) else { return 0 };
        // The place where that many are behind is the first one in front of the position.
        let place = self.descend(|sums| sums.size <= behind);
        self.before((place + 1).min(self.nodes.len())).residents
    }

    /// The least recent ghost.
    #[must_use]
    pub fn oldest_ghost(&self) -> Option<Node> {
        (self.all.ghosts > 0).then(|| self.nodes[self.descend(|sums| sums.ghosts == 0)])
    }

    /// The sums over all places before this one.
    fn before(&self, mut place: usize) -> Sums {
        let mut sums = Sums::default();
        while place > 0 {
            sums = sums.plus(self.sums[place - 1]);
            place &= place - 1;
        }
        sums
    }

    /// The first place of which the sums up to and with it are not `few` any more; the number of
    /// places if there is none.
    fn descend(&self, few: impl Fn(Sums) -> bool) -> usize {
        let (mut place, mut before) = (0, Sums::default());
        let mut step = self.sums.len();
        while step > 0 {
            if let Some(&part) = self.sums.get(place + step - 1)
                && few(before.plus(part))
            {
                (place, before) = (place + step, before.plus(part));
            }
            step /= 2;
        }
        place
    }

    fn add(&mut self, place: usize, sums: Sums) {
        self.all = self.all.plus(sums);
        let mut index = place;
        while let Some(sum) = self.sums.get_mut(index) {
            *sum = sum.plus(sums);
            index |= index + 1;
        }
    }

    /// Gives the objects the first places, in their order; at least as many are free then.
    fn tidy(&mut self) {
        let mut live = 0;
        for place in 0..self.used {
            let node = self.nodes[place];
            if node != NOBODY {
                self.nodes[place] = NOBODY;
                self.nodes[live] = node;
                self.items[node].place = live;
                live += 1;
            }
        }
        self.used = live;
        let places = (2 * live).next_power_of_two().max(self.nodes.len());
        self.nodes.resize(places, NOBODY);
        self.sums.clear();
        self.sums.resize(places, Sums::default());
        for place in 0..places {
            let own = self.nodes[place];
            if own != NOBODY {
                self.sums[place] = self.sums[place].plus(self.items[own].sums());
            }
            let above = place | (place + 1);
            if above < places {
                self.sums[above] = self.sums[above].plus(self.sums[place]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn behaves_as_a_list(ops in proptest::collection::vec((0..6_u8, 0..30_u32, 0..5_u64), 0..600)) {
            let mut axis = RecencyAxis::new(0);
            // Most recent first: node, size, whether it is in the cache.
            let mut model: Vec<(Node, u64, bool)> = Vec::new();
            for (op, node, size) in ops {
                match (op, model.iter().position(|item| item.0 == node)) {
                    (0..3, there) => {
                        if let Some(at) = there {
                            axis.remove(node);
                            model.remove(at);
                        }
                        axis.push(node, size);
                        model.insert(0, (node, size, true));
                    }
                    (3, Some(at)) => {
                        axis.remove(node);
                        model.remove(at);
                    }
                    (4, Some(at)) => {
                        axis.make_ghost(node);
                        model[at].2 = false;
                    }
                    (_, Some(at)) => {
                        axis.resize(node, size);
                        model[at].1 = size;
                    }
                    (_, None) => {}
                }
                let mut position = 0;
                let mut positions = Vec::new();
                for &(node, size, _) in &model {
                    position += size.max(1);
                    prop_assert_eq!(axis.position(node), u128::from(position));
                    prop_assert_eq!(axis.size(node), size);
                    positions.push(position);
                }
                let residents: Vec<Node> = model.iter().rev().filter(|item| item.2).map(|item| item.0).collect();
                prop_assert_eq!(axis.residents() as usize, residents.len());
                for (nth, &node) in (1..).zip(&residents) {
                    prop_assert_eq!(axis.resident(nth), node);
                }
                let ghost = model.iter().rev().find(|item| !item.2).map(|item| item.0);
                prop_assert_eq!(axis.oldest_ghost(), ghost);
                for from in 1..position + 3 {
                    let behind = model.iter().zip(&positions).filter(|(item, at)| item.2 && **at >= from).count();
                    prop_assert_eq!(axis.residents_from(from) as usize, behind, "from {}", from);
                }
            }
        }
    }
}
