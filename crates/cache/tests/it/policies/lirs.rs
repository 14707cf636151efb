//! LIRS against section 3 of the paper.

use super::paper_procedure::{Model, same};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Status {
    Lir,
    Hir,
    Gone,
}
use Status::{Gone, Hir, Lir};

/// The stack with its top at the end, the queue with its front at the beginning.
struct Section3 {
    lirs: usize,
    hirs: usize,
    stack: Vec<(u64, Status)>,
    queue: Vec<u64>,
}

impl Section3 {
    fn new(capacity: usize) -> Self {
        let hirs = capacity.div_ceil(4);
        Self { lirs: capacity - hirs, hirs, stack: Vec::new(), queue: Vec::new() }
    }

    fn count(&self, wanted: Status) -> usize {
        self.stack.iter().filter(|(_, status)| *status == wanted).count()
    }

    fn lift(&mut self, key: u64, status: Status) {
        self.stack.retain(|&(other, _)| other != key);
        self.stack.push((key, status));
    }

    fn prune(&mut self) {
        while self.stack.first().is_some_and(|(_, status)| *status != Lir) {
            self.stack.remove(0);
        }
    }

    /// The object on top became LIR: the bottom one becomes HIR if there are too many.
    fn change(&mut self) {
        if self.count(Lir) > self.lirs {
            let (key, _) = self.stack.remove(0);
            self.queue.push(key);
        }
    }
}

impl Model for Section3 {
    fn request(&mut self, key: u64, waiting: u64) -> (bool, Vec<u64>) {
        let status = self.stack.iter().find(|object| object.0 == key).map(|object| object.1);
        let mut left = Vec::new();
        let resident = status == Some(Lir) || self.queue.contains(&key);
        if status == Some(Lir) {
            self.lift(key, Lir);
        } else if resident && status == Some(Hir) {
            self.lift(key, Lir);
            self.queue.retain(|&other| other != key);
            self.change();
        } else if resident {
            self.lift(key, Hir);
            self.queue.retain(|&other| other != key);
            self.queue.push(key);
        } else {
            if self.count(Lir) + self.queue.len() == self.lirs + self.hirs {
                left.push(self.queue.remove(0));
                let in_stack = self.stack.iter_mut().find(|object| object.0 == left[0]);
                in_stack.into_iter().for_each(|object| object.1 = Gone);
            }
            if status == Some(Gone) {
                self.lift(key, Lir);
                self.change();
            } else if self.count(Lir) < self.lirs {
                self.lift(key, Lir);
            } else {
                self.lift(key, Hir);
                self.queue.push(key);
            }
        }
        self.prune();
        if !resident && waiting > 1 {
            self.request(key, 1);
        }
        (resident, left)
    }

    fn check(&self) {
        assert!(self.count(Lir) <= self.lirs, "no more LIR objects than room");
        assert!(self.stack.first().is_none_or(|bottom| bottom.1 == Lir), "a LIR object is at the bottom");
    }
}

#[test]
fn is_section_3() {
    for waits in [false, true] {
        let model = |capacity| Box::new(Section3::new(usize::try_from(capacity).unwrap())) as Box<dyn Model>;
        same("lirs(hirs=0.25,ghost=1000000)", waits, model);
    }
}
