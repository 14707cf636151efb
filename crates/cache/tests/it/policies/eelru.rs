//! EELRU: one list of all objects by recency, on which positions are counted off.

use super::harness::{Paper, agree};
use crate::conformance::{play, setup};
use forebay_cache::{Access, Choice, Fetched, Model};
use forebay_core::{Request, Seed};
use rand::RngExt as _;

struct Item {
    key: u64,
    size: u64,
    is_resident: bool,
}

/// The most recent object is the first one. A hit is written down with its position and an
/// exact share of what it counts.
struct Eelru {
    capacity: u64,
    early: Vec<u64>,
    late: Vec<u64>,
    axis: Vec<Item>,
    /// For each region of the axis that is counted: its bounds (the first outside) and its hits.
    regions: Vec<(u64, u64, u64)>,
    counted: u64,
    memory: u64,
}

impl Eelru {
    fn new(capacity: u64, points: u64, reach: u64, memory: u64) -> Self {
        let early: Vec<u64> = (1..=points).map(|nth| (capacity * nth / (points + 1)).max(1)).collect();
        let late: Vec<u64> = (1..=points).map(|nth| capacity + (reach - 1) * capacity * nth / points).collect();
        let bounds: Vec<u64> = early.iter().copied().chain([capacity]).chain(late.iter().copied()).collect();
        let regions = bounds.windows(2).map(|bounds| (bounds[0], bounds[1], 0)).collect();
        Self { capacity, early, late, axis: Vec::new(), regions, counted: 0, memory }
    }

    fn find(&self, key: u64) -> Option<usize> {
        self.axis.iter().position(|item| item.key == key)
    }

    fn position(&self, at: usize) -> u64 {
        self.axis[..=at].iter().map(|item| item.size).sum()
    }

    fn count(&mut self, at: usize) {
        let position = self.position(at);
        let region = self.regions.iter_mut().find(|region| region.0 < position && position <= region.1);
        let Some(region) = region else { return };
        region.2 += 1;
        self.counted += 1;
        let residents = self.axis.iter().filter(|item| item.is_resident).count() as u64;
        if self.counted >= self.memory * residents {
            self.counted = 0;
            self.regions.iter_mut().for_each(|region| region.2 /= 2);
        }
    }

    /// Hits at positions behind `from`, up to `to`.
    fn hits(&self, from: u64, to: u64) -> f64 {
        let inside = self.regions.iter().filter(|region| from <= region.0 && region.1 <= to);
        inside.map(|region| region.2).sum::<u64>() as f64
    }

    fn choose(&self) -> Option<(u64, u64)> {
        let mut best = (0.0, None);
        for &e in &self.early {
            for &l in &self.late {
                let stays = (self.capacity - e) as f64 / (l - e) as f64;
                let gain = self.hits(e, l) * stays - self.hits(e, self.capacity);
                if gain > best.0 {
                    best = (gain, Some((e, l)));
                }
            }
        }
        best.1
    }

    fn forget_ghosts(&mut self) {
        let last = self.late[self.late.len() - 1];
        while let Some(at) = self.axis.iter().rposition(|item| !item.is_resident) {
            if self.position(at) <= last {
                return;
            }
            self.axis.remove(at);
        }
    }
}

impl Paper for Eelru {
    fn hit(&mut self, key: u64, _: &Access) {
        let at = self.find(key).unwrap();
        self.count(at);
        let item = self.axis.remove(at);
        self.axis.insert(0, item);
    }

    fn evict(&mut self, _: &Fetched) -> u64 {
        let lru = self.axis.iter().rposition(|item| item.is_resident).unwrap();
        let early = self.choose().filter(|&(_, l)| self.position(lru) <= l);
        let at_e = early
            .and_then(|(e, _)| (0..self.axis.len()).find(|&at| self.axis[at].is_resident && self.position(at) >= e));
        let at = at_e.unwrap_or(lru);
        self.axis[at].is_resident = false;
        let key = self.axis[at].key;
        self.forget_ghosts();
        key
    }

    fn insert(&mut self, new: &Fetched) {
        if let Some(at) = self.find(new.key) {
            self.count(at);
            self.axis.remove(at);
        }
        self.axis.insert(0, Item { key: new.key, size: new.size, is_resident: true });
        self.forget_ghosts();
    }

    fn forget(&mut self, key: u64) {
        self.axis.remove(self.find(key).unwrap());
    }
}

#[test]
fn is_the_papers() {
    for (points, reach, memory) in [(1, 2, 1), (2, 3, 2), (4, 2, 1), (8, 4, 10)] {
        let name = format!("eelru(points={points},reach={reach},memory={memory})");
        agree(&name, |shape| Eelru::new(shape.capacity, points, reach, memory));
    }
}

fn misses(name: &str, requests: &[Request]) -> f64 {
    let choice: Choice = name.parse().unwrap();
    play(&choice, setup(Model::Classical, 100, 1), requests, 1).misses as f64 / requests.len() as f64
}

#[test]
fn beats_lru_on_a_loop_larger_than_the_cache() {
    for objects in [110, 130, 150, 190, 240] {
        let requests: Vec<_> = (0..40_000).map(|time| Request { time, key: time % objects, size: 1 }).collect();
        let (lru, eelru, belady) = (misses("lru", &requests), misses("eelru", &requests), 1.0 - 99.0 / objects as f64);
        assert!(lru == 1.0 && eelru < belady + 0.05, "{objects} objects: {eelru} of the requests miss, {belady} must");
    }
}

/// Requests by an LRU stack: the more recent an object, the more often it is requested.
#[test]
fn is_lru_where_lru_is_good() {
    for (seed, mean) in (0..).zip([20.0, 50.0, 100.0]) {
        let mut rng = Seed(seed).stream("test/eelru");
        let mut stack: Vec<u64> = (0..1_000).collect();
        let request = |time| {
            let depth = (0..999).find(|_| rng.random_range(0.0..mean) < 1.0).unwrap_or(999);
            let key = stack.remove(depth);
            stack.insert(0, key);
            Request { time, key, size: 1 }
        };
        let requests: Vec<_> = (0..300_000).map(request).collect();
        let (lru, eelru) = (misses("lru", &requests), misses("eelru", &requests));
        assert!((eelru / lru - 1.0).abs() < 0.01, "mean distance {mean}: LRU {lru}, EELRU {eelru}");
    }
}

#[test]
fn points_and_reach_have_ranges() {
    for (wrong, name) in
        [("points=0", "points"), ("points=17", "points"), ("reach=0.5", "reach"), ("reach=20", "reach")]
    {
        let error = format!("eelru({wrong})").parse::<Choice>().unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("16"), "{error}");
    }
}
