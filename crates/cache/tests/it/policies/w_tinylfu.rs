//! W-TinyLFU as section 4 of the paper describes it.

use super::paper_procedure::{Model, cache, request, same};
use forebay_cache::structures::{HillClimb, Sketch, share};
use forebay_core::{Request, Seed};

/// The end of a list is its most recent object.
struct Section4 {
    capacity: usize,
    window_size: usize,
    protected_size: usize,
    window: Vec<u64>,
    probation: Vec<u64>,
    protected: Vec<u64>,
    sketch: Sketch,
    climb: Option<HillClimb>,
}

impl Section4 {
    /// A window of a quarter, half of the rest protected, a sample of 3 per entry.
    fn new(capacity: usize) -> Self {
        let window_size = capacity.div_ceil(4);
        let sketch = Sketch::new(Seed(1).part("sketch").0, 3);
        let empty = Vec::new;
        let (window, probation, protected) = (empty(), empty(), empty());
        let protected_size = (capacity - window_size) / 2;
        Self { capacity, window_size, protected_size, window, probation, protected, sketch, climb: None }
    }

    /// Moves a sixteenth of the capacity, or less, between the window and the protected objects.
    fn adapt(&mut self, step: f64) {
        let moved = usize::try_from(share(self.capacity as u64, step.abs())).unwrap();
        if step > 0.0 {
            let moved = moved.min(self.protected_size);
            self.window_size += moved;
            self.protected_size -= moved;
            while self.protected.len() > self.protected_size {
                self.probation.push(self.protected.remove(0));
            }
            while self.window.len() < self.window_size {
                let list = if self.probation.is_empty() { &mut self.protected } else { &mut self.probation };
                if list.is_empty() {
                    break;
                }
                self.window.push(list.remove(0));
            }
        } else {
            let moved = moved.min(self.window_size - 1);
            self.window_size -= moved;
            self.protected_size += moved;
            while self.window.len() > self.window_size {
                self.probation.push(self.window.remove(0));
            }
        }
    }
}

fn renew(list: &mut Vec<u64>, key: u64) -> bool {
    let found = list.iter().position(|&other| other == key);
    if let Some(at) = found {
        list.remove(at);
        list.push(key);
    }
    found.is_some()
}

impl Model for Section4 {
    fn request(&mut self, key: u64, _: u64) -> (bool, Vec<u64>) {
        self.sketch.add(key);
        let held = [&self.window, &self.probation, &self.protected];
        let sample = 10 * held.iter().map(|list| list.len() as u64).sum::<u64>();
        let is_hit = held.iter().any(|list| list.contains(&key));
        if let Some(step) = self.climb.as_mut().and_then(|climb| climb.request(is_hit, sample)) {
            self.adapt(step);
        }
        if renew(&mut self.window, key) || renew(&mut self.protected, key) {
            return (true, Vec::new());
        }
        if renew(&mut self.probation, key) {
            self.probation.pop();
            self.protected.push(key);
            if self.protected.len() > self.protected_size {
                self.probation.push(self.protected.remove(0));
            }
            return (true, Vec::new());
        }
        self.window.push(key);
        let mut left = Vec::new();
        if self.window.len() > self.window_size {
            let candidate = self.window.remove(0);
            if self.window.len() + self.probation.len() + self.protected.len() < self.capacity {
                self.probation.push(candidate);
            } else {
                let main = if self.probation.is_empty() { &mut self.protected } else { &mut self.probation };
                if main.first().is_some_and(|&victim| self.sketch.count(candidate) > self.sketch.count(victim)) {
                    left.push(main.remove(0));
                    self.probation.push(candidate);
                } else {
                    left.push(candidate);
                }
            }
        }
        self.sketch.fit(self.window.len() + self.probation.len() + self.protected.len());
        (false, left)
    }
}

#[test]
fn is_section_4() {
    same("w-tinylfu(window=0.25,protected=0.5,sample=3)", false, |capacity| {
        Box::new(Section4::new(usize::try_from(capacity).unwrap()))
    });
}

#[test]
fn the_window_adapts_as_that_of_caffeine() {
    same("w-tinylfu(window=0.25,protected=0.5,sample=3,adapt=climb)", false, |capacity| {
        let model = Section4::new(usize::try_from(capacity).unwrap());
        Box::new(Section4 { climb: Some(HillClimb::default()), ..model })
    });
}

/// Each object is requested twice, up to 60 new objects apart: a larger window is better, and the climber finds that.
#[test]
fn a_larger_window_is_found_where_it_helps() {
    let hits = |name: &str| {
        let mut cache = cache(name, 200);
        let mut time = 0;
        let mut ask = |key: u64| {
            time += 1;
            request(&mut cache, &Request { time, key, size: 1 }, 1).0
        };
        (100..60_000_u64).filter(|&nth| ask(nth) | ask(nth - 1 - nth * 7_919 % 60)).count()
    };
    let [fixed, adaptive, large] = ["w-tinylfu", "w-tinylfu(adapt=climb)", "w-tinylfu(window=0.7)"].map(hits);
    assert!(fixed < large && 2 * (adaptive - fixed) > large - fixed, "{fixed} {adaptive} {large}");
}

/// What is requested once does not drive out what is requested often.
#[test]
fn a_scan_leaves_the_main_cache_alone() {
    let mut cache = cache("w-tinylfu", 100);
    let mut time = 0;
    let mut ask = |key: u64| {
        time += 1;
        request(&mut cache, &Request { time, key, size: 1 }, 1).0
    };
    for _ in 0..5 {
        (0..90).for_each(|key| _ = ask(key));
    }
    (1_000..1_300).for_each(|key| _ = ask(key));
    assert_eq!((0..90).filter(|&key| ask(key)).count(), 90);
}

/// An object larger than the window that was never requested is not admitted.
#[test]
fn may_refuse_the_new_object() {
    let mut cache = cache("w-tinylfu", 100);
    let mut ask = |time: u64, key: u64, size: u64| request(&mut cache, &Request { time, key, size }, 1);
    (0..60).for_each(|time| _ = ask(time, time % 2, 50));
    assert_eq!(ask(60, 7, 20), (false, vec![]));
    assert_eq!(ask(61, 0, 50), (true, vec![]));
    assert_eq!(ask(62, 7, 20), (false, vec![]));
}
