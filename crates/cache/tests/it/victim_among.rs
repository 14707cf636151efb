//! Who leaves where only some may, for every policy of the registry.

use crate::conformance::requests;
use forebay_cache::{Access, Admission, Cache, CachePolicy, Choice, Entry, Fetched, Future, Shape, Slot, Victim};
use forebay_core::{Request, Rng, Seed};
use rand::RngExt as _;
use std::collections::{BTreeMap, BTreeSet};

type Built = Box<dyn CachePolicy + Send>;

fn cache(name: &str, capacity: u64) -> Cache<Built> {
    let shape = Shape { capacity, entries: usize::try_from(capacity).unwrap(), seed: Seed(1) };
    Cache::new(&shape, name.parse::<Choice>().unwrap().policy(&shape).unwrap())
}

fn online() -> impl Iterator<Item = String> {
    let sampled =
        ["lru-mad(sample=4)", "lru-mad(first=3)", "hyperbolic(sample=4)", "lhd(sample=4)", "lru-mad(counters=ghost)"];
    let registered = Choice::names().filter(|name| !name.parse::<Choice>().unwrap().offline());
    // What is pinned stays, even if nothing else may leave: here nobody asks for it.
    let registered = registered.map(|name| if name.starts_with("pin") { format!("{name}(key=999999)") } else { name });
    registered.chain(sampled.map(str::to_owned))
}

fn access(request: &Request) -> Access {
    Access { time: request.time, key: request.key, size: 1, latency: 10, future: Future::NONE }
}

fn fetched(request: &Request) -> Fetched {
    let Request { time, key, .. } = *request;
    Fetched { time: time + 10, key, size: 1, latency: 10, last: time, waiting: 1 + key % 3, future: Future::NONE }
}

/// Requests with one per tick at most.
fn many(seed: u64, count: usize) -> Vec<Request> {
    let spread = |(nth, request): (u64, Request)| Request { time: request.time + nth, ..request };
    (0..).zip(requests(seed, count, 60, false)).map(spread).collect()
}

#[test]
fn if_all_may_leave_the_answer_is_that_of_the_policy() {
    for name in online().chain(Choice::names()) {
        let (mut plain, mut among) = (cache(&name, 16), cache(&name, 16));
        for request in many(1, 4_000) {
            let hit = plain.request(&access(&request));
            assert_eq!(among.request(&access(&request)), hit);
            if hit.is_some() {
                continue;
            }
            let new = fetched(&request);
            let mut left = None;
            let admission = plain.admit(&new, |_, entry| left = Some(*entry));
            if among.room() == 0 {
                assert_eq!(among.evict_among(&new, |_| true), left, "{name} at {}", request.time);
            }
            match admission {
                Admission::Entered(_) => assert_eq!(among.admit(&new, |_, _| unreachable!()), admission),
                _ => among.give_up(&new),
            }
        }
    }
}

/// Whether the policy may reject the new object whatever entries may leave: GDSF, and any behind a rule of admission.
pub(crate) fn admits(name: &str) -> bool {
    name.starts_with("gdsf") || name.parse::<Choice>().unwrap().admission().is_some()
}

/// Plays requests where some may not leave; hears of each eviction who was there, the least recently used, entered or hit
/// first, and who may have left.
fn play(name: &str, capacity: u64, share: u64, mut see: impl FnMut(&Seen, Entry)) {
    let mut rng = Seed(2).stream("test/among");
    let mut cache = cache(name, capacity);
    let mut seen = Seen::default();
    for request in many(2, 4_000) {
        if cache.request(&access(&request)).is_some() {
            seen.hit(request.key);
            continue;
        }
        let new = fetched(&request);
        let before = cache.len();
        if cache.room() == 0 {
            let kept = kept(&mut rng, cache.entries().map(|entry| entry.key).collect(), share);
            seen.may_leave = cache.entries().map(|entry| entry.key).filter(|key| !kept.contains(key)).collect();
            let evicted = cache.evict_among(&new, |entry| !kept.contains(&entry.key));
            let Some(evicted) = evicted else {
                assert!(admits(name) || seen.may_leave.is_empty(), "{name}: none left of {:?}", seen.may_leave);
                cache.give_up(&new);
                continue;
            };
            assert!(seen.may_leave.contains(&evicted.key), "{name}: {evicted:?}");
            assert_eq!((cache.len(), cache.find(evicted.key)), (before - 1, None));
            see(&seen, evicted);
            seen.uses.remove(&evicted.key);
        }
        if !matches!(cache.admit(&new, |_, _| unreachable!()), Admission::Entered(_)) {
            assert!(admits(name), "{name}");
            continue;
        }
        seen.enter(request.key, new.waiting);
        let there: BTreeSet<u64> = cache.entries().map(|entry| entry.key).collect();
        assert!(there.iter().eq(seen.uses.keys()), "{name}");
    }
}

fn kept(rng: &mut Rng, keys: BTreeSet<u64>, share: u64) -> BTreeSet<u64> {
    keys.into_iter().filter(|_| rng.random_range(0..10) < share).collect()
}

#[derive(Default)]
struct Seen {
    now: u64,
    /// When each entered, when it was used last, and how often.
    uses: BTreeMap<u64, (u64, u64, u64)>,
    may_leave: BTreeSet<u64>,
}

impl Seen {
    fn hit(&mut self, key: u64) {
        self.now += 1;
        let uses = self.uses.get_mut(&key).unwrap();
        (uses.1, uses.2) = (self.now, uses.2 + 1);
    }

    fn enter(&mut self, key: u64, waiting: u64) {
        self.now += 1;
        self.uses.insert(key, (self.now, self.now, waiting));
    }

    fn least<T: Ord>(&self, rank: impl Fn((u64, u64, u64)) -> T) -> u64 {
        *self.may_leave.iter().min_by_key(|&key| rank(self.uses[key])).unwrap()
    }
}

#[test]
fn what_may_not_leave_stays_and_nothing_is_lost() {
    for name in online() {
        for (capacity, share) in [(16, 3), (16, 9), (4, 7), (1, 5)] {
            let mut evictions = 0;
            play(&name, capacity, share, |_, _| evictions += 1);
            let least = if admits(&name) { 50 } else { 500 };
            assert!(evictions > least, "{name}: {evictions}");
        }
    }
}

#[test]
fn orders_are_kept() {
    play("lru", 16, 7, |seen, left| assert_eq!(left.key, seen.least(|(_, last, _)| last)));
    play("fifo", 16, 7, |seen, left| assert_eq!(left.key, seen.least(|(entered, ..)| entered)));
    // Of equal counts that which came to it first, which is that which was used last longest ago.
    play("lfu", 16, 7, |seen, left| assert_eq!(left.key, seen.least(|(_, last, count)| (count, last))));
}

/// A policy that cannot say.
struct Silent(Built);

impl CachePolicy for Silent {
    fn hit(&mut self, slot: Slot, access: &Access) {
        self.0.hit(slot, access);
    }

    fn victim(&mut self, new: &Fetched) -> Victim {
        self.0.victim(new)
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.0.insert(slot, new);
    }

    fn remove(&mut self, slot: Slot) {
        self.0.remove(slot);
    }
}

#[test]
fn a_policy_that_cannot_say_is_asked_without_the_others() {
    let shape = Shape { capacity: 4, entries: 4, seed: Seed(1) };
    let lru = "lru".parse::<Choice>().unwrap().policy(&shape).unwrap();
    let mut cache = Cache::new(&shape, Silent(lru));
    let at = |time| Request { time, key: time, size: 1 };
    for time in 0..4 {
        cache.admit(&fetched(&at(time)), |_, _| unreachable!());
    }
    assert_eq!(cache.evict_among(&fetched(&at(9)), |_| false), None);
    assert_eq!(cache.evict_among(&fetched(&at(9)), |entry| entry.key > 1).map(|entry| entry.key), Some(2));
    // 0 and 1 are as if they had just come.
    assert_eq!(cache.evict_among(&fetched(&at(9)), |_| true).map(|entry| entry.key), Some(3));
    assert_eq!(cache.len(), 2);
}

#[test]
fn room_is_kept_for_what_is_on_its_way() {
    let mut cache = cache("lru", 2);
    let new = |key| fetched(&Request { time: 0, key, size: 1 });
    assert!(cache.reserve(1) && cache.reserve(1) && !cache.reserve(1));
    assert_eq!(cache.evict_among(&new(3), |_| true), None);
    cache.enter_reserved(&new(1));
    assert_eq!((cache.room(), cache.len()), (0, 1));
    assert_eq!(cache.evict(1).map(|entry| entry.key), Some(1));
    assert_eq!(cache.evict(1), None);
    assert_eq!(cache.room(), 1);
}
