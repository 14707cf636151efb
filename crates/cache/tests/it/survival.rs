//! Any policy survives anything: huge sizes, latencies and times, objects of no size,
//! requests that waited, and objects that go while room is being made.

use crate::conformance::setup;
use forebay_cache::latency::LONGEST;
use forebay_cache::{
    Access, Cache, CachePolicy, Choice, Entry, Fetched, Future, Latency, Model, Setup, Shape, Slot, Victim,
};
use forebay_core::{Request, Rng, Seed};
use rand::RngExt as _;
use std::collections::BTreeMap;

const CAPACITIES: [u64; 10] = [1, 2, 3, 10, 40, 1_000, 1 << 32, (1 << 60) - 1, 1 << 60, u64::MAX];

/// Every policy of the registry, and parameters at the ends of their ranges.
fn choices() -> impl Iterator<Item = Choice> {
    let ends = [
        "clock(bits=4)",
        "clock-pro(cold=0)",
        "clock-pro-mad(cold=1)",
        "eelru(points=1,reach=1)",
        "eelru(points=16,reach=16,memory=4294967295)",
        "s3-fifo(small=0,ghost=0)",
        "s3-fifo-mad(small=1,ghost=16)",
        "slru(segments=8,probation=0)",
        "slru-mad(probation=1)",
        "2q(in=0,out=0)",
        "2q-mad(in=1,out=16)",
        "lrfu(lambda=0)",
        "lrfu-mad(lambda=1)",
        "lru-k(k=1)",
        "lru-k-mad(k=3,correlated=7,retained=0)",
        "lru-k(k=16,correlated=4294967295,retained=16)",
        "gdsf(cost=one)",
        "hyperbolic(sample=3)",
        "hyperbolic-mad(sample=2)",
        "lecar(learning-rate=100,discount=1)",
        "lhd(sample=3)",
        "lhd-mad(reconfigure=64,age-shift=0,sample=3)",
        "lhd(classes=1,max-age=1,age-shift=40,explorers=1,explore=1)",
        "lirs(ghost=0)",
        "lirs(hirs=1)",
        "lirs-mad(hirs=0,ghost=0.5)",
        "w-tinylfu(window=1)",
        "w-tinylfu-mad(window=0,protected=0)",
        "w-tinylfu(adapt=climb)",
        "mq(queues=1,lifetime=0,ghost=0)",
        "mq(queues=16,lifetime=4294967295,ghost=64)",
        "sieve-k(k=255)",
        "lru-adaptsize(interval=3,smoothing=1)",
        "lru-bloom(remembered=1000)",
        "pin(key=3)",
        "belady-size(sample=3)",
        "arc-mad(first=2)",
        "lru-mad(sample=3,counters=ghost,ghosts=2)",
        "lru-mad(counters=cached,latency=measured,window=closed)",
        "lru-tinylfu(reset=1)",
        "arc-mad-tinylfu(reset=4294967295,first=2)",
    ];
    Choice::names().chain(ends.map(str::to_owned)).map(|name| name.parse().unwrap())
}

/// A number from 0 to `most`, of any order of magnitude.
fn any(rng: &mut Rng, most: u64) -> u64 {
    (rng.random::<u64>() >> rng.random_range(0..64)) % most.saturating_add(1).max(1)
}

/// Requests that no trace has.
struct Odd {
    rng: Rng,
    time: u64,
    objects: u64,
    capacity: u64,
    /// Whether all objects have size 1.
    unit: bool,
    /// Greatest step of the time.
    pace: u64,
}

impl Odd {
    fn new(seed: u64, capacity: u64) -> Self {
        let mut rng = Seed(seed).stream("test/survival");
        let unit = rng.random_range(0..4) == 0;
        let objects = rng.random_range(1..30);
        let pace = [0, 3, 1 << 20, 1 << 60][rng.random_range(0..4)];
        Self { rng, time: 0, objects, capacity, unit, pace }
    }

    fn key(&mut self) -> u64 {
        let key = self.rng.random_range(0..self.objects).min(self.rng.random_range(0..self.objects));
        // Some keys are large.
        if key % 5 == 4 { u64::MAX - key } else { key }
    }

    fn size(&mut self) -> u64 {
        match self.rng.random_range(0..8) {
            _ if self.unit => 1,
            0 => 0,
            1 => any(&mut self.rng, u64::MAX),
            2 => self.capacity,
            3 => self.capacity / 2 + 1,
            4 => any(&mut self.rng, self.capacity / 50),
            _ => any(&mut self.rng, self.capacity / 3),
        }
    }

    /// Time stands still, goes on or jumps.
    fn pass(&mut self) {
        if self.rng.random() {
            self.time = self.time.saturating_add(any(&mut self.rng, self.pace));
        }
    }

    fn future(&mut self) -> Future {
        if self.rng.random_range(0..3) == 0 {
            return Future::NONE;
        }
        let next = self.time.saturating_add(any(&mut self.rng, u64::MAX / 2));
        Future { next, number: next, delay: 1 + any(&mut self.rng, u64::MAX - 1) }
    }

    fn access(&mut self) -> Access {
        self.pass();
        let latency = if self.rng.random() { 1 } else { 1 + any(&mut self.rng, u64::MAX - 1) };
        let (key, size, future) = (self.key(), self.size(), self.future());
        Access { time: self.time, key, size, latency, future }
    }

    fn fetched(&mut self, access: &Access) -> Fetched {
        let Access { key, size, time, .. } = *access;
        self.time = self.time.saturating_add(1);
        self.pass();
        let waiting = if self.rng.random() { 1 } else { 1 + any(&mut self.rng, 2_000) };
        let last = if waiting == 1 { time } else { time + any(&mut self.rng, self.time - time) };
        let latency = (self.time - time).max(1);
        Fetched { time: self.time, key, size, latency, last, waiting, future: self.future() }
    }
}

/// A cache in which objects also go between one victim and the next.
struct Restless {
    policy: Box<dyn CachePolicy + Send>,
    capacity: u64,
    held: BTreeMap<Slot, Entry>,
    free: Vec<Slot>,
}

impl Restless {
    fn used(&self) -> u128 {
        self.held.values().map(|entry| u128::from(entry.size)).sum()
    }

    fn find(&self, key: u64) -> Option<Slot> {
        self.held.iter().find(|(_, entry)| entry.key == key).map(|(slot, _)| *slot)
    }

    fn remove(&mut self, slot: Slot) {
        self.policy.remove(slot);
        self.held.remove(&slot);
        self.free.push(slot);
    }

    fn admit(&mut self, new: &Fetched, odd: &mut Odd) {
        if new.size > self.capacity {
            return self.policy.refuse(new);
        }
        while self.used() + u128::from(new.size) > u128::from(self.capacity) {
            let Victim::Slot(slot) = self.policy.victim(new) else { return self.policy.refuse(new) };
            assert!(self.held.contains_key(&slot), "the victim is in the cache");
            if odd.rng.random_range(0..6) == 0 {
                // Something goes first, perhaps the victim itself.
                let at = odd.rng.random_range(0..self.held.len());
                let gone = *self.held.keys().nth(at).unwrap();
                self.remove(gone);
            } else {
                let entry = self.held.remove(&slot).unwrap();
                self.policy.evict(slot, &entry);
                self.free.push(slot);
            }
        }
        let places = Slot::try_from(self.held.len() + self.free.len()).unwrap();
        let slot = self.free.pop().unwrap_or(places);
        self.held.insert(slot, Entry { key: new.key, size: new.size });
        self.policy.insert(slot, new);
    }
}

#[test]
fn any_policy_survives_anything() {
    for choice in choices() {
        for seed in 0..30 {
            let capacity = CAPACITIES[usize::try_from(seed).unwrap() % CAPACITIES.len()];
            let mut odd = Odd::new(seed, capacity);
            let policy = choice.policy(&Shape { capacity, entries: 4, seed: Seed(seed) }).unwrap();
            let mut cache = Restless { policy, capacity, held: BTreeMap::new(), free: Vec::new() };
            for _ in 0..400 {
                let access = odd.access();
                let slot = cache.find(access.key);
                cache.policy.request(&access, slot);
                if let Some(slot) = slot {
                    cache.policy.hit(slot, &access);
                } else {
                    let new = odd.fetched(&access);
                    if odd.rng.random_range(0..20) == 0 {
                        cache.policy.refuse(&new);
                    } else {
                        cache.admit(&new, &mut odd);
                    }
                }
                let key = odd.key();
                if let Some(slot) = cache.find(key).filter(|_| odd.rng.random_range(0..10) == 0) {
                    cache.remove(slot);
                }
            }
        }
    }
}

#[test]
fn a_cache_knows_what_it_holds() {
    for choice in choices() {
        for seed in 100..120 {
            let capacity = CAPACITIES[usize::try_from(seed).unwrap() % CAPACITIES.len()];
            let mut odd = Odd::new(seed, capacity);
            let shape = Shape { capacity, entries: 4, seed: Seed(seed) };
            let mut cache = Cache::new(&shape, choice.policy(&shape).unwrap());
            let mut held = BTreeMap::new();
            for _ in 0..400 {
                let access = odd.access();
                assert_eq!(cache.request(&access).is_some(), held.contains_key(&access.key), "{choice}");
                if !held.contains_key(&access.key) {
                    let new = odd.fetched(&access);
                    if odd.rng.random_range(0..20) == 0 {
                        cache.give_up(&new);
                    } else {
                        cache.admit(&new, |_, entry| assert_eq!(held.remove(&entry.key), Some(entry.size), "{choice}"));
                        if let Some(slot) = cache.find(new.key) {
                            let twice = held.keys().any(|&key| cache.find(key) == Some(slot));
                            assert!(!twice, "{choice}: a place holds one object");
                            held.insert(new.key, new.size);
                        }
                    }
                }
                let key = odd.key();
                if odd.rng.random_range(0..10) == 0 {
                    assert_eq!(cache.invalidate(key).map(|(_, entry)| entry.size), held.remove(&key), "{choice}");
                }
                let used = held.values().map(|&size| u128::from(size)).sum::<u128>();
                assert_eq!(u128::from(cache.used()), used, "{choice}");
                assert!(cache.used() <= capacity && cache.len() == held.len(), "{choice}");
            }
        }
    }
}

/// Both models with sizes and times that add up to more than a `u64` holds,
/// and the longest fetches.
#[test]
fn simulations_do_not_overflow() {
    for choice in choices() {
        for (seed, model) in (200..204).zip([Model::Classical, Model::DelayedHits].repeat(2)) {
            let capacity = [10, 1 << 60][usize::try_from(seed).unwrap() / 2 % 2];
            let mut odd = Odd::new(seed, capacity);
            odd.pace = 1 << 60;
            let request = |_| {
                let Access { time, key, size, .. } = odd.access();
                Request { time, key, size }
            };
            let requests: Vec<_> = (0..300).map(request).collect();
            for latency in [1, LONGEST] {
                let futures = forebay_cache::future::futures(&requests, |_| latency);
                let latency = Latency::Constant(latency);
                let setup = Setup { latency, capacity, entries: 10, ..setup(model, 10, 1) };
                let mut simulation = choice.simulation(setup).unwrap();
                simulation.feed(&requests, if choice.offline() { &futures } else { &[] });
                let counts = simulation.counts();
                assert_eq!(counts.hits + counts.delayed_hits + counts.misses, 300, "{choice}");
            }
        }
    }
}
