//! CACHEUS against its paper: step by step, and what it says its experts are good at.

use super::paper_procedure::{Model, cache, request, same};
use crate::conformance::{play, requests, setup};
use forebay_cache::Choice;
use forebay_core::{Request, Rng, Seed};
use rand::RngExt as _;

#[derive(Clone, Copy)]
struct Object {
    key: u64,
    count: u64,
    used: u64,
    demoted: bool,
    /// For a ghost: whether it was never requested again before it left.
    new: bool,
}

/// Algorithms 1 and 2, sections 4.1 and 4.2; the end of a list is its most recent object.
struct Printed {
    n: usize,
    once: Vec<Object>,
    reused: Vec<Object>,
    reused_limit: f64,
    histories: [Vec<Object>; 2],
    weights: [f64; 2],
    rates: Vec<f64>,
    hit_rates: Vec<f64>,
    no_better: u32,
    window: (usize, usize),
    now: u64,
    rngs: [Rng; 2],
}

impl Printed {
    fn new(n: usize) -> Self {
        let reused_limit = (n - n.div_ceil(100)) as f64;
        let rngs = [Seed(1).stream("cacheus"), Seed(1).stream("cacheus/rate")];
        let histories = [Vec::new(), Vec::new()];
        let (once, reused, rates, hit_rates) = (Vec::new(), Vec::new(), Vec::new(), vec![0.0]);
        let (weights, no_better, window, now) = ([0.5; 2], 0, (0, 0), 0);
        Self { n, once, reused, reused_limit, histories, weights, rates, hit_rates, no_better, window, now, rngs }
    }

    /// Algorithm 2.
    fn end_of_window(&mut self) {
        let hit_rate = self.window.1 as f64 / self.window.0 as f64;
        self.window = (0, 0);
        let gain = hit_rate - self.hit_rates[self.hit_rates.len() - 1];
        let [.., before, rate] = self.rates[..] else { unreachable!("it begins with two") };
        let mut next = rate;
        if rate != before {
            let change = (rate * (rate - before)).abs();
            next = (if gain / (rate - before) > 0.0 { rate + change } else { rate - change }).clamp(0.001, 1.0);
            self.no_better = 0;
        } else if hit_rate == 0.0 || gain <= 0.0 {
            self.no_better += 1;
            if self.no_better == 10 {
                self.no_better = 0;
                next = self.rngs[1].random_range(0.001..=1.0);
            }
        }
        self.rates.push(next);
        self.hit_rates.push(hit_rate);
    }

    fn counts(&self) -> (f64, f64) {
        let demoted = self.once.iter().filter(|object| object.demoted).count();
        let new = self.histories[0].iter().filter(|object| object.new).count();
        (demoted as f64, new as f64)
    }

    fn reuse(&mut self, object: Object) {
        self.reused.push(Object { demoted: false, new: false, ..object });
        while self.reused.len() as f64 > self.reused_limit {
            let oldest = self.reused.remove(0);
            self.once.push(Object { demoted: true, ..oldest });
        }
    }

    fn hit(&mut self, key: u64) -> bool {
        let Some(&found) = self.once.iter().chain(&self.reused).find(|object| object.key == key) else { return false };
        let (demoted, new) = self.counts();
        if found.demoted {
            self.reused_limit = (self.reused_limit + (new / demoted).max(1.0)).min(self.n as f64 - 1.0);
        }
        self.once.retain(|object| object.key != key);
        self.reused.retain(|object| object.key != key);
        self.reuse(Object { count: found.count + 1, used: self.now, ..found });
        true
    }

    /// The lesson of a ghost; returns how often it was requested.
    fn learn(&mut self, key: u64) -> Option<u64> {
        let (demoted, new) = self.counts();
        let held = |history: &Vec<Object>| history.iter().position(|object| object.key == key);
        let expert = (0..2).find(|&expert| held(&self.histories[expert]).is_some())?;
        let at = held(&self.histories[expert])?;
        let ghost = self.histories[expert].remove(at);
        if ghost.new {
            self.reused_limit = (self.reused_limit - (demoted / new).max(1.0)).max(0.0);
        }
        self.weights[expert] *= (-self.rates.last().unwrap()).exp();
        let sum: f64 = self.weights.iter().sum();
        let lru = (self.weights[0] / sum).clamp(0.01, 0.99);
        self.weights = [lru, 1.0 - lru];
        Some(ghost.count)
    }

    fn evict(&mut self) -> u64 {
        let lru = *self.once.first().unwrap_or_else(|| &self.reused[0]);
        let all = self.once.iter().chain(&self.reused);
        let lfu = *all.min_by_key(|object| (object.count, u64::MAX - object.used)).unwrap();
        let expert = usize::from(self.rngs[0].random::<f64>() >= self.weights[0]);
        let victim = [lru, lfu][expert];
        self.once.retain(|object| object.key != victim.key);
        self.reused.retain(|object| object.key != victim.key);
        if lru.key != lfu.key {
            self.histories[expert].push(Object { new: victim.new && expert == 0, ..victim });
            if self.histories[expert].len() > (self.n / 2).max(1) {
                self.histories[expert].remove(0);
            }
        }
        victim.key
    }
}

impl Model for Printed {
    fn request(&mut self, key: u64, waiting: u64) -> (bool, Vec<u64>) {
        self.now += 1;
        let hit = self.once.iter().chain(&self.reused).any(|object| object.key == key);
        if !self.rates.is_empty() {
            self.window = (self.window.0 + 1, self.window.1 + usize::from(hit));
            if self.window.0 == self.n {
                self.end_of_window();
            }
        }
        if self.hit(key) {
            return (true, Vec::new());
        }
        let full = self.once.len() + self.reused.len() == self.n;
        if full && self.rates.is_empty() {
            let first = (2.0 * 2_f64.ln() / self.n as f64).sqrt().clamp(0.001, 1.0);
            self.rates = vec![first; 2];
        }
        let count = self.learn(key);
        let left = if full { vec![self.evict()] } else { Vec::new() };
        let object = Object { key, count: count.unwrap_or(0) + 1, used: self.now, demoted: false, new: true };
        if count.is_some() {
            self.reuse(object);
        } else {
            self.once.push(object);
        }
        (1..waiting).for_each(|_| assert!(self.hit(key)));
        (false, left)
    }

    fn check(&self) {
        assert!(self.reused.len() as f64 <= self.reused_limit && self.once.len() + self.reused.len() <= self.n);
    }
}

#[test]
fn is_what_the_paper_says() {
    for waits in [false, true] {
        same("cacheus", waits, |capacity| Box::new(Printed::new(usize::try_from(capacity).unwrap())));
    }
}

fn hits(name: &str, capacity: u64, keys: impl Iterator<Item = u64>) -> usize {
    let mut cache = cache(name, capacity);
    (0..).zip(keys).filter(|&(time, key)| request(&mut cache, &Request { time, key, size: 1 }, 1).0).count()
}

/// Section 2 of the paper: a working set, and scans through twice the cache between.
#[test]
fn a_scan_does_not_drive_out_the_working_set() {
    let keys =
        || (0..20_u64).flat_map(|round| (0..6).flat_map(|_| 0..80).chain(1_000 + 200 * round..1_200 + 200 * round));
    // All but the first 80 requests of the working set could hit.
    let possible = 20 * 6 * 80 - 80;
    let (lru, cacheus) = (hits("lru", 100, keys()), hits("cacheus", 100, keys()));
    assert_eq!(lru, 20 * 5 * 80);
    assert!(cacheus > possible - 150, "{cacheus} of {possible}");
}

/// Section 2 of the paper: churn, a loop a little larger than the cache. LRU never hits.
#[test]
fn a_loop_larger_than_the_cache_hits() {
    let keys = || (0..50).flat_map(|_| 0..120);
    assert_eq!(hits("lru", 100, keys()), 0);
    let cacheus = hits("cacheus", 100, keys());
    assert!(cacheus > 50 * 120 / 2, "{cacheus}");
}

#[test]
fn beats_lru_where_popularity_lasts() {
    let requests = requests(9, 30_000, 300, false);
    let misses = |name: &str| {
        let choice: Choice = name.parse().unwrap();
        play(&choice, setup(forebay_cache::Model::Classical, 40, 1), &requests, 1).misses
    };
    assert!(misses("cacheus") < misses("lru"));
}
