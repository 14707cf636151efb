//! PIEO: push-in extract-out, an ordered list from which the first eligible item is taken.
//!
//! Every element has a rank and a time from which it is eligible; a pop removes the lowest rank among the elements that are eligible now,
//! whatever its position. Shapers need this operation, since a PIFO can only remove its head. The list of N elements is cut into sublists
//! of sqrt(N) elements. Of two neighbouring sublists, one is always full, so 2 x sqrt(N) sublists are enough. Each sublist has a summary:
//! its lowest rank, its earliest eligible time and its count. The summaries determine the sublist of an operation, and each operation
//! changes that sublist and at most one neighbour. In hardware the summaries are compared in parallel, then the elements of the sublist.
//! Source: Shrivastav: Fast, scalable, and programmable packet scheduler in hardware, SIGCOMM'19.
//!
//! Choices: elements can also carry a group (the predicate that the paper uses for hierarchies), and a pop can be limited to a range of
//! groups. A sublist may hold elements of all groups, so its summary has an earliest time per group. BBQ (NSDI'24, appendix A) proposes a
//! bitmap there, which may choose a sublist in vain. The published design cannot remove the worst element, and neither can this queue. When
//! it is used as a plain rank queue, all items are eligible at once.

use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::slab::Slab;
use crate::queues::traits::{Handle, PopEligible, PushError, RankQueue, Remove};
use forebay_core::{About, Exactness, Time};
use std::ops::RangeInclusive;

/// The registry's entry for [`Pieo`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "pieo",
        title: "Push-in extract-out: the lowest rank among the packets that are eligible now",
        exactness: Exactness::Exact,
        hardware: "2 sqrt(n) registers with comparators and a RAM of sublists; 30,000 entries on an FPGA",
        cost: "O(sqrt n) comparisons per operation, in hardware 4 cycles; about 90 bytes plus the packet per entry",
        source: "Shrivastav: Fast, scalable, and programmable packet scheduler in hardware, SIGCOMM'19",
        params: &[],
    },
    build: |size, _| Ok(BuiltQueue::SingleEnded(Box::new(Pieo::new(size.packets)))),
};

/// An ordered list in sublists of a fixed size.
#[derive(Debug)]
pub struct Pieo<T> {
    /// The sublists in the order of the list: the first `used` have elements, and the rest are spare. Only these summaries move, as in
    /// hardware.
    order: Box<[usize]>,
    used: usize,
    /// Elements in order of rank, then of arrival.
    sublists: Box<[Vec<Element>]>,
    /// The earliest eligible time per sublist and group, sublist after sublist.
    earliest: Box<[Option<Time>]>,
    /// The number of elements that fills a sublist.
    full: usize,
    groups: usize,
    slab: Slab<Stored<T>>,
}

#[derive(Debug, Clone, Copy)]
struct Element {
    rank: u64,
    eligible_at: Time,
    group: usize,
    slot: u32,
}

#[derive(Debug)]
struct Stored<T> {
    item: T,
    /// The sublist of the slot's element.
    sublist: usize,
}

impl<T> Pieo<T> {
    /// An empty list for `capacity` items, all of one group.
    ///
    /// # Panics
    /// If `capacity` does not fit 32 bits.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self::with_groups(capacity, 1)
    }

    /// An empty list for `capacity` items of the groups 0 to `groups` - 1.
    ///
    /// # Panics
    /// If `groups` is 0 or `capacity` does not fit 32 bits.
    #[must_use]
    pub fn with_groups(capacity: usize, groups: usize) -> Self {
        assert!(groups > 0, "an element is of some group");
        let root = capacity.isqrt();
        let full = (if root * root < capacity { root + 1 } else { root }).max(1);
        let sublists = 2 * capacity.div_ceil(full);
        Self {
            order: (0..sublists).collect(),
            used: 0,
            // One more, for an element on its way to the next sublist.
            sublists: (0..sublists).map(|_| Vec::with_capacity(full + 1)).collect(),
            earliest: vec![None; sublists * groups].into(),
            full,
            groups,
            slab: Slab::new(capacity),
        }
    }

    /// Inserts an item into group `group`.
    ///
    /// # Errors
    /// Gives the item back if the list is full.
    ///
    /// # Panics
    /// If there is no such group.
    pub fn insert_in(&mut self, group: usize, rank: u64, eligible_at: Time, item: T) -> Result<Handle, PushError<T>> {
        assert!(group < self.groups, "there are groups 0 to {}, not {group}", self.groups - 1);
        let stored = Stored { item, sublist: 0 };
        let slot = self.slab.insert(stored).map_err(|stored| PushError::full(stored.item))?;
        self.place(Element { rank, eligible_at, group, slot });
        Ok(self.slab.handle(slot))
    }

    /// Takes the first item that is of one of `groups` and eligible at `now`.
    pub fn pop_eligible_in(&mut self, groups: RangeInclusive<usize>, now: Time) -> Option<(u64, T)> {
        let (at, index) = self.first_eligible(groups, now)?;
        self.take(at, index)
    }

    /// Inserts an element behind all elements of lower or equal rank. If its sublist overflows, the last element moves to the next sublist,
    /// or to a spare sublist in between if the next one is full, too.
    fn place(&mut self, element: Element) {
        let starts_before = |&sublist: &usize| self.sublists[sublist][0].rank <= element.rank;
        let at = self.order[..self.used].partition_point(starts_before).saturating_sub(1);
        if self.used == 0 {
            self.use_spare(0);
        }
        let sublist = self.order[at];
        let elements = &mut self.sublists[sublist];
        let index = elements.partition_point(|queued| queued.rank <= element.rank);
        elements.insert(index, element);
        let moved = if elements.len() > self.full { elements.pop() } else { None };
        self.settle(sublist, element.slot);
        let Some(moved) = moved else { return };
        if at + 1 == self.used || self.sublists[self.order[at + 1]].len() == self.full {
            self.use_spare(at + 1);
        }
        let next = self.order[at + 1];
        self.sublists[next].insert(0, moved);
        self.settle(next, moved.slot);
    }

    /// Puts a spare sublist at position `at` of the list.
    fn use_spare(&mut self, at: usize) {
        self.order[at..=self.used].rotate_right(1);
        self.used += 1;
    }

    /// Records that the element of `slot` is now in `sublist`, and updates the summary of `sublist`.
    fn settle(&mut self, sublist: usize, slot: u32) {
        if let Some(stored) = self.slab.get_mut(slot) {
            stored.sublist = sublist;
        }
        self.summarise(sublist);
    }

    fn summarise(&mut self, sublist: usize) {
        let summary = &mut self.earliest[sublist * self.groups..][..self.groups];
        summary.fill(None);
        for element in &self.sublists[sublist] {
            let earliest = &mut summary[element.group];
            *earliest = Some(earliest.map_or(element.eligible_at, |time| time.min(element.eligible_at)));
        }
    }

    /// Finds the first element that belongs to one of `groups` and is eligible at `now`. Returns the position of its sublist in the list,
    /// and its index there.
    fn first_eligible(&self, groups: RangeInclusive<usize>, now: Time) -> Option<(usize, usize)> {
        let last_group = (*groups.end()).min(self.groups - 1);
        let groups = *groups.start()..=last_group;
        let at = self.order[..self.used].iter().position(|sublist| {
            let summary = self.earliest[sublist * self.groups..].get(groups.clone());
            summary.is_some_and(|times| times.iter().flatten().any(|&time| time <= now))
        })?;
        let eligible = |element: &Element| element.eligible_at <= now && groups.contains(&element.group);
        let index = self.sublists[self.order[at]].iter().position(eligible)?;
        Some((at, index))
    }

    /// Removes an element. If its sublist was full and a neighbour is not, an element moves from the neighbour to the sublist. An empty
    /// sublist becomes a spare one.
    fn take(&mut self, at: usize, index: usize) -> Option<(u64, T)> {
        let sublist = self.order[at];
        let was_full = self.sublists[sublist].len() == self.full;
        let taken = self.sublists[sublist].remove(index);
        let not_full = |at: &usize| *at < self.used && self.sublists[self.order[*at]].len() < self.full;
        let before = at.checked_sub(1).filter(not_full);
        let behind = Some(at + 1).filter(not_full);
        if was_full && let Some(neighbour) = before.or(behind) {
            let giver = self.order[neighbour];
            let given = if neighbour < at { self.sublists[giver].pop()? } else { self.sublists[giver].remove(0) };
            let place = if neighbour < at { 0 } else { self.sublists[sublist].len() };
            self.sublists[sublist].insert(place, given);
            self.settle(sublist, given.slot);
            self.summarise(giver);
            self.spare_if_empty(neighbour);
        } else {
            self.summarise(sublist);
            self.spare_if_empty(at);
        }
        self.slab.take(taken.slot).map(|stored| (taken.rank, stored.item))
    }

    fn spare_if_empty(&mut self, at: usize) {
        if self.sublists[self.order[at]].is_empty() {
            self.order[at..self.used].rotate_left(1);
            self.used -= 1;
        }
    }

    fn look(&self, (at, index): (usize, usize)) -> Option<(u64, &T)> {
        let element = self.sublists[self.order[at]].get(index)?;
        self.slab.get(element.slot).map(|stored| (element.rank, &stored.item))
    }
}

impl<T> RankQueue<T> for Pieo<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        self.insert(rank, item).map(|_| ())
    }

    fn pop_min(&mut self) -> Option<(u64, T)> {
        if self.is_empty() { None } else { self.take(0, 0) }
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        if self.is_empty() { None } else { self.look((0, 0)) }
    }

    fn len(&self) -> usize {
        self.slab.len()
    }

    fn capacity(&self) -> usize {
        self.slab.capacity()
    }

    fn as_remove_mut(&mut self) -> Option<&mut dyn Remove<T>> {
        Some(self)
    }

    fn as_pop_eligible_mut(&mut self) -> Option<&mut dyn PopEligible<T>> {
        Some(self)
    }

    fn as_pop_eligible(&self) -> Option<&dyn PopEligible<T>> {
        Some(self)
    }
}

impl<T> Remove<T> for Pieo<T> {
    fn insert(&mut self, rank: u64, item: T) -> Result<Handle, PushError<T>> {
        self.insert_in(0, rank, Time::ZERO, item)
    }

    fn remove(&mut self, handle: Handle) -> Option<(u64, T)> {
        let sublist = self.slab.find(handle)?.sublist;
        let at = self.order.iter().position(|&used| used == sublist)?;
        let index = self.sublists[sublist].iter().position(|element| element.slot == handle.slot)?;
        self.take(at, index)
    }
}

impl<T> PopEligible<T> for Pieo<T> {
    fn insert_at(&mut self, rank: u64, eligible_at: Time, item: T) -> Result<Handle, PushError<T>> {
        self.insert_in(0, rank, eligible_at, item)
    }

    fn pop_eligible(&mut self, now: Time) -> Option<(u64, T)> {
        self.pop_eligible_in(0..=self.groups - 1, now)
    }

    fn peek_eligible(&self, now: Time) -> Option<(u64, &T)> {
        self.look(self.first_eligible(0..=self.groups - 1, now)?)
    }

    fn next_eligible(&self) -> Option<Time> {
        let summaries =
            self.order[..self.used].iter().flat_map(|sublist| &self.earliest[sublist * self.groups..][..self.groups]);
        summaries.flatten().min().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt;

    /// Checks the layout: sublists are in order, each summary is right, one of two neighbours is full, and spare sublists are empty.
    fn check(list: &Pieo<u32>) {
        let used: Vec<&Vec<Element>> = list.order[..list.used].iter().map(|&sublist| &list.sublists[sublist]).collect();
        assert!(list.order[list.used..].iter().all(|&spare| list.sublists[spare].is_empty()));
        assert!(used.iter().all(|sublist| (1..=list.full).contains(&sublist.len())));
        assert!(used.windows(2).all(|pair| pair.iter().any(|sublist| sublist.len() == list.full)));
        assert!(used.iter().copied().flatten().is_sorted_by_key(|element| element.rank));
        assert_eq!(used.iter().map(|sublist| sublist.len()).sum::<usize>(), list.len());
        for &sublist in &list.order[..list.used] {
            for group in 0..list.groups {
                let elements = list.sublists[sublist].iter().filter(|element| element.group == group);
                let earliest = elements.map(|element| element.eligible_at).min();
                assert_eq!(list.earliest[sublist * list.groups + group], earliest);
            }
        }
    }

    #[test]
    fn groups_and_times_select_as_in_a_plain_list() {
        for capacity in [1, 2, 9, 10, 90] {
            let mut rng = Seed(1).stream("pieo");
            let mut list = Pieo::with_groups(capacity, 4);
            // In order of rank, then of arrival: rank, group, time, item, handle.
            let mut model: Vec<(u64, usize, Time, u32, Handle)> = Vec::new();
            for item in 0..30_000_u32 {
                let time = Time::from_ps(rng.random_range(0..30));
                let group = rng.random_range(0..4);
                let pushes = if item / 500 % 2 == 0 { 60 } else { 35 };
                match rng.random_range(0..100) {
                    n if n < pushes => {
                        let rank = rng.random_range(0..15);
                        let inserted = list.insert_in(group, rank, time, item);
                        assert_eq!(inserted.is_ok(), model.len() < capacity);
                        if let Ok(handle) = inserted {
                            let place = model.partition_point(|queued| queued.0 <= rank);
                            model.insert(place, (rank, group, time, item, handle));
                        }
                    }
                    n if n < 95 => {
                        let groups = group.min(2)..=rng.random_range(2..6);
                        let place = model.iter().position(|queued| groups.contains(&queued.1) && queued.2 <= time);
                        let expected = place.map(|place| model.remove(place)).map(|queued| (queued.0, queued.3));
                        assert_eq!(list.pop_eligible_in(groups, time), expected);
                    }
                    _ if model.is_empty() => {}
                    _ => {
                        let (rank, .., item, handle) = model.remove(rng.random_range(0..model.len()));
                        assert_eq!(list.remove(handle), Some((rank, item)));
                        assert_eq!(list.remove(handle), None);
                    }
                }
                let first = model.iter().find(|queued| queued.2 <= time);
                assert_eq!(list.peek_eligible(time), first.map(|queued| (queued.0, &queued.3)));
                assert_eq!(list.next_eligible(), model.iter().map(|queued| queued.2).min());
                check(&list);
            }
        }
    }
}
