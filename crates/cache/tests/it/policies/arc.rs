//! ARC against figure 4 of the paper.

use super::paper_procedure::{Model, same};

/// Figure 4: the front of a list is its most recent object.
struct Figure4 {
    c: usize,
    p: f64,
    t1: Vec<u64>,
    t2: Vec<u64>,
    b1: Vec<u64>,
    b2: Vec<u64>,
    left: Vec<u64>,
}

fn take(list: &mut Vec<u64>, key: u64) -> bool {
    let before = list.len();
    list.retain(|&other| other != key);
    list.len() < before
}

impl Figure4 {
    fn replace(&mut self, in_b2: bool) {
        let t1 = self.t1.len() as f64;
        if !self.t1.is_empty() && (t1 > self.p || (in_b2 && t1 == self.p)) {
            let key = self.t1.pop().unwrap();
            self.left.push(key);
            self.b1.insert(0, key);
        } else {
            let key = self.t2.pop().unwrap();
            self.left.push(key);
            self.b2.insert(0, key);
        }
    }

    fn write(&mut self, x: u64) -> bool {
        let (c, b1, b2) = (self.c, self.b1.len() as f64, self.b2.len() as f64);
        if take(&mut self.t1, x) || take(&mut self.t2, x) {
            self.t2.insert(0, x);
            return true;
        }
        if self.b1.contains(&x) {
            self.p = (self.p + if b1 >= b2 { 1.0 } else { b2 / b1 }).min(c as f64);
            self.replace(false);
            take(&mut self.b1, x);
            self.t2.insert(0, x);
            return false;
        }
        if self.b2.contains(&x) {
            self.p = (self.p - if b2 >= b1 { 1.0 } else { b1 / b2 }).max(0.0);
            self.replace(true);
            take(&mut self.b2, x);
            self.t2.insert(0, x);
            return false;
        }
        let (l1, l2) = (self.t1.len() + self.b1.len(), self.t2.len() + self.b2.len());
        if l1 == c {
            if self.t1.len() < c {
                self.b1.pop();
                self.replace(false);
            } else {
                self.left.push(self.t1.pop().unwrap());
            }
        } else if l1 + l2 >= c {
            if l1 + l2 == 2 * c {
                self.b2.pop();
            }
            self.replace(false);
        }
        self.t1.insert(0, x);
        false
    }
}

impl Model for Figure4 {
    fn request(&mut self, key: u64, waiting: u64) -> (bool, Vec<u64>) {
        let hit = self.write(key);
        if !hit {
            // Each further waiting request hits the object that just came.
            (1..waiting).for_each(|_| assert!(self.write(key)));
        }
        (hit, std::mem::take(&mut self.left))
    }

    /// Section II.B and III: A.1 to A.5 of the paper.
    fn check(&self) {
        let (l1, l2) = (self.t1.len() + self.b1.len(), self.t2.len() + self.b2.len());
        assert!(l1 <= self.c && l1 + l2 <= 2 * self.c && self.t1.len() + self.t2.len() <= self.c);
    }
}

#[test]
fn is_figure_4() {
    for waits in [false, true] {
        same("arc", waits, |capacity| {
            let c = usize::try_from(capacity).unwrap();
            let empty = Vec::new;
            Box::new(Figure4 { c, p: 0.0, t1: empty(), t2: empty(), b1: empty(), b2: empty(), left: empty() })
        });
    }
}
