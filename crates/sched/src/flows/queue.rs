//! The queue of flows: FIFO inside a flow, flows in the order of their ranks.

use super::load::{FlowLoad, FlowRank, Job};
use super::order::FlowOrder;
use super::pool::{Ends, ItemPool};
use super::table::FlowTable;
use crate::queues::{Handle, Tournament};
use crate::rank_unit::RankUnit;
use std::hash::{BuildHasher, Hash};

/// A queue of the items of flows. Items are taken from the head of the best flow and dropped from the end of the worst flow.
///
/// A flow's rank is computed from its queued items; lower is better. Flows of equal rank are in the order in which they got that rank. A
/// flow gets a rank with its first item, when its rank changes, when its head is taken (so that equal flows take turns), and when it is
/// released. Ranks are compared in a [`RankUnit`], and ranks beyond the range of the order are clamped to its highest.
///
/// In the [serial](Self::serial) form a flow whose item is in service is held back until it is released, so that its items are worked on
/// one after the other. Its queued items may still be dropped.
///
/// Memory is allocated when more items wait than ever before. Any value that can be hashed identifies a flow. A flow uses memory only while
/// it has items queued or in service. Where an attacker chooses the names of flows, use a hasher with a random key.
///
/// ```
/// use forebay_core::Duration;
/// use forebay_sched::queues::Tournament;
/// use forebay_sched::RankUnit;
/// use forebay_sched::flows::{FlowQueue, Job, rank};
/// use std::hash::RandomState;
///
/// let order = Tournament::new(100); // at most 100 items
/// let mut queue = FlowQueue::new(order, rank::job_ratio_inorder::rank, RankUnit::ONE, RandomState::new());
/// let job = |us, bytes| Job { work: Duration::from_us(us), bytes };
/// queue.push("bob", job(1, 1_000), 'a').unwrap();
/// queue.push("eve", job(10, 64), 'b').unwrap();
/// queue.push("bob", job(5, 1_500), 'c').unwrap();
/// assert_eq!(queue.drop_worst().unwrap().item, 'b');
/// assert_eq!(queue.take().unwrap().item, 'a');
/// ```
#[derive(Debug)]
pub struct FlowQueue<K, T, Q, S> {
    order: Q,
    rank: FlowRank,
    unit: RankUnit,
    hasher: S,
    /// The flows by slot; free slots keep old values.
    flows: Vec<Flow<K>>,
    free: Vec<u32>,
    table: FlowTable,
    items: ItemPool<T>,
    /// Held flows with queued items; this order is used only for drops.
    held: Tournament<u32>,
    held_flows: usize,
    /// The most flows that may be held; `None` if flows are not held.
    serial: Option<usize>,
    total: FlowLoad,
    arrivals: u64,
    ranks_clamped: u64,
}

#[derive(Debug, Clone, Copy)]
struct Flow<K> {
    id: K,
    hash: u32,
    ends: Ends,
    load: FlowLoad,
    held: bool,
    /// The flow's place in an order, if it has queued items.
    place: Option<Place>,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    /// The flow's rank in the unit of the order.
    key: u64,
    /// The number of this ranking: flows are numbered each time that they get a rank.
    arrival: u64,
    /// The handle in `held` if the flow is held, else in `order`.
    handle: Handle,
}

/// An item that was taken from the queue or dropped from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken<K, T> {
    /// The flow of the item.
    pub flow: K,
    /// The item's job, as it was pushed.
    pub job: Job,
    /// The item.
    pub item: T,
}

/// The end of a flow from which an item is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Head,
    Last,
}

impl<K: Copy + Eq + Hash, T, Q: FlowOrder, S: BuildHasher> FlowQueue<K, T, Q, S> {
    /// Creates an empty queue that holds as many items as the empty `order` holds flows.
    #[must_use]
    pub fn new(order: Q, rank: FlowRank, unit: RankUnit, hasher: S) -> Self {
        let items = order.capacity();
        Self {
            order,
            rank,
            unit,
            hasher,
            flows: Vec::with_capacity(items),
            free: Vec::with_capacity(items),
            table: FlowTable::new(items),
            items: ItemPool::new(items),
            held: Tournament::new(0),
            held_flows: 0,
            serial: None,
            total: FlowLoad::default(),
            arrivals: 0,
            ranks_clamped: 0,
        }
    }

    /// Turns the empty queue into its serial form: when an item is taken, its flow is held until the flow is [released](Self::release). At
    /// most `in_service` flows are held at a time; while `in_service` flows are held, [`take`](Self::take) takes no item.
    #[must_use]
    pub fn serial(mut self, in_service: usize) -> Self {
        let items = self.items.capacity();
        let flows = items.saturating_add(in_service);
        self.flows = Vec::with_capacity(flows);
        self.free = Vec::with_capacity(flows);
        self.table = FlowTable::new(flows);
        self.held = Tournament::new(in_service.min(items));
        self.serial = Some(in_service);
        self
    }

    /// Appends an item to its flow. Returns the rank of the flow with this item.
    ///
    /// # Errors
    /// Gives the item back if the queue is full.
    pub fn push(&mut self, flow: K, job: Job, item: T) -> Result<u64, T> {
        if self.items.len() == self.items.capacity() {
            return Err(item);
        }
        let slot = self.find(flow).unwrap_or_else(|| self.admit(flow));
        let entry = &mut self.flows[slot as usize];
        self.items.push_back(&mut entry.ends, job, item)?;
        entry.load.add(job);
        self.total.add(job);
        Ok(self.rank_again(slot, false))
    }

    /// Takes the head of the best flow among those that are not held.
    pub fn take(&mut self) -> Option<Taken<K, T>> {
        if self.serial.is_some_and(|limit| self.held_flows >= limit) {
            return None;
        }
        let (_, slot) = self.order.first()?;
        let taken = self.remove(slot, End::Head);
        self.rank_again(slot, true);
        taken
    }

    /// Takes the last item of the worst flow, held or not; among equals, of the one that got its rank last.
    pub fn drop_worst(&mut self) -> Option<Taken<K, T>> {
        let ready = self.order.last().map(|(_, slot)| slot);
        let held = self.held.last().map(|(_, slot)| slot);
        let standing = |slot: &u32| self.flows[*slot as usize].place.map(|place| (place.key, place.arrival));
        let slot = ready.into_iter().chain(held).max_by_key(standing)?;
        let taken = self.remove(slot, End::Last);
        self.rank_again(slot, false);
        taken
    }

    /// Releases `flow` after the work on its taken item is done, so that its next item may be taken. Returns `false` if the flow was not
    /// held.
    pub fn release(&mut self, flow: K) -> bool {
        let Some(slot) = self.find(flow).filter(|&slot| self.flows[slot as usize].held) else { return false };
        self.leave_order(slot);
        self.flows[slot as usize].held = false;
        self.held_flows -= 1;
        self.rank_again(slot, true);
        true
    }

    /// Puts back an item that was taken and whose work is not done, as the head of its flow, and releases the flow. Returns the rank of the
    /// flow with this item.
    ///
    /// # Errors
    /// Returns the item if the queue is full. In this case the flow is not released.
    pub fn put_back(&mut self, flow: K, job: Job, item: T) -> Result<u64, T> {
        if self.items.len() == self.items.capacity() {
            return Err(item);
        }
        let slot = self.find(flow).unwrap_or_else(|| self.admit(flow));
        self.leave_order(slot);
        let entry = &mut self.flows[slot as usize];
        self.items.push_front(&mut entry.ends, job, item)?;
        entry.load.add(job);
        self.total.add(job);
        self.held_flows -= usize::from(entry.held);
        entry.held = false;
        Ok(self.rank_again(slot, true))
    }

    /// The number of queued items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether no items are queued.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of items that the queue can hold.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.items.capacity()
    }

    /// The sum of the sizes of the queued items, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.total.bytes
    }

    /// The sum of the work of the queued items, in picoseconds.
    #[must_use]
    pub fn work_ps(&self) -> u128 {
        self.total.work_ps
    }

    /// The number of held flows.
    #[must_use]
    pub fn held_flows(&self) -> usize {
        self.held_flows
    }

    /// Whether [`take`](Self::take) would return an item.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.serial.is_none_or(|limit| self.held_flows < limit) && self.order.first().is_some()
    }

    /// The load of `flow`: its queued items.
    #[must_use]
    pub fn load(&self, flow: K) -> FlowLoad {
        self.find(flow).map_or_else(FlowLoad::default, |slot| self.flows[slot as usize].load)
    }

    /// The number of times that the rank of a flow was clamped to the highest rank of the order.
    #[must_use]
    pub fn ranks_clamped(&self) -> u64 {
        self.ranks_clamped
    }

    #[expect(clippy::cast_possible_truncation, reason = "half of the hash is enough")]
    fn hash(&self, flow: K) -> u32 {
        self.hasher.hash_one(flow) as u32
    }

    fn find(&self, flow: K) -> Option<u32> {
        self.table.find(self.hash(flow), |slot| self.flows[slot as usize].id == flow)
    }

    /// Assigns a slot to a flow.
    fn admit(&mut self, id: K) -> u32 {
        let hash = self.hash(id);
        let flow = Flow { id, hash, ends: Ends::EMPTY, load: FlowLoad::default(), held: false, place: None };
        let slot = match self.free.pop() {
            Some(slot) => {
                self.flows[slot as usize] = flow;
                slot
            }
            None => {
                self.flows.push(flow);
                u32::try_from(self.flows.len() - 1).expect("fewer than 2^32 flows wait")
            }
        };
        self.table.insert(hash, slot);
        slot
    }

    /// Removes an item of the flow. The flow is then held if the item is in service.
    fn remove(&mut self, slot: u32, end: End) -> Option<Taken<K, T>> {
        let flow = &mut self.flows[slot as usize];
        let (job, item) = match end {
            End::Head => self.items.pop_front(&mut flow.ends),
            End::Last => self.items.pop_back(&mut flow.ends),
        }?;
        flow.load.subtract(job);
        self.total.subtract(job);
        let id = flow.id;
        if end == End::Head && self.serial.is_some() {
            self.leave_order(slot);
            self.flows[slot as usize].held = true;
            self.held_flows += 1;
        }
        Some(Taken { flow: id, job, item })
    }

    /// Removes the flow from its order, if it is in one.
    fn leave_order(&mut self, slot: u32) {
        let flow = &mut self.flows[slot as usize];
        if let Some(place) = flow.place.take() {
            if flow.held { FlowOrder::remove(&mut self.held, place.handle) } else { self.order.remove(place.handle) }
        }
    }

    /// Computes the flow's rank anew, moves the flow to its place and returns the rank. With `last`, the flow becomes last among equals
    /// even if its rank is unchanged. Removes a flow that has no queued items and is not held.
    fn rank_again(&mut self, slot: u32, last: bool) -> u64 {
        let flow = &mut self.flows[slot as usize];
        if flow.load.items == 0 {
            let forgotten = (!flow.held).then_some(flow.hash);
            self.leave_order(slot);
            if let Some(hash) = forgotten {
                self.table.remove(hash, slot);
                self.free.push(slot);
            }
            return 0;
        }
        flow.load.head = self.items.head(flow.ends);
        let rank = (self.rank)(&flow.load);
        let (in_unit, max) = (self.unit.key(rank), self.order.max_rank());
        let key = in_unit.min(max);
        if !last && flow.place.is_some_and(|place| place.key == key) {
            return rank;
        }
        self.ranks_clamped += u64::from(in_unit > max);
        self.leave_order(slot);
        let flow = &mut self.flows[slot as usize];
        let inserted =
            if flow.held { FlowOrder::insert(&mut self.held, key, slot) } else { self.order.insert(key, slot) };
        debug_assert!(inserted.is_some(), "there is room for every flow, and the rank was clamped");
        flow.place = inserted.map(|handle| Place { key, arrival: self.arrivals, handle });
        self.arrivals += 1;
        rank
    }
}
