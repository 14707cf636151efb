//! LeCaR against algorithms 1 and 2 of the paper.

use super::paper_procedure::{Model, same};
use forebay_core::{Rng, Seed};
use rand::RngExt as _;

#[derive(Clone, Copy)]
struct Object {
    key: u64,
    count: u64,
    /// When it was used last, or left; when it came to its count.
    at: u64,
}

struct Algorithm1 {
    n: usize,
    cache: Vec<Object>,
    histories: [Vec<Object>; 2],
    weights: [f64; 2],
    now: u64,
    rng: Rng,
}

impl Model for Algorithm1 {
    fn request(&mut self, key: u64, waiting: u64) -> (bool, Vec<u64>) {
        self.now += 1;
        if let Some(object) = self.cache.iter_mut().find(|object| object.key == key) {
            *object = Object { key, count: object.count + 1, at: self.now };
            return (true, Vec::new());
        }
        let mut count = 0;
        for (expert, history) in self.histories.iter_mut().enumerate() {
            if let Some(found) = history.iter().position(|object| object.key == key) {
                let object = history.remove(found);
                count = object.count;
                let discount = 0.005_f64.powf(1.0 / self.n as f64);
                let regret = discount.powf((self.now - object.at) as f64);
                self.weights[1 - expert] *= (0.45 * regret).exp();
                let sum: f64 = self.weights.iter().sum();
                // Not the paper's: neither expert is ever out.
                self.weights = self.weights.map(|weight| (weight / sum).clamp(0.01, 0.99));
            }
        }
        let mut left = Vec::new();
        if self.cache.len() == self.n {
            let expert = usize::from(self.rng.random::<f64>() >= self.weights[0]);
            let rank = |object: &Object| if expert == 0 { (0, object.at) } else { (object.count, object.at) };
            let least = (0..self.n).min_by_key(|&index| rank(&self.cache[index])).unwrap();
            let object = self.cache.remove(least);
            left.push(object.key);
            self.histories[expert].push(Object { at: self.now, ..object });
            if self.histories[expert].len() > self.n {
                self.histories[expert].remove(0);
            }
        }
        self.cache.push(Object { key, count: count + waiting, at: self.now });
        (false, left)
    }
}

#[test]
fn is_algorithm_1() {
    for waits in [false, true] {
        same("lecar", waits, |capacity| {
            let (n, rng) = (usize::try_from(capacity).unwrap(), Seed(1).stream("lecar"));
            let histories = [Vec::new(), Vec::new()];
            Box::new(Algorithm1 { n, cache: Vec::new(), histories, weights: [0.5; 2], now: 0, rng })
        });
    }
}
