//! LRU-K: for every object its times, as in figure 2.1 of the paper.

use super::harness::{Paper, agree, victims};
use forebay_cache::{Access, Fetched};

#[derive(Clone)]
struct Object {
    key: u64,
    size: u64,
    /// HIST: the last K uncorrelated requests, latest first.
    hist: Vec<Option<u64>>,
    /// LAST, and the number of that request.
    last: u64,
    order: u64,
}

struct LruK {
    k: usize,
    correlated: u64,
    retained: u64,
    cached: Vec<Object>,
    gone: Vec<Object>,
    requests: u64,
}

impl LruK {
    fn request(&mut self, key: u64, time: u64) {
        let object = self.cached.iter_mut().find(|object| object.key == key).unwrap();
        if time - object.last > self.correlated {
            let period = object.last - object.hist[0].unwrap();
            let older = object.hist.iter().map(|time| time.map(|time| time + period));
            object.hist = [Some(time)].into_iter().chain(older).take(self.k).collect();
        }
        object.last = time;
        self.requests += 1;
        object.order = self.requests;
    }
}

impl Paper for LruK {
    fn hit(&mut self, key: u64, access: &Access) {
        self.request(key, access.time);
    }

    fn evict(&mut self, new: &Fetched) -> u64 {
        let eligible = |object: &&Object| new.time - object.last > self.correlated;
        let first = self.cached.iter().filter(eligible).min_by_key(|object| (object.hist[self.k - 1], object.order));
        let key = first.or_else(|| self.cached.iter().min_by_key(|object| (object.last, object.order))).unwrap().key;
        let at = self.cached.iter().position(|object| object.key == key).unwrap();
        self.gone.push(self.cached.remove(at));
        key
    }

    fn insert(&mut self, new: &Fetched) {
        let miss = if new.waiting > 1 { new.time - new.latency } else { new.last };
        let known = self.gone.iter().position(|object| object.key == new.key).map(|at| self.gone.remove(at));
        let older = known.map_or(vec![None; self.k], |object| object.hist);
        let hist = [Some(miss)].into_iter().chain(older).take(self.k).collect();
        self.requests += 1;
        self.cached.push(Object { key: new.key, size: new.size, hist, last: miss, order: self.requests });
        for nth in 1..new.waiting {
            self.request(new.key, miss + (new.last - miss) * nth / (new.waiting - 1));
        }
        while self.gone.iter().map(|object| object.size).sum::<u64>() > self.retained {
            self.gone.remove(0);
        }
    }

    fn forget(&mut self, key: u64) {
        self.cached.retain(|object| object.key != key);
    }
}

#[test]
fn lru_k_is_the_papers() {
    for (policy, k, correlated, retained) in [
        ("lru-k", 2, 0, 1),
        ("lru-k(k=1)", 1, 0, 1),
        ("lru-k(k=3,retained=3)", 3, 0, 3),
        ("lru-k(k=2,correlated=4)", 2, 4, 1),
        ("lru-k(k=4,correlated=9,retained=0)", 4, 9, 0),
    ] {
        agree(policy, |shape| {
            let retained = retained * shape.capacity;
            LruK { k, correlated, retained, cached: Vec::new(), gone: Vec::new(), requests: 0 }
        });
    }
}

#[test]
fn lru_1_is_lru() {
    let keys = "abcabdeafbcgahbbaicdjkaclbmna";
    assert_eq!(victims("lru-k(k=1)", 4, keys), victims("lru", 4, keys));
}

/// The paper's example 1.1 in small: index pages are wanted every other time, records
/// once each. LRU-2 keeps the index pages, LRU does not.
#[test]
fn lru_2_tells_index_pages_from_records() {
    let keys = "iAjBiCjDiEjFiGjHiIjJ";
    let hits = |policy: &str| victims(policy, 3, keys).iter().filter(|left| left.is_none()).count();
    assert_eq!((hits("lru"), hits("lru-k")), (0, 6));
}
