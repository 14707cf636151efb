//! CLOCK-Pro against section 4 of the paper: one ring, walked page by page by three hands.

use super::harness::{Paper, agree};
use crate::conformance::{play, setup};
use forebay_cache::{Access, Choice, Fetched, Model};
use forebay_core::Request;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Status {
    Hot,
    Cold,
    Ghost,
}
use Status::{Cold, Ghost, Hot};

#[derive(Clone, Copy)]
struct Page {
    key: u64,
    size: u64,
    status: Status,
    in_test: bool,
    bit: bool,
}

/// HAND_hot points at the beginning of the ring, so that the list head is its end. The other
/// hands point at keys.
struct Section4 {
    m: u64,
    m_c: u64,
    ring: Vec<Page>,
    hand_cold: Option<u64>,
    hand_test: Option<u64>,
}

impl Section4 {
    fn new(m: u64) -> Self {
        Self { m, m_c: m.div_ceil(10), ring: Vec::new(), hand_cold: None, hand_test: None }
    }

    fn find(&self, key: u64) -> Option<usize> {
        self.ring.iter().position(|page| page.key == key)
    }

    fn sum(&self, status: Status) -> u64 {
        self.ring.iter().filter(|page| page.status == status).map(|page| page.size).sum()
    }

    /// The next page after `key` in the direction of the hands, once around.
    fn after(&self, key: u64, wanted: fn(&Page) -> bool) -> Option<u64> {
        let at = self.find(key).unwrap();
        let mut rest = self.ring[at + 1..].iter().chain(&self.ring[..at]);
        rest.find(|page| wanted(page)).map(|page| page.key)
    }

    /// No hand points at this page any more.
    fn lift_hands(&mut self, key: u64) {
        if self.hand_cold == Some(key) {
            self.hand_cold = self.after(key, |page| page.status == Cold);
        }
        self.lift_hand_test(key);
    }

    fn lift_hand_test(&mut self, key: u64) {
        if self.hand_test == Some(key) {
            self.hand_test = self.after(key, |page| page.in_test);
        }
    }

    fn take(&mut self, key: u64) -> Page {
        self.lift_hands(key);
        self.ring.remove(self.find(key).unwrap())
    }

    /// Puts a page at the list head.
    fn put(&mut self, page: Page) {
        self.ring.push(page);
        if page.status == Cold {
            self.hand_cold.get_or_insert(page.key);
        }
        if page.in_test {
            self.hand_test.get_or_insert(page.key);
        }
    }

    fn end_test(&mut self, key: u64) {
        self.lift_hand_test(key);
        let at = self.find(key).unwrap();
        let page = &mut self.ring[at];
        page.in_test = false;
        if !page.bit {
            self.m_c = self.m_c.saturating_sub(page.size).max(1);
        }
        if page.status == Ghost {
            self.take(key);
        }
    }

    fn step_hand_hot(&mut self) {
        let first = self.ring[0];
        if first.in_test {
            self.end_test(first.key);
        }
        if first.status == Ghost {
            return;
        }
        self.ring.rotate_left(1);
        let page = self.ring.last_mut().unwrap();
        if page.status == Hot && page.bit {
            page.bit = false;
        } else if page.status == Hot {
            page.status = Cold;
            self.hand_cold.get_or_insert(first.key);
        }
    }

    fn run_hand_hot(&mut self) {
        if self.sum(Hot) <= self.m - self.m_c {
            return;
        }
        while self.sum(Hot) > self.m - self.m_c {
            self.step_hand_hot();
        }
        while self.sum(Hot) > 0 && self.ring[0].status != Hot {
            self.step_hand_hot();
        }
    }

    fn run_hand_test(&mut self) {
        while self.sum(Ghost) > self.m {
            self.end_test(self.hand_test.unwrap());
        }
    }

    /// A page at the list head that was requested in its test period.
    fn requested_in_test(&mut self, page: Page) {
        self.m_c = (self.m_c + page.size).min(self.m);
        if page.size > self.m - self.m_c {
            self.put(Page { status: Cold, in_test: true, ..page });
        } else {
            self.put(Page { status: Hot, in_test: false, ..page });
        }
        self.run_hand_hot();
    }
}

impl Paper for Section4 {
    fn hit(&mut self, key: u64, _: &Access) {
        let at = self.find(key).unwrap();
        self.ring[at].bit = true;
    }

    fn evict(&mut self, _: &Fetched) -> u64 {
        loop {
            let Some(key) = self.hand_cold else {
                self.step_hand_hot();
                continue;
            };
            let at = self.find(key).unwrap();
            let page = self.ring[at];
            if page.bit {
                self.take(key);
                let page = Page { bit: false, ..page };
                if page.in_test {
                    self.requested_in_test(page);
                } else {
                    self.put(Page { in_test: true, ..page });
                }
            } else if page.in_test {
                self.hand_cold = self.after(key, |page| page.status == Cold);
                self.ring[at].status = Ghost;
                self.run_hand_test();
                return key;
            } else {
                self.take(key);
                return key;
            }
        }
    }

    fn insert(&mut self, new: &Fetched) {
        let Fetched { key, size, .. } = *new;
        let page = Page { key, size, status: Cold, in_test: true, bit: new.waiting > 1 };
        if self.find(key).is_some() {
            self.take(key);
            self.requested_in_test(page);
        } else {
            self.put(page);
        }
        let residents = self.sum(Hot) + self.sum(Cold);
        assert!(residents <= self.m && self.sum(Ghost) <= self.m && self.m_c >= 1 && self.m_c <= self.m);
    }

    fn forget(&mut self, key: u64) {
        self.take(key);
    }
}

#[test]
fn is_section_4() {
    agree("clock-pro(cold=0.1)", |shape| Section4::new(shape.capacity));
}

/// A loop that is larger than the cache never hits with LRU and CLOCK.
#[test]
fn beats_lru_on_a_loop_larger_than_the_cache() {
    for (objects, least) in [(110, 0.7), (150, 0.45), (190, 0.3)] {
        let requests: Vec<_> = (0..40_000).map(|time| Request { time, key: time % objects, size: 1 }).collect();
        let hits = |name: &str| {
            let choice: Choice = name.parse().unwrap();
            play(&choice, setup(Model::Classical, 100, 1), &requests, 1).hits as f64 / 40_000.0
        };
        assert!(hits("lru") == 0.0 && hits("clock") == 0.0);
        assert!(hits("clock-pro") > least, "{objects} objects: {}", hits("clock-pro"));
    }
}

#[test]
fn cold_is_a_share() {
    let error = "clock-pro(cold=2)".parse::<Choice>().unwrap_err().to_string();
    assert!(error.contains("cold") && error.contains("0 to 1"), "{error}");
}
