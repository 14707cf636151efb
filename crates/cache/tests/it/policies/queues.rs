//! FIFO, CLOCK, SIEVE, S3-FIFO: queues whose front is the end of the vector.

use super::harness::{Paper, agree, place, victims};
use forebay_cache::{Access, Fetched, Shape};

/// FIFO with another round for what was requested; `most` is 0 for plain FIFO.
struct Rounds {
    most: u64,
    /// Key, rounds left; oldest first.
    queue: Vec<(u64, u64)>,
}

impl Paper for Rounds {
    fn hit(&mut self, key: u64, _: &Access) {
        let at = place(&self.queue, |item| item.0, key).unwrap();
        self.queue[at].1 = (self.queue[at].1 + 1).min(self.most);
    }

    fn evict(&mut self, _: &Fetched) -> u64 {
        loop {
            let (key, rounds) = self.queue.remove(0);
            if rounds == 0 {
                return key;
            }
            self.queue.push((key, rounds - 1));
        }
    }

    fn insert(&mut self, new: &Fetched) {
        self.queue.push((new.key, (new.waiting - 1).min(self.most)));
    }

    fn forget(&mut self, key: u64) {
        self.queue.retain(|(other, _)| *other != key);
    }
}

#[test]
fn fifo_and_clock_are_the_papers() {
    agree("fifo", |_| Rounds { most: 0, queue: Vec::new() });
    agree("clock", |_| Rounds { most: 1, queue: Vec::new() });
    agree("clock(bits=2)", |_| Rounds { most: 3, queue: Vec::new() });
}

/// A ring of frames and a hand, as CLOCK is drawn: what FIFO with another round does.
#[test]
fn clock_is_a_ring_with_a_hand() {
    let keys = "abcabdeafbcgahbbaicdjkaclbmna";
    let mut frames: Vec<(char, bool)> = Vec::new();
    let mut hand = 0;
    let ring = |key: char| {
        if let Some(frame) = frames.iter_mut().find(|frame| frame.0 == key) {
            frame.1 = true;
            return None;
        }
        if frames.len() < 4 {
            frames.push((key, false));
            return Some(String::new());
        }
        while frames[hand].1 {
            frames[hand].1 = false;
            hand = (hand + 1) % 4;
        }
        let left = std::mem::replace(&mut frames[hand], (key, false)).0;
        hand = (hand + 1) % 4;
        Some(left.to_string())
    };
    assert_eq!(victims("clock", 4, keys), keys.chars().map(ring).collect::<Vec<_>>());
}

/// NSDI 2024, algorithm 1.
#[derive(Default)]
struct Sieve {
    /// Key, visited; oldest (the tail) first.
    queue: Vec<(u64, bool)>,
    hand: Option<u64>,
}

impl Sieve {
    fn take(&mut self, at: usize) -> u64 {
        let (key, _) = self.queue.remove(at);
        // The object that was next towards the head is now here.
        if self.hand == Some(key) {
            self.hand = self.queue.get(at).map(|item| item.0);
        }
        key
    }
}

impl Paper for Sieve {
    fn hit(&mut self, key: u64, _: &Access) {
        let at = place(&self.queue, |item| item.0, key).unwrap();
        self.queue[at].1 = true;
    }

    fn evict(&mut self, _: &Fetched) -> u64 {
        let mut at = self.hand.map_or(0, |hand| place(&self.queue, |item| item.0, hand).unwrap());
        while self.queue[at].1 {
            self.queue[at].1 = false;
            at = (at + 1) % self.queue.len();
        }
        self.hand = Some(self.queue[at].0);
        self.take(at)
    }

    fn insert(&mut self, new: &Fetched) {
        self.queue.push((new.key, new.waiting > 1));
    }

    fn forget(&mut self, key: u64) {
        let at = place(&self.queue, |item| item.0, key).unwrap();
        self.take(at);
    }
}

#[test]
fn sieve_is_the_papers() {
    agree("sieve", |_| Sieve::default());
}

/// The figure of the paper: seven objects, A B and G are visited (G is the oldest). H takes the slot of C or E; visited
/// objects stay where they are.
#[test]
fn sieve_leaves_in_place_what_was_visited() {
    let left = victims("sieve", 7, "GFEDCBAGBAHIAJ");
    let some = |key: &str| Some(key.to_owned());
    assert_eq!(left[10..], [some("F"), some("E"), None, some("D")]);
}

/// SIEVE whose visited bit is a count up to `most`, which the hand lowers.
struct SieveK {
    /// Key, count; oldest first.
    queue: Vec<(u64, u64)>,
    hand: Option<u64>,
    most: u64,
}

impl Paper for SieveK {
    fn hit(&mut self, key: u64, _: &Access) {
        let at = place(&self.queue, |item| item.0, key).unwrap();
        self.queue[at].1 = self.most.min(self.queue[at].1 + 1);
    }

    fn evict(&mut self, _: &Fetched) -> u64 {
        let mut at = self.hand.map_or(0, |hand| place(&self.queue, |item| item.0, hand).unwrap());
        while self.queue[at].1 > 0 {
            self.queue[at].1 -= 1;
            at = (at + 1) % self.queue.len();
        }
        let (key, _) = self.queue.remove(at);
        self.hand = self.queue.get(at).map(|item| item.0);
        key
    }

    fn insert(&mut self, new: &Fetched) {
        self.queue.push((new.key, self.most.min(new.waiting - 1)));
    }

    fn forget(&mut self, key: u64) {
        let at = place(&self.queue, |item| item.0, key).unwrap();
        self.queue.remove(at);
        if self.hand == Some(key) {
            self.hand = self.queue.get(at).map(|item| item.0);
        }
    }
}

#[test]
fn sieve_k_counts_where_sieve_has_a_bit() {
    for most in [2, 3, 255] {
        agree(&format!("sieve-k(k={most})"), |_| SieveK { queue: Vec::new(), hand: None, most });
    }
    agree("sieve-k(k=1)", |_| Sieve::default());
}

/// SOSP 2023, algorithm 1.
struct S3Fifo {
    /// Key, hits, size; oldest first.
    small: Vec<(u64, u64, u64)>,
    main: Vec<(u64, u64, u64)>,
    ghosts: Vec<(u64, u64)>,
    capacity: u64,
    /// As in libCacheSim: new objects fill the main queue until the first eviction, and objects larger than the small
    /// queue do not enter.
    as_library: bool,
    has_evicted: bool,
    /// The ghost that returns.
    returning: Option<u64>,
}

impl S3Fifo {
    fn new(shape: &Shape, as_library: bool) -> Self {
        let (small, main, ghosts) = (Vec::new(), Vec::new(), Vec::new());
        Self { small, main, ghosts, capacity: shape.capacity, as_library, has_evicted: false, returning: None }
    }

    fn small_share(&self) -> u64 {
        (self.capacity / 10).max(1)
    }
}

fn total(list: &[(u64, u64, u64)]) -> u64 {
    list.iter().map(|item| item.2).sum()
}

impl Paper for S3Fifo {
    fn hit(&mut self, key: u64, _: &Access) {
        let hits = &mut self.small.iter_mut().chain(&mut self.main).find(|item| item.0 == key).unwrap().1;
        *hits = (*hits + 1).min(3);
    }

    fn admits(&self, new: &Fetched) -> bool {
        let is_ghost = self.ghosts.iter().any(|ghost| ghost.0 == new.key);
        !self.as_library || is_ghost || new.size <= self.small_share()
    }

    fn evict(&mut self, new: &Fetched) -> u64 {
        self.has_evicted = true;
        if let Some(at) = place(&self.ghosts, |ghost| ghost.0, new.key) {
            self.returning = Some(self.ghosts.remove(at).0);
        }
        loop {
            if total(&self.main) > self.capacity - self.small_share() || self.small.is_empty() {
                loop {
                    let (key, hits, size) = self.main.remove(0);
                    if hits == 0 {
                        return key;
                    }
                    self.main.push((key, hits - 1, size));
                }
            }
            while !self.small.is_empty() {
                let (key, hits, size) = self.small.remove(0);
                if hits > 1 {
                    self.main.push((key, 0, size));
                    continue;
                }
                self.ghosts.push((key, size));
                while 10 * self.ghosts.iter().map(|ghost| ghost.1).sum::<u64>() > 9 * self.capacity {
                    self.ghosts.remove(0);
                }
                return key;
            }
        }
    }

    fn insert(&mut self, new: &Fetched) {
        let is_ghost = place(&self.ghosts, |ghost| ghost.0, new.key).map(|at| self.ghosts.remove(at)).is_some();
        let was_ghost = self.returning.take() == Some(new.key) || is_ghost;
        let fills_main = self.as_library && !self.has_evicted && total(&self.small) >= self.small_share();
        let queue = if was_ghost || fills_main { &mut self.main } else { &mut self.small };
        queue.push((new.key, (new.waiting - 1).min(3), new.size));
    }

    fn forget(&mut self, key: u64) {
        self.small.retain(|item| item.0 != key);
        self.main.retain(|item| item.0 != key);
    }
}

#[test]
fn s3_fifo_is_the_papers() {
    agree("s3-fifo(first-fill=small,large=admit)", |shape| S3Fifo::new(shape, false));
    agree("s3-fifo", |shape| S3Fifo::new(shape, true));
}

/// What is wanted once goes through the small queue and does not touch the main queue.
#[test]
fn s3_fifo_lets_a_scan_pass() {
    // a and b earn their place: two hits each while in the small queue.
    let keys = "aaabbb0123456789ABCDEFGHab";
    assert_eq!(victims("s3-fifo", 10, keys)[24..], [None, None]);
}
