//! 2Q and segmented LRU: lists whose most recent object is at the end of the vector.

use super::harness::{Paper, agree, place, victims};
use forebay_cache::{Access, Fetched, Shape};

type Item = (u64, u64);

fn total(list: &[Item]) -> u64 {
    list.iter().map(|item| item.1).sum()
}

/// VLDB 1994, full version, with Kin and Kout in percent of the capacity.
struct TwoQ {
    a1in: Vec<Item>,
    a1out: Vec<Item>,
    am: Vec<Item>,
    kin: u64,
    kout: u64,
    rejects_large: bool,
}

impl Paper for TwoQ {
    fn admits(&self, new: &Fetched) -> bool {
        let was_known = new.waiting > 1 || place(&self.a1out, |item| item.0, new.key).is_some();
        !self.rejects_large || was_known || new.size <= self.kin.max(1)
    }

    fn hit(&mut self, key: u64, _: &Access) {
        if let Some(at) = place(&self.am, |item| item.0, key) {
            let item = self.am.remove(at);
            self.am.push(item);
        }
    }

    fn evict(&mut self, _: &Fetched) -> u64 {
        if total(&self.a1in) > self.kin || self.am.is_empty() {
            let item = self.a1in.remove(0);
            self.a1out.push(item);
            return item.0;
        }
        self.am.remove(0).0
    }

    fn insert(&mut self, new: &Fetched) {
        let was_out = place(&self.a1out, |item| item.0, new.key).map(|at| self.a1out.remove(at)).is_some();
        let order = if was_out || new.waiting > 1 { &mut self.am } else { &mut self.a1in };
        order.push((new.key, new.size));
        while total(&self.a1out) > self.kout {
            self.a1out.remove(0);
        }
    }

    fn forget(&mut self, key: u64) {
        self.a1in.retain(|item| item.0 != key);
        self.am.retain(|item| item.0 != key);
    }
}

fn two_q(kin: u64, kout: u64) -> TwoQ {
    TwoQ { a1in: Vec::new(), a1out: Vec::new(), am: Vec::new(), kin, kout, rejects_large: false }
}

#[test]
fn two_q_is_the_papers() {
    let usual = |shape: &Shape| two_q(shape.capacity / 4, shape.capacity / 2);
    agree("2q(large=admit)", usual);
    agree("2q", |shape| TwoQ { rejects_large: true, ..usual(shape) });
    agree("2q(in=0.5,out=2,large=admit)", |shape| two_q(shape.capacity / 2, shape.capacity * 2));
    agree("2q(in=0,out=0,large=admit)", |_| two_q(0, 0));
}

/// A hit in A1in does not save an object; one that comes back soon joins Am.
#[test]
fn two_q_ignores_correlated_requests() {
    let left = victims("2q", 4, "aaabcdeafghia");
    let some = |key: &str| Some(key.to_owned());
    assert_eq!(left[6..9], [some("a"), some("b"), some("c")]);
    assert_eq!(left[12], None);
}

/// IEEE Computer 1994, with any number of segments.
struct Slru {
    segments: Vec<Vec<Item>>,
    room: u64,
    /// Room in the lowest segment, if new objects enter others when it is full.
    fills_upwards: Option<u64>,
    /// The largest new object that may enter.
    largest: u64,
}

impl Slru {
    fn place(&self, key: u64) -> (usize, usize) {
        let places = self.segments.iter().map(|segment| place(segment, |item| item.0, key));
        places.enumerate().find_map(|(segment, at)| Some((segment, at?))).unwrap()
    }

    fn raise(&mut self, key: u64, steps: u64) {
        let (segment, at) = self.place(key);
        let item = self.segments[segment].remove(at);
        let fits = item.1 <= self.room;
        let to = if fits { segment + usize::try_from(steps).unwrap() } else { segment }.min(self.segments.len() - 1);
        self.segments[to].push(item);
        for segment in (1..self.segments.len()).rev() {
            while total(&self.segments[segment]) > self.room {
                let least = self.segments[segment].remove(0);
                self.segments[segment - 1].push(least);
            }
        }
    }
}

impl Paper for Slru {
    fn admits(&self, new: &Fetched) -> bool {
        new.size <= self.largest
    }

    fn hit(&mut self, key: u64, _: &Access) {
        self.raise(key, 1);
    }

    fn evict(&mut self, _: &Fetched) -> u64 {
        self.segments.iter_mut().find(|segment| !segment.is_empty()).unwrap().remove(0).0
    }

    fn insert(&mut self, new: &Fetched) {
        let mut entrance = 0;
        if let Some(lowest) = self.fills_upwards {
            let rooms = [lowest, self.room, self.room, self.room];
            let has_room = |&segment: &usize| total(&self.segments[segment]) + new.size <= rooms[segment];
            entrance = (0..self.segments.len()).find(has_room).unwrap_or(0);
        }
        self.segments[entrance].push((new.key, new.size));
        if new.waiting > 1 {
            self.raise(new.key, new.waiting - 1);
        }
    }

    fn forget(&mut self, key: u64) {
        let (segment, at) = self.place(key);
        self.segments[segment].remove(at);
    }
}

#[test]
fn slru_is_the_papers() {
    let slru = |shape: &Shape, segments: usize, part: u64| {
        let protected = shape.capacity - shape.capacity.div_ceil(part);
        let room = protected / (segments as u64 - 1);
        Slru { segments: vec![Vec::new(); segments], room, fills_upwards: None, largest: u64::MAX }
    };
    agree("slru(large=admit)", |shape| slru(shape, 2, 5));
    agree("slru", |shape| Slru { largest: shape.capacity.div_ceil(5), ..slru(shape, 2, 5) });
    agree("slru(segments=4,probation=0.25,large=admit)", |shape| slru(shape, 4, 4));
    agree("slru(segments=4,probation=0.25,first-fill=upwards,large=admit)", |shape| {
        let fills_upwards = Some(shape.capacity.div_ceil(4));
        Slru { fills_upwards, ..slru(shape, 4, 4) }
    });
}
