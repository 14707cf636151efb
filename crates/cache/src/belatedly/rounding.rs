//! Schedules from prices: whenever the cache is too full, the object of the least value leaves.
//!
//! Under given prices, the value of a cached object is the cost of a miss instead of a hit at its next decision, less
//! the price of staying until then. All objects in the cache share the price from the beginning until now. So the rank
//! of an object does not change until its next decision, and a heap finds the object that leaves.
//!
//! An object that found room until its next request may still leave just before that request. A miss for which a burst
//! waits can be cheaper than a hit after which the burst misses.

use crate::belatedly::problem::{Problem, index};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The visits of objects with a choice in order of the trace, and their commits.
#[derive(Debug)]
pub(crate) struct Timeline {
    /// Visits in order of the trace.
    arrivals: Vec<u32>,
    /// Visits with a decision after their miss, in order of their checkpoints.
    commits: Vec<u32>,
    /// Of each visit, its object.
    owner: Vec<u32>,
}

impl Timeline {
    pub(crate) fn new(problem: &Problem) -> Self {
        let visits = problem.starts[problem.flexible] as usize;
        let mut owner = vec![0; visits];
        let mut commits = Vec::with_capacity(visits);
        for object in 0..problem.flexible {
            let range = problem.visits(object);
            owner[range.clone()].fill(index(object));
            commits.extend(range.clone().filter(|&visit| (problem.after_miss[visit] as usize) < range.end).map(index));
        }
        commits.sort_by_key(|&visit| (problem.commit[visit as usize], problem.request[visit as usize]));
        let mut arrivals: Vec<u32> = (0..index(visits)).collect();
        arrivals.sort_unstable_by_key(|&visit| problem.request[visit as usize]);
        Self { arrivals, commits, owner }
    }

    /// How many visits there are.
    pub(crate) fn visits(&self) -> usize {
        self.owner.len()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Absent,
    /// Being fetched since this visit.
    Fetched(u32),
    /// In the cache since this decision.
    Cached(u32),
}

/// A schedule under construction.
#[derive(Debug)]
pub(crate) struct Rounding {
    /// Of each visit that is a decision: whether the object stays. Others are false.
    pub(crate) stays: Vec<bool>,
    states: Vec<State>,
    /// Rank and decision of the objects in the cache, and of some that were in it.
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    /// Who left for the last commit, least worth first.
    left: Vec<(u64, u32)>,
    /// Before an eviction, it may be twice the capacity.
    occupied: u128,
    present: usize,
}

impl Rounding {
    pub(crate) fn new(problem: &Problem) -> Self {
        let visits = problem.starts[problem.flexible] as usize;
        Self {
            stays: vec![false; visits],
            states: vec![State::Absent; problem.flexible],
            heap: BinaryHeap::new(),
            left: Vec::new(),
            occupied: 0,
            present: 0,
        }
    }

    /// Makes the schedule and returns the cost of the trace under it. `worth` is the value of being in the cache at
    /// each visit, per unit of size, less the price of all checkpoints before it; `sums` are these prices.
    pub(crate) fn run(&mut self, problem: &Problem, timeline: &Timeline, worth: &[f64], sums: &[f64]) -> u64 {
        self.stays.fill(false);
        self.states.fill(State::Absent);
        self.heap.clear();
        let mut commits = timeline.commits.iter().peekable();
        self.occupied = 0;
        self.present = 0;
        let mut latency = problem.fixed;
        for &visit in &timeline.arrivals {
            let here = visit as usize;
            while let Some(&commit) = commits.next_if(|&&commit| problem.commit[commit as usize] < problem.before[here])
            {
                let object = timeline.owner[commit as usize] as usize;
                if self.states[object] != State::Fetched(commit) {
                    continue;
                }
                let next = problem.after_miss[commit as usize];
                self.enter(problem, object, rank(worth[next as usize]), commit);
                self.make_room(problem, timeline);
            }
            let object = timeline.owner[here] as usize;
            // A hit can be worse than a miss that later requests would wait for.
            if let State::Cached(start) = self.states[object]
                && worth[here] + sums[problem.before[here] as usize] < 0.0
            {
                self.stays[start as usize] = false;
                self.leave(problem, object);
            }
            match self.states[object] {
                State::Fetched(miss) if visit < problem.after_miss[miss as usize] => {}
                State::Cached(_) => {
                    if here + 1 < problem.visits(object).end {
                        self.states[object] = State::Cached(visit);
                        self.stays[here] = true;
                        self.heap.push(Reverse((rank(worth[here + 1]), visit)));
                        if self.heap.len() > 2 * self.present + 1024 {
                            let Self { heap, states, .. } = self;
                            heap.retain(|&Reverse((_, s))| {
                                states[timeline.owner[s as usize] as usize] == State::Cached(s)
                            });
                        }
                    } else {
                        self.leave(problem, object);
                    }
                }
                State::Absent | State::Fetched(_) => {
                    latency += problem.delay[here];
                    self.states[object] = State::Fetched(visit);
                }
            }
        }
        latency
    }

    /// After a commit: objects of the least value leave until the rest fits.
    fn make_room(&mut self, problem: &Problem, timeline: &Timeline) {
        let mut left = std::mem::take(&mut self.left);
        while self.occupied > u128::from(problem.capacity) {
            let Some(Reverse((rank, start))) = self.heap.pop() else { break };
            let victim = timeline.owner[start as usize] as usize;
            if self.states[victim] == State::Cached(start) {
                self.stays[start as usize] = false;
                self.leave(problem, victim);
                left.push((rank, start));
            }
        }
        // If a large object was the last to leave, small ones that left before it may fit again.
        for (rank, start) in left.drain(..).rev().skip(1) {
            let object = timeline.owner[start as usize] as usize;
            if self.occupied + u128::from(problem.sizes[object]) <= u128::from(problem.capacity) {
                self.enter(problem, object, rank, start);
            }
        }
        self.left = left;
    }

    fn enter(&mut self, problem: &Problem, object: usize, rank: u64, start: u32) {
        self.states[object] = State::Cached(start);
        self.stays[start as usize] = true;
        self.heap.push(Reverse((rank, start)));
        self.occupied += u128::from(problem.sizes[object]);
        self.present += 1;
    }

    fn leave(&mut self, problem: &Problem, object: usize) {
        self.states[object] = State::Absent;
        self.occupied -= u128::from(problem.sizes[object]);
        self.present -= 1;
    }
}

/// Sorts as the number does.
pub(crate) fn rank(number: f64) -> u64 {
    let bits = number.to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}
