//! LHD against the formulas of the paper, with every entry weighed.

use super::paper_procedure::{Model, same};
use forebay_core::{Rng, Seed};
use rand::RngExt as _;

const NAME: &str = "lhd(classes=4,max-age=12,age-shift=2,ewma=0.5,explorers=0.1,explore=4,reconfigure=150)";
const CLASSES: usize = 4;
const MAX_AGE: u64 = 12;

#[derive(Clone)]
struct Object {
    key: u64,
    last: u64,
    hit_ages: [u64; 2],
    explorer: bool,
}

struct Printed {
    capacity: usize,
    explorers: usize,
    objects: Vec<Object>,
    clock: u64,
    /// Class, age, whether a hit, how much it counts.
    events: Vec<(usize, u64, bool, f64)>,
    learnt: Option<Vec<Vec<f64>>>,
    rng: Rng,
}

impl Object {
    fn class(&self) -> usize {
        match self.hit_ages.iter().sum::<u64>() {
            12.. => 0,
            6..12 => 1,
            3..6 => 2,
            0..3 => CLASSES - 1,
        }
    }

    fn age(&self, clock: u64) -> u64 {
        ((clock - self.last) / 4).min(MAX_AGE)
    }
}

impl Printed {
    fn new(capacity: usize) -> Self {
        let (objects, events, rng) = (Vec::new(), Vec::new(), Seed(1).stream("lhd"));
        Self { capacity, explorers: capacity / 10, objects, clock: 0, events, learnt: None, rng }
    }

    fn learn(&mut self) {
        let count = |class: usize, from: u64, only_hits: bool| {
            let counts = |event: &&(usize, u64, bool, f64)| event.0 == class && event.1 >= from;
            let of = |event: &(usize, u64, bool, f64)| if event.2 || !only_hits { event.3 } else { 0.0 };
            self.events.iter().filter(counts).map(of).sum::<f64>()
        };
        let density = |class, age| {
            let time: f64 = (age..=MAX_AGE).map(|from| count(class, from, false)).sum();
            if time > 0.0 { count(class, age, true) / time } else { 0.0 }
        };
        let of_class = |class| (0..=MAX_AGE).map(|age| density(class, age)).collect();
        self.learnt = Some((0..CLASSES).map(of_class).collect());
        self.events.iter_mut().for_each(|event| event.3 /= 2.0);
    }

    fn rank(&self, object: &Object) -> (bool, bool, f64) {
        let (class, age) = (object.class(), object.age(self.clock));
        let first = (class + 1) as f64 / (4 * (age + 1)) as f64;
        let density = self.learnt.as_ref().map_or(first, |learnt| learnt[class][usize::try_from(age).unwrap()]);
        let over = age == MAX_AGE;
        (!over, object.explorer && !over, if over { 0.0 } else { density })
    }
}

impl Model for Printed {
    fn request(&mut self, key: u64, _: u64) -> (bool, Vec<u64>) {
        self.clock += 1;
        if self.clock.is_multiple_of(150) {
            self.learn();
        }
        if let Some(at) = self.objects.iter().position(|object| object.key == key) {
            let object = &mut self.objects[at];
            let (class, age) = (object.class(), object.age(self.clock));
            object.hit_ages = [age, object.hit_ages[0]];
            object.explorer = false;
            object.last = self.clock;
            self.events.push((class, age, true, 1.0));
            return (true, Vec::new());
        }
        let mut left = Vec::new();
        if self.objects.len() == self.capacity {
            let ranks: Vec<_> = self.objects.iter().map(|object| self.rank(object)).collect();
            let first = (1..ranks.len()).fold(0, |least, at| if ranks[at] < ranks[least] { at } else { least });
            let object = self.objects.swap_remove(first);
            self.events.push((object.class(), object.age(self.clock), false, 1.0));
            left.push(object.key);
        }
        let exploring = self.objects.iter().filter(|object| object.explorer).count();
        let explorer = exploring < self.explorers && self.rng.random_range(0..4_u64) == 0;
        self.objects.push(Object { key, last: self.clock, hit_ages: [0, MAX_AGE], explorer });
        (false, left)
    }
}

#[test]
fn is_what_the_formulas_say() {
    same(NAME, false, |capacity| Box::new(Printed::new(usize::try_from(capacity).unwrap())));
}
