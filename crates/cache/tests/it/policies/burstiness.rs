//! Burstiness: the score of equation 1 of Goh and Barabasi over the whole history of each object, in a vector.

use super::harness::victims;
use crate::conformance::requests;
use crate::naive::Naive;
use forebay_cache::{Access, CachePolicy, Choice, Entry, Fetched, Shape, Slot, Victim};
use forebay_core::Seed;
use std::collections::BTreeMap;

/// Asks a policy that forgets nothing, and checks that its victim has the least score.
struct Checked {
    policy: Box<dyn CachePolicy + Send>,
    requests: BTreeMap<u64, Vec<u64>>,
    cached: BTreeMap<Slot, u64>,
    checks: u32,
}

impl Checked {
    /// (sigma - mu) / (sigma + mu) of the gaps.
    fn score(&self, key: u64) -> f64 {
        let gaps: Vec<f64> = self.requests[&key].windows(2).map(|pair| (pair[1] - pair[0]) as f64).collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let sigma = (gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / gaps.len() as f64).sqrt();
        if gaps.len() < 2 || sigma + mean == 0.0 { 0.0 } else { (sigma - mean) / (sigma + mean) }
    }
}

impl CachePolicy for Checked {
    fn request(&mut self, access: &Access, slot: Option<Slot>) {
        self.requests.entry(access.key).or_default().push(access.time);
        self.policy.request(access, slot);
    }

    fn hit(&mut self, slot: Slot, access: &Access) {
        self.policy.hit(slot, access);
    }

    fn victim(&mut self, new: &Fetched) -> Victim {
        let victim = self.policy.victim(new);
        let Victim::Slot(slot) = victim else { panic!("burstiness refuses nothing") };
        let least = self.cached.values().map(|&key| self.score(key)).fold(f64::INFINITY, f64::min);
        let own = self.score(self.cached[&slot]);
        assert!(own <= least + 1e-9, "score {own}, the least is {least}");
        self.checks += 1;
        victim
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.cached.insert(slot, new.key);
        self.policy.insert(slot, new);
    }

    fn evict(&mut self, slot: Slot, entry: &Entry) {
        self.policy.evict(slot, entry);
        self.cached.remove(&slot);
    }

    fn remove(&mut self, _: Slot) {}
}

#[test]
fn the_least_bursty_object_leaves() {
    for seed in 90..94 {
        let shape = Shape { capacity: 10, entries: 10, seed: Seed(1) };
        let policy = "burstiness(ghosts=1e6)".parse::<Choice>().unwrap().policy(&shape).unwrap();
        let checked = Checked { policy, requests: BTreeMap::new(), cached: BTreeMap::new(), checks: 0 };
        let mut naive = Naive::new(checked, 10, |_| 30);
        naive.play(&requests(seed, 3_000, 50, false), &[]);
        assert!(naive.policy.checks > 300, "{}", naive.policy.checks);
    }
}

/// At the end `a` is nearly regular and `x` was requested once.
#[test]
fn an_object_without_a_score_has_the_one_that_is_given() {
    let left = |policy: &str| victims(policy, 2, "aaaxaaab").pop().unwrap();
    assert_eq!(left("burstiness").as_deref(), Some("a"));
    assert_eq!(left("burstiness(unscored=-1)").as_deref(), Some("x"));
}

#[test]
fn parameters_out_of_their_range_are_refused() {
    let error = |name: &str| name.parse::<Choice>().unwrap_err().to_string();
    assert!(error("burstiness(unscored=2)").contains("`unscored`"));
    assert!(error("burstiness(ghosts=-1)").contains("`ghosts`"));
    assert!(error("burstiness-mad").contains("`burstiness` has no MAD form"));
}
