//! LFU, LFUDA, GDSF, Hyperbolic: every object with what its rank is made of.

use super::harness::{Paper, agree, victims};
use forebay_cache::{Access, Fetched};

#[derive(Clone, Copy)]
struct Object {
    key: u64,
    count: u64,
    cost: f64,
    size: f64,
    /// The clock when it was requested last.
    clock: f64,
    /// The request that fetched it.
    since: u64,
    /// The number of its last request.
    order: u64,
}

/// The object of least rank leaves; of equal ones the least recently used.
struct Ranked {
    objects: Vec<Object>,
    clock: f64,
    requests: u64,
    by_size: bool,
    rank: fn(&Object, u64) -> f64,
}

impl Ranked {
    fn new(rank: fn(&Object, u64) -> f64) -> Self {
        Self { objects: Vec::new(), clock: 0.0, requests: 0, by_size: false, rank }
    }

    /// A new object, as of now.
    fn object(&self, new: &Fetched) -> Object {
        let Fetched { key, waiting: count, .. } = *new;
        let (cost, size) = if self.by_size { (new.latency as f64, new.size as f64) } else { (1.0, 1.0) };
        let since = if new.waiting > 1 { new.time - new.latency } else { new.last };
        Object { key, count, cost, size, clock: self.clock, since, order: self.requests + 1 }
    }
}

impl Paper for Ranked {
    fn hit(&mut self, key: u64, _: &Access) {
        self.requests += 1;
        let object = self.objects.iter_mut().find(|object| object.key == key).unwrap();
        object.count += 1;
        object.order = self.requests;
        object.clock = self.clock;
    }

    fn evict(&mut self, new: &Fetched) -> u64 {
        let rank = |object: &Object| (self.rank)(object, new.time);
        let ranks = |one: &Object, other: &Object| rank(one).total_cmp(&rank(other));
        let least = self
            .objects
            .iter()
            .copied()
            .min_by(|one, other| ranks(one, other).then(one.order.cmp(&other.order)))
            .unwrap();
        self.clock = rank(&least);
        self.objects.retain(|object| object.key != least.key);
        least.key
    }

    fn insert(&mut self, new: &Fetched) {
        let object = self.object(new);
        self.requests += 1;
        self.objects.push(object);
    }

    fn forget(&mut self, key: u64) {
        self.objects.retain(|object| object.key != key);
    }
}

/// The new object has its rank before room is made, and is one of those that may leave.
struct Contending {
    ranked: Ranked,
    arriving: Option<Object>,
    enters: bool,
}

impl Paper for Contending {
    fn hit(&mut self, key: u64, access: &Access) {
        self.ranked.hit(key, access);
    }

    fn evict(&mut self, new: &Fetched) -> u64 {
        let arriving = self.arriving.take().unwrap_or_else(|| self.ranked.object(new));
        if !self.enters {
            self.ranked.objects.push(arriving);
        }
        let left = self.ranked.evict(new);
        self.ranked.forget(arriving.key);
        self.arriving = (left != arriving.key).then_some(arriving);
        left
    }

    fn insert(&mut self, new: &Fetched) {
        self.ranked.insert(new);
        if let (Some(arriving), Some(object)) = (self.arriving.take(), self.ranked.objects.last_mut()) {
            object.clock = arriving.clock;
        }
    }

    fn forget(&mut self, key: u64) {
        self.ranked.forget(key);
    }
}

#[test]
fn lfu_is_the_papers() {
    agree("lfu", |_| Ranked::new(|object, _| object.count as f64));
}

#[test]
fn lfuda_and_gdsf_are_the_papers() {
    let aged = |object: &Object, _| object.clock + object.count as f64 * object.cost / object.size;
    agree("lfuda", |_| Ranked::new(aged));
    let by_size = || Ranked { by_size: true, ..Ranked::new(aged) };
    agree("gdsf", |_| Contending { ranked: by_size(), arriving: None, enters: false });
    agree("gdsf(new=enters)", |_| Contending { ranked: by_size(), arriving: None, enters: true });
}

#[test]
fn hyperbolic_is_the_papers() {
    // Minus the time per request: what was requested most often in its time is last.
    let rank = |object: &Object, now: u64| -((1.0 / object.count as f64) * (now - object.since) as f64);
    agree("hyperbolic", |_| Ranked::new(rank));
}

#[test]
fn of_equal_counts_the_least_recent_leaves() {
    let left = victims("lfu", 3, "aabbcdcce");
    let some = |key: &str| Some(key.to_owned());
    // d takes c's place and c takes d's; then a and b have 2 requests, and a's are older.
    assert_eq!(left[5..], [some("c"), some("d"), None, some("a")]);
}

/// LFU keeps what was popular once; ageing lets it go.
#[test]
fn ageing_lets_go_of_what_was_popular() {
    let last = |policy: &str| victims(policy, 2, "aaaabbccdda").pop().unwrap();
    assert_eq!((last("lfu"), last("lfuda")), (None, Some("c".to_owned())));
}
