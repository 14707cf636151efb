//! Branch and bound for small traces, where sizes or bursts leave a gap that no prices close.
//!
//! Prices prove the best fractional schedule, and with sizes this can be far below the best whole one. So the search
//! divides: at one request the object is a hit, or it is not. Each half has its own prices, and its bound is the dual of the
//! shortest paths that obey the decisions made so far. A half is done when no schedule in it can be better than the
//! best schedule known. The half with the lowest bound is divided next.
//!
//! The halves that are not divided further, the *leaves*, cover all schedules. So the least bound of a leaf holds for
//! every schedule, wherever the search stops.

use crate::belatedly::paths::{approximate, prefix_sums};
use crate::belatedly::problem::{Problem, index};
use crate::belatedly::rounding::rank;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::{ControlFlow, Range};

/// Problems with more visits are not divided: a few hundred divisions would do little there.
const MOST_VISITS: usize = 1 << 10;
/// Visits looked at in one search: steps times visits. It limits the search, and not a clock, so that the result does
/// not depend on the machine.
const WORK: usize = 1 << 21;
/// Steps of the ascent of a half.
const STEPS: u32 = 100;
/// Memory of the moments, as in the whole ascent.
const KEEP: f64 = 0.9;
/// The hits of the last steps say which object is half cached: this share of the steps.
const COUNTED: f64 = 0.5;
/// Floats may be wrong by this share of the bound.
const ERROR: f64 = 1e-9;

/// Schedules that have the same outcome at some requests, and prices that bound them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leaf {
    /// Visits, and whether they are hits.
    pub(crate) decisions: Vec<(u32, bool)>,
    /// Of each checkpoint.
    pub(crate) prices: Vec<f64>,
}

impl Leaf {
    /// Of each visit, what was decided.
    pub(crate) fn outcomes(&self, visits: usize) -> Vec<Option<bool>> {
        let mut outcomes = vec![None; visits];
        for &(visit, hit) in &self.decisions {
            outcomes[visit as usize] = Some(hit);
        }
        outcomes
    }
}

/// A half: its leaf so far, its bound, and the visit at which to divide it.
struct Half {
    leaf: Leaf,
    bound: f64,
    divides_at: Option<usize>,
}

/// What finds schedules: gets the worth of being in the cache at each visit and the prefix sums of prices, and returns
/// the lowest latency so far.
pub(crate) type FindSchedule<'a> = &'a mut dyn FnMut(&[f64], &[f64]) -> u64;

/// Divides until the bound meets the lowest latency known, the work is done, or `goes_on` says no. Returns the leaves.
pub(crate) fn divide(
    problem: &Problem,
    prices: &[f64],
    first_step: f64,
    mut upper: u64,
    find: FindSchedule,
    mut goes_on: impl FnMut() -> ControlFlow<()>,
) -> Vec<Leaf> {
    let root = Leaf { decisions: Vec::new(), prices: prices.to_vec() };
    let visits = problem.starts[problem.flexible] as usize;
    if visits > MOST_VISITS || visits == 0 || upper == u64::MAX {
        return vec![root];
    }
    let mut ascent = HalfAscent::new(problem, first_step);
    let mut done = Vec::new();
    let mut open = BinaryHeap::new();
    let mut halves = Vec::new();
    let add = |half: Half, upper: u64, halves: &mut Vec<Half>, open: &mut BinaryHeap<_>, done: &mut Vec<Leaf>| {
        if half.divides_at.is_none() || half.bound > needed(upper) {
            done.push(half.leaf);
        } else {
            open.push(Reverse((rank(half.bound), index(halves.len()))));
            halves.push(half);
        }
    };
    let half = ascent.climb(root, &mut upper, find);
    add(half, upper, &mut halves, &mut open, &mut done);
    let mut left = WORK / (2 * visits * STEPS as usize);
    while let Some(Reverse((_, number))) = open.pop() {
        let half = &mut halves[number as usize];
        let leaf =
            Leaf { decisions: std::mem::take(&mut half.leaf.decisions), prices: std::mem::take(&mut half.leaf.prices) };
        let (true, false, Some(visit)) =
            (left > 0 && goes_on().is_continue(), half.bound > needed(upper), half.divides_at)
        else {
            done.push(leaf);
            continue;
        };
        left -= 1;
        for hit in [true, false] {
            let mut leaf = leaf.clone();
            leaf.decisions.push((index(visit), hit));
            let half = ascent.climb(leaf, &mut upper, find);
            add(half, upper, &mut halves, &mut open, &mut done);
        }
    }
    done
}

/// Above this, a bound proves the upper bound, since the optimum is an integer.
fn needed(upper: u64) -> f64 {
    approximate(upper) - 1.0 + ERROR.max(ERROR * approximate(upper))
}

/// The ascent for one half after the other.
struct HalfAscent<'a> {
    problem: &'a Problem,
    outcomes: Vec<Option<bool>>,
    sums: Vec<f64>,
    changes: Vec<f64>,
    miss: Vec<f64>,
    hit: Vec<f64>,
    worth: Vec<f64>,
    /// How often each visit was a hit.
    hits: Vec<f64>,
    first_step: f64,
}

impl<'a> HalfAscent<'a> {
    fn new(problem: &'a Problem, first_step: f64) -> Self {
        let visits = problem.starts[problem.flexible] as usize;
        let checkpoints = problem.checkpoints();
        Self {
            problem,
            outcomes: Vec::new(),
            sums: vec![0.0; checkpoints + 1],
            changes: vec![0.0; checkpoints + 1],
            miss: vec![0.0; visits],
            hit: vec![0.0; visits],
            worth: vec![0.0; visits],
            hits: vec![0.0; visits],
            first_step,
        }
    }

    /// Finds better prices for a half, and where to divide it.
    fn climb(&mut self, mut leaf: Leaf, upper: &mut u64, find: FindSchedule) -> Half {
        self.outcomes = leaf.outcomes(self.miss.len());
        self.hits.fill(0.0);
        let mut prices = leaf.prices.clone();
        let mut bound = f64::NEG_INFINITY;
        let (mut first, mut second) = (vec![0.0; prices.len()], vec![0.0; prices.len()]);
        let capacity = approximate(self.problem.capacity);
        for step in 0..STEPS {
            let dual = self.evaluate(&prices, f64::from(step) >= (1.0 - COUNTED) * f64::from(STEPS));
            if dual > bound {
                bound = dual;
                leaf.prices.copy_from_slice(&prices);
            }
            if step == 0 || step + 1 == STEPS {
                self.find_worth();
                *upper = find(&self.worth, &self.sums).min(*upper);
            }
            if bound > needed(*upper) {
                break;
            }
            let progress = f64::from(step) / f64::from(STEPS);
            let unbias = 1.0 / (1.0 - KEEP.powf(f64::from(step + 1)));
            let length = self.first_step * (1.0 - progress) * unbias.sqrt();
            let mut occupied = 0.0;
            for (checkpoint, price) in prices.iter_mut().enumerate() {
                occupied += self.changes[checkpoint];
                let excess = occupied - capacity;
                first[checkpoint] = KEEP * first[checkpoint] + (1.0 - KEEP) * excess;
                second[checkpoint] = KEEP * second[checkpoint] + (1.0 - KEEP) * excess * excess;
                *price =
                    (*price + length * first[checkpoint] / (second[checkpoint].sqrt() + f64::MIN_POSITIVE)).max(0.0);
            }
        }
        let divides_at = self.divides_at();
        if divides_at.is_none() && bound <= needed(*upper) {
            bound = bound.max(self.reject(&mut leaf, *upper));
        }
        Half { leaf, bound, divides_at }
    }

    /// The visit that was a hit in about half of the steps; if there is none, the first that nothing was decided of.
    fn divides_at(&self) -> Option<usize> {
        let problem = self.problem;
        let free = (0..problem.flexible).flat_map(|object| {
            let visits = problem.visits(object);
            // The first visit that a fetch serves: none before it can be a hit.
            problem.after_miss[visits.start] as usize..visits.end
        });
        let most = self.hits.iter().copied().fold(0.0, f64::max);
        let distance = |visit: &usize| (self.hits[*visit] - most / 2.0).abs();
        free.filter(|&visit| self.outcomes[visit].is_none()).min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// Everything is decided. If it doesn't fit, a high price where it doesn't rejects it.
    fn reject(&mut self, leaf: &mut Leaf, upper: u64) -> f64 {
        self.evaluate(&leaf.prices, false);
        let mut occupied = 0.0;
        let full = self.changes.iter().position(|change| {
            occupied += change;
            occupied > approximate(self.problem.capacity)
        });
        if let Some(price) = full.and_then(|checkpoint| leaf.prices.get_mut(checkpoint)) {
            *price += approximate(upper) + 1.0;
        }
        self.evaluate(&leaf.prices, false)
    }

    /// The dual of the half; leaves in `changes` the occupancies of its shortest paths. Infinite if no path obeys.
    fn evaluate(&mut self, prices: &[f64], counts: bool) -> f64 {
        let rent = approximate(self.problem.capacity) * prefix_sums(prices, &mut self.sums);
        self.changes.fill(0.0);
        let mut total = approximate(self.problem.fixed) - rent;
        for object in 0..self.problem.flexible {
            let visits = self.problem.visits(object);
            self.fill(object, visits.clone());
            let least = self.miss[visits.start];
            total += least;
            if least < f64::INFINITY {
                self.follow(object, visits, counts);
            }
        }
        total
    }

    /// Least costs from each visit of an object on, as in [`crate::belatedly::paths`], over the paths that obey.
    fn fill(&mut self, object: usize, visits: Range<usize>) {
        let problem = self.problem;
        let size = approximate(problem.sizes[object]);
        for visit in visits.clone().rev() {
            let next = problem.after_miss[visit] as usize;
            let passes = self.outcomes[visit..next].iter().all(|&outcome| outcome != Some(true));
            let rest = if next == visits.end {
                0.0
            } else {
                (self.hit[next] - size * self.sums[problem.commit[visit] as usize]).min(self.miss[next])
            };
            self.miss[visit] = if passes { approximate(problem.delay[visit]) + rest } else { f64::INFINITY };
            let here = size * self.sums[problem.before[visit] as usize];
            let found =
                if visit + 1 < visits.end { self.hit[visit + 1].min(self.miss[visit + 1] + here) } else { here };
            self.hit[visit] = if self.outcomes[visit] == Some(false) { f64::INFINITY } else { found };
        }
    }

    /// The cheapest path of an object.
    fn follow(&mut self, object: usize, visits: Range<usize>, counts: bool) {
        let problem = self.problem;
        let size = approximate(problem.sizes[object]);
        let mut visit = visits.start;
        while visit < visits.end {
            let from = problem.commit[visit] as usize;
            visit = problem.after_miss[visit] as usize;
            if visit == visits.end {
                break;
            }
            if self.hit[visit] - size * self.sums[from] < self.miss[visit] {
                self.hits[visit] += f64::from(u8::from(counts));
                while visit + 1 < visits.end && self.hit[visit] == self.hit[visit + 1] {
                    visit += 1;
                    self.hits[visit] += f64::from(u8::from(counts));
                }
                self.changes[from] += size;
                self.changes[problem.before[visit] as usize] -= size;
                visit += 1;
            }
        }
    }

    /// What being in the cache is worth at each visit, per unit of size, as rounding needs it.
    fn find_worth(&mut self) {
        for object in 0..self.problem.flexible {
            let size = approximate(self.problem.sizes[object]);
            for visit in self.problem.visits(object) {
                let worth = (self.miss[visit] - self.hit[visit]) / size;
                self.worth[visit] = if worth.is_nan() { 0.0 } else { worth };
            }
        }
    }
}
