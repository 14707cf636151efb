//! Looks for payloads that cost the second stage most per byte: tokens, repeated.
//!
//! A payload is a start, a token many times, another token many times, and an end. The search first tries every token
//! alone, then pairs of those that cost most, and then changes the best step by step. The order depends on the seed and
//! on the measurements.

use crate::clock::WorkClock;
use crate::job::Job;
use crate::tokens::tokens;
use crate::two_stage::TwoStage;
use crate::variety::variety;
use forebay_core::{Duration, Rng, Seed};
use rand::RngExt as _;
use std::collections::BTreeSet;

/// How many of the tokens that cost most alone are put together with others.
const GOOD_TOKENS: usize = 24;

/// How many of the best are changed further.
const PARENTS: usize = 4;

/// A payload of this class or a higher one is varied: as varied as innocent payloads are.
const VARIED: usize = 6;

/// Changes whenever the search does, so that kept attacks can be told from those that the search would find now.
pub const SEARCH_REVISION: u32 = 6;

/// The limits of a search.
#[derive(Debug, Clone, Copy)]
pub struct SearchLimits {
    /// Shortest and longest payload, in bytes.
    pub bytes: (usize, usize),
    /// The most work that may be measured in all.
    pub work: Duration,
}

/// A payload that was found, with its measurements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attack {
    /// The payload.
    pub payload: Vec<u8>,
    /// Work of the second stage, the least of several runs.
    pub cost: Duration,
    /// The rule that costs most of it.
    pub rule: u32,
    /// Whether it is as varied as innocent payloads are, which hides it from an estimator that
    /// looks for repetition.
    pub is_varied: bool,
}

impl Attack {
    /// Nanoseconds per byte in the second stage.
    #[must_use]
    pub fn ns_per_byte(&self) -> f64 {
        // Payloads are short: the number is exact.
        self.cost.as_ns_f64() / self.payload.len().max(1) as f64
    }
}

/// The recipe of a payload: numbers of tokens.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Recipe {
    start: Option<usize>,
    tokens: Vec<usize>,
    order: Order,
    end: Option<usize>,
    bytes: usize,
}

/// How tokens follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    /// Each token many times, then the next.
    Blocks,
    /// Drawn from this seed.
    Shuffled(u64),
}

impl Recipe {
    fn alone(token: usize, bytes: usize) -> Self {
        Self { start: None, tokens: vec![token], order: Order::Blocks, end: None, bytes }
    }

    fn payload(&self, tokens: &[Vec<u8>]) -> Vec<u8> {
        let piece = |index: Option<usize>| index.map_or(&[][..], |index| tokens[index].as_slice());
        let (start, end) = (piece(self.start), piece(self.end));
        let middle = self.bytes.saturating_sub(start.len() + end.len());
        let mut body = Vec::with_capacity(middle);
        match self.order {
            Order::Blocks => {
                for (index, token) in self.tokens.iter().enumerate() {
                    let until = middle * (index + 1) / self.tokens.len();
                    body.extend(tokens[*token].iter().copied().cycle().take(until.saturating_sub(body.len())));
                }
            }
            Order::Shuffled(seed) => {
                let mut rng = Seed(seed).stream("order");
                while body.len() < middle {
                    body.extend(&tokens[self.tokens[rng.random_range(0..self.tokens.len())]]);
                }
                body.truncate(middle);
            }
        }
        [start, &body, end].concat()
    }
}

struct Found {
    recipe: Recipe,
    attack: Attack,
}

struct Hunt<'h, C> {
    stages: &'h mut TwoStage,
    clock: &'h mut C,
    tokens: Vec<Vec<u8>>,
    limits: SearchLimits,
    tried: BTreeSet<Recipe>,
    begin: Duration,
    /// The best for each rule, varied and not, short and not, best first.
    best: Vec<Found>,
}

/// Searches for the most expensive payloads, best first. It looks at short ones, since those are
/// measured fast, and then lets the best of each rule grow.
#[must_use]
pub fn search(stages: &mut TwoStage, clock: &mut impl WorkClock, seed: Seed, limits: SearchLimits) -> Vec<Attack> {
    let tokens = tokens(stages.rules());
    let begin = clock.work();
    let mut hunt = Hunt { stages, clock, tokens, limits, tried: BTreeSet::new(), begin, best: Vec::new() };
    let alone = hunt.tokens_alone();
    hunt.long(&alone);
    hunt.pairs(&alone);
    let mut rng = seed.stream("attack");
    hunt.mixtures(&alone, &mut rng);
    hunt.climb(&mut rng);
    hunt.grow();
    hunt.best.into_iter().map(|found| found.attack).collect()
}

impl<C: WorkClock> Hunt<'_, C> {
    /// Share of the work that is used up.
    fn used(&mut self) -> f64 {
        (self.clock.work() - self.begin).as_ns_f64() / self.limits.work.as_ns_f64().max(1.0)
    }

    /// Every token alone; returns the tokens, the most expensive first.
    fn tokens_alone(&mut self) -> Vec<usize> {
        let mut costs = Vec::new();
        for token in 0..self.tokens.len() {
            if self.used() > 0.2 {
                break;
            }
            let bytes = self.limits.bytes.0;
            let cost = self.try_out(&Recipe::alone(token, bytes));
            costs.push((cost.unwrap_or(0.0), token));
        }
        costs.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut order = Vec::new();
        for (_, token) in costs {
            if !order.contains(&token) {
                order.push(token);
            }
        }
        order
    }

    /// The best tokens in long payloads, whose cost may grow faster than that of better ones.
    fn long(&mut self, order: &[usize]) {
        for &token in order.iter().take(GOOD_TOKENS) {
            if self.used() > 0.4 {
                return;
            }
            self.try_out(&Recipe::alone(token, self.limits.bytes.1));
        }
    }

    /// Tokens at the start of others, and halves of both.
    fn pairs(&mut self, order: &[usize]) {
        for &first in order.iter().take(GOOD_TOKENS) {
            for other in 0..self.tokens.len() {
                if self.used() > 0.6 {
                    return;
                }
                let plain = Recipe::alone(first, self.limits.bytes.0);
                self.try_out(&Recipe { start: Some(other), ..plain.clone() });
                self.try_out(&Recipe { tokens: vec![first, other], ..plain });
            }
        }
    }

    /// Some of the good tokens and of the single characters, shuffled.
    fn mixtures(&mut self, order: &[usize], rng: &mut Rng) {
        let mut good = order[..order.len().min(GOOD_TOKENS)].to_vec();
        good.extend((0..self.tokens.len()).filter(|token| self.tokens[*token].len() == 1));
        for seed in 0..50_000 {
            if good.is_empty() || self.used() > 0.75 {
                return;
            }
            let tokens = (0..rng.random_range(2..6)).map(|_| good[rng.random_range(0..good.len())]).collect();
            let plain = Recipe::alone(0, self.limits.bytes.0);
            self.try_if(&Recipe { tokens, order: Order::Shuffled(seed), ..plain }, true);
        }
    }

    /// Changes one of the best, every other time one of the best that are varied, and keeps improvements.
    fn climb(&mut self, rng: &mut Rng) {
        // A change that was tried already costs nothing, so that the work alone does not end this.
        let mut changes = 0;
        while !self.best.is_empty() && changes < 100_000 && self.used() < 0.9 {
            changes += 1;
            let want_varied = changes % 2 == 0;
            let kind = self.best.iter().filter(|found| found.attack.is_varied || !want_varied).take(PARENTS);
            let parents: Vec<&Recipe> = kind.map(|found| &found.recipe).collect();
            if parents.is_empty() {
                continue;
            }
            let mut recipe = parents[rng.random_range(0..parents.len())].clone();
            let token = rng.random_range(0..self.tokens.len());
            let place = rng.random_range(0..recipe.tokens.len());
            match rng.random_range(0..6) {
                0 => recipe.start = Some(token),
                1 => recipe.tokens[place] = token,
                2 => recipe.tokens.push(token),
                3 if recipe.tokens.len() > 1 => _ = recipe.tokens.remove(place),
                4 => recipe.order = Order::Shuffled(changes),
                _ => recipe.end = rng.random_bool(0.7).then_some(token),
            }
            self.try_if(&recipe, want_varied);
        }
    }

    /// The best of each rule in other lengths.
    fn grow(&mut self) {
        const LENGTHS: usize = 3;
        let varied = self.best.iter().filter(|found| found.attack.is_varied).take(PARENTS);
        let recipes: Vec<Recipe> =
            self.best.iter().take(PARENTS).chain(varied).map(|found| found.recipe.clone()).collect();
        let (shortest, longest) = self.limits.bytes;
        for recipe in recipes {
            for step in 1..=LENGTHS {
                let bytes = shortest + (longest - shortest) * step / LENGTHS;
                self.try_out(&Recipe { bytes, ..recipe.clone() });
            }
        }
    }

    /// Measures a payload unless it was measured before, and keeps it if it is the best of its rule. Returns its cost
    /// per byte in nanoseconds.
    fn try_out(&mut self, recipe: &Recipe) -> Option<f64> {
        self.try_if(recipe, false)
    }

    /// As [`try_out`](Self::try_out), but measures only varied payloads if `want_varied`: others may take a thousand
    /// times longer to measure.
    fn try_if(&mut self, recipe: &Recipe, want_varied: bool) -> Option<f64> {
        if !self.tried.insert(recipe.clone()) {
            return None;
        }
        let payload = recipe.payload(&self.tokens);
        if want_varied && variety(&payload) < VARIED {
            return None;
        }
        let candidates = self.stages.candidates(&payload);
        let mut attack = self.measured(&payload, &candidates)?;
        let middle = self.limits.bytes.0.midpoint(self.limits.bytes.1);
        let kind = |attack: &Attack| (attack.rule, attack.is_varied, attack.payload.len() < middle);
        let place = self.best.iter().position(|found| kind(&found.attack) == kind(&attack));
        let is_better = |attack: &Attack, best: &[Found]| {
            place.is_none_or(|place| attack.ns_per_byte() > 1.02 * best[place].attack.ns_per_byte())
        };
        if is_better(&attack, &self.best) {
            // A single measurement may be disturbed; the least of three is kept.
            for _ in 0..2 {
                attack.cost = attack.cost.min(self.measured(&payload, &candidates)?.cost);
            }
            if is_better(&attack, &self.best) {
                let found = Found { recipe: recipe.clone(), attack: attack.clone() };
                match place {
                    Some(place) => self.best[place] = found,
                    None => self.best.push(found),
                }
                self.best.sort_by(|a, b| b.attack.ns_per_byte().total_cmp(&a.attack.ns_per_byte()));
            }
        }
        Some(attack.ns_per_byte())
    }

    /// `None` if no rule is a candidate. A payload that a rule matches in the end is an attack as well: the work until
    /// then is done.
    fn measured(&mut self, payload: &[u8], candidates: &[u32]) -> Option<Attack> {
        let mut job = Job::new(candidates.to_vec());
        job.run(self.stages, payload, self.clock);
        let (rule, _) = job.costs().max_by_key(|(_, cost)| *cost)?;
        let is_varied = variety(payload) >= VARIED;
        Some(Attack { payload: payload.to_vec(), cost: job.spent(), rule, is_varied })
    }
}
