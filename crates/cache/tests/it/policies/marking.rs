//! Randomised marking: the marks of a phase in a set of keys.

use super::harness::victims;
use crate::conformance::requests;
use crate::naive::Naive;
use forebay_cache::{Access, CachePolicy, Choice, Entry, Fetched, Shape, Slot, Victim};
use forebay_core::Seed;
use std::collections::{BTreeMap, BTreeSet};

/// Asks a policy, and checks that its victim is not marked.
struct Checked {
    policy: Box<dyn CachePolicy + Send>,
    cached: BTreeMap<Slot, u64>,
    marked: BTreeSet<u64>,
    victims: BTreeSet<Slot>,
    checks: u32,
}

impl CachePolicy for Checked {
    fn request(&mut self, access: &Access, slot: Option<Slot>) {
        self.policy.request(access, slot);
    }

    fn hit(&mut self, slot: Slot, access: &Access) {
        self.marked.insert(access.key);
        self.policy.hit(slot, access);
    }

    fn victim(&mut self, new: &Fetched) -> Victim {
        if self.cached.values().all(|key| self.marked.contains(key)) {
            self.marked.clear();
        }
        let victim = self.policy.victim(new);
        let Victim::Slot(slot) = victim else { panic!("marking refuses nothing") };
        assert!(!self.marked.contains(&self.cached[&slot]));
        self.victims.insert(slot);
        self.checks += 1;
        victim
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.cached.insert(slot, new.key);
        self.marked.insert(new.key);
        self.policy.insert(slot, new);
    }

    fn evict(&mut self, slot: Slot, entry: &Entry) {
        self.policy.evict(slot, entry);
        self.cached.remove(&slot);
        self.marked.remove(&entry.key);
    }

    fn remove(&mut self, _: Slot) {}
}

#[test]
fn what_is_marked_stays() {
    for seed in 100..104 {
        let shape = Shape { capacity: 10, entries: 10, seed: Seed(seed) };
        let policy = "marking".parse::<Choice>().unwrap().policy(&shape).unwrap();
        let (cached, marked, victims) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        let mut naive = Naive::new(Checked { policy, cached, marked, victims, checks: 0 }, 10, |_| 30);
        naive.play(&requests(seed, 3_000, 50, false), &[]);
        assert!(naive.policy.checks > 300 && naive.policy.victims.len() == 10, "any place may be the victim's");
    }
}

/// A loop of one object more than fit: LRU misses always. Marking fills its 16 entries; after that each phase has 16
/// requests. The first is for the missing object. Of the others, the j-th is for it with probability 1 / (17 - j), each
/// independently. The reason is that the victim is any of the objects that were not requested yet. So a phase has H(16)
/// misses in the mean.
#[test]
fn a_loop_costs_a_logarithm() {
    const ROUNDS: usize = 200;
    let keys = "abcdefghijklmnopq".repeat(ROUNDS);
    let misses = |policy: &str| victims(policy, 16, &keys).iter().filter(|left| left.is_some()).count();
    let (lru, marking) = (misses("lru"), misses("marking"));
    assert_eq!(lru, 17 * ROUNDS);
    let chance = |request: usize| match request % 16 {
        _ if request < 16 => 1.0,
        0 => 1.0,
        place => 1.0 / (17 - place) as f64,
    };
    let mean: f64 = (0..17 * ROUNDS).map(chance).sum();
    let variance: f64 = (0..17 * ROUNDS).map(|request| chance(request) * (1.0 - chance(request))).sum();
    assert!((marking as f64 - mean).abs() < 5.0 * variance.sqrt(), "{marking}, expected {mean} +- {}", variance.sqrt());
}
