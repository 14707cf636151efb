//! Multi-Queue as the procedure of the paper: a request, then the adjustment of all queues.

use super::paper_procedure::{Model, same};

/// An object in the cache.
struct Block {
    key: u64,
    count: u64,
    expires: u64,
}

/// The oldest of a queue is first.
struct Procedure {
    capacity: usize,
    queues: Vec<Vec<Block>>,
    lifetime: u64,
    /// Qout: key and count, the oldest first.
    history: Vec<(u64, u64)>,
    remembered: usize,
    now: u64,
}

impl Procedure {
    fn new(capacity: usize, queues: usize, lifetime: u64) -> Self {
        let queues = std::iter::repeat_with(Vec::new).take(queues).collect();
        Self { capacity, queues, lifetime, history: Vec::new(), remembered: 2 * capacity, now: 0 }
    }

    /// Puts a block at the end of the queue of the logarithm of its count.
    fn put(&mut self, key: u64, count: u64) {
        let queue = (0..).take_while(|bit| count >> (bit + 1) > 0).count().min(self.queues.len() - 1);
        self.queues[queue].push(Block { key, count, expires: self.now + self.lifetime });
    }

    fn adjust(&mut self) {
        self.now += 1;
        for queue in 1..self.queues.len() {
            if self.queues[queue].first().is_some_and(|oldest| oldest.expires < self.now) {
                let mut block = self.queues[queue].remove(0);
                block.expires = self.now + self.lifetime;
                self.queues[queue - 1].push(block);
            }
        }
    }
}

impl Model for Procedure {
    fn request(&mut self, key: u64, waiting: u64) -> (bool, Vec<u64>) {
        let found = self.queues.iter_mut().find_map(|queue| {
            let at = queue.iter().position(|block| block.key == key)?;
            Some(queue.remove(at).count)
        });
        let mut left = Vec::new();
        if let Some(count) = found {
            self.put(key, count + 1);
        } else {
            if self.queues.iter().map(Vec::len).sum::<usize>() == self.capacity {
                let lowest = self.queues.iter_mut().find(|queue| !queue.is_empty()).unwrap();
                let victim = lowest.remove(0);
                self.history.push((victim.key, victim.count));
                if self.history.len() > self.remembered {
                    self.history.remove(0);
                }
                left.push(victim.key);
            }
            let known = self.history.iter().position(|&(other, _)| other == key);
            let count = known.map_or(0, |at| self.history.remove(at).1);
            self.put(key, count + waiting);
        }
        self.adjust();
        (found.is_some(), left)
    }
}

#[test]
fn mq_is_the_papers() {
    for (queues, lifetime) in [(1, 5), (3, 0), (4, 7), (8, 50)] {
        same(&format!("mq(queues={queues},lifetime={lifetime},ghost=2)"), true, |capacity| {
            Box::new(Procedure::new(usize::try_from(capacity).unwrap(), queues, lifetime))
        });
    }
}
