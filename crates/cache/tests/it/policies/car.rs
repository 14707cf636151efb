//! CAR against figure 2 of the paper.

use super::paper_procedure::{Model, same};

/// Figure 2: the front of a list is the head of its clock, or its least recent ghost.
#[derive(Default)]
struct Figure2 {
    c: usize,
    p: f64,
    t1: Vec<(u64, bool)>,
    t2: Vec<(u64, bool)>,
    b1: Vec<u64>,
    b2: Vec<u64>,
    left: Vec<u64>,
}

impl Figure2 {
    fn replace(&mut self) {
        loop {
            let from_t1 = self.t1.len() as f64 >= self.p.max(1.0);
            let (key, referenced) = if from_t1 { self.t1.remove(0) } else { self.t2.remove(0) };
            if referenced {
                self.t2.push((key, false));
            } else {
                self.left.push(key);
                return if from_t1 { self.b1.push(key) } else { self.b2.push(key) };
            }
        }
    }
}

impl Model for Figure2 {
    fn request(&mut self, x: u64, waiting: u64) -> (bool, Vec<u64>) {
        if let Some(page) = self.t1.iter_mut().chain(&mut self.t2).find(|page| page.0 == x) {
            page.1 = true;
            return (true, Vec::new());
        }
        if self.t1.len() + self.t2.len() == self.c {
            self.replace();
            let ghost = self.b1.contains(&x) || self.b2.contains(&x);
            if !ghost && self.t1.len() + self.b1.len() == self.c {
                self.b1.remove(0);
            } else if !ghost && self.t1.len() + self.t2.len() + self.b1.len() + self.b2.len() == 2 * self.c {
                self.b2.remove(0);
            }
        }
        let (b1, b2) = (self.b1.len() as f64, self.b2.len() as f64);
        if let Some(at) = self.b1.iter().position(|&key| key == x) {
            self.p = (self.p + (b2 / b1).max(1.0)).min(self.c as f64);
            self.b1.remove(at);
            self.t2.push((x, waiting > 1));
        } else if let Some(at) = self.b2.iter().position(|&key| key == x) {
            self.p = (self.p - (b1 / b2).max(1.0)).max(0.0);
            self.b2.remove(at);
            self.t2.push((x, waiting > 1));
        } else {
            self.t1.push((x, waiting > 1));
        }
        (false, std::mem::take(&mut self.left))
    }

    /// Section II.C of the paper: I1 to I3.
    fn check(&self) {
        let (l1, l2) = (self.t1.len() + self.b1.len(), self.t2.len() + self.b2.len());
        assert!(self.t1.len() + self.t2.len() <= self.c && l1 <= self.c && l1 + l2 <= 2 * self.c);
    }
}

#[test]
fn is_figure_2() {
    for waits in [false, true] {
        same("car", waits, |capacity| {
            Box::new(Figure2 { c: usize::try_from(capacity).unwrap(), ..Figure2::default() })
        });
    }
}
