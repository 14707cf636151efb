//! Searches for the attack that does the most harm, without knowledge of the policy.
//!
//! Differential evolution (Storn and Price, 1997) over packet size, job size, flows, mixtures of several kinds of packets, timing and rate.
//! The caller asks for candidates and reports their scores. So the caller decides how candidates are tried, on how many cores and for how
//! long. The search begins with one kind of packet sent evenly, continues with timing and flows, then with mixtures, and then restarts
//! elsewhere. It keeps the best attack of all.
//!
//! A score holds for the traffic of its trial, and the best of many scores is partly luck, above all where the timing can be fitted to this
//! traffic. So try the [`finalists`](Search::finalists) on other seeds, choose among them, and measure the chosen on further ones.

mod space;
mod target;

pub use space::{Candidate, Space};
pub use target::{Harm, Target};

use forebay_core::{Rng, Seed};
use rand::RngExt as _;
use space::{Point, Stage};

/// Returns the displacement, plus hints that lead a search to attacks with any displacement at all.
///
/// Most attacks do no harm, so their displacement does not tell them apart. Harmful attacks keep the servers busy (`busy`, share of their
/// time) and are served themselves (`served`, share of the attack's bits). Both shares add a little to the score.
#[must_use]
pub fn score(displacement: f64, busy: f64, served: f64) -> f64 {
    const HINT: f64 = 1e-3;
    displacement + HINT * (busy.min(1.0) + served.min(1.0))
}

/// The state of a search.
#[derive(Debug)]
pub struct Search {
    space: Space,
    rng: Rng,
    stage: usize,
    /// The points with their scores; points of a new stage have no scores yet.
    population: Vec<(Point, f64)>,
    /// The points of the last [`Search::ask`], one for each member of the population.
    asked: Vec<Point>,
    best: Option<(Point, f64)>,
    /// The best of the stage.
    leader: Option<(Point, f64)>,
    /// The leaders of stages that have ended.
    leaders: Vec<(Point, f64)>,
    /// Generations since the stage's best has improved.
    stale: u32,
}

/// Members of the population for each free coordinate, and the least and most in all.
const MEMBERS_PER_COORDINATE: usize = 6;
const MEMBERS: (usize, usize) = (16, 64);
/// Generations without a better attack after which a stage ends.
const PATIENCE: u32 = 12;
/// A score counts as better from this share on.
const BETTER: f64 = 1e-3;
/// The share of the range of a new coordinate that lies beyond each limit and is clamped to it. The best attacks often consist of the least
/// or the most that is allowed.
const AT_LIMITS: f64 = 0.2;
/// The number of members of a new stage that are near the best attack so far.
const NEAR_BEST: usize = 4;

impl Search {
    /// Creates a search that depends only on `space` and `seed`.
    #[must_use]
    pub fn new(space: Space, seed: Seed) -> Self {
        let mut search = Self {
            space,
            rng: seed.stream("search"),
            stage: 0,
            population: Vec::new(),
            asked: Vec::new(),
            best: None,
            leader: None,
            leaders: Vec::new(),
            stale: 0,
        };
        search.begin_stage();
        search
    }

    /// Returns the attacks to be tried next.
    pub fn ask(&mut self) -> Vec<Candidate> {
        let fresh = self.population.iter().any(|(_, score)| score.is_nan());
        self.asked = if fresh {
            self.population.iter().map(|(point, _)| point.clone()).collect()
        } else {
            (0..self.population.len()).map(|member| self.offspring(member)).collect()
        };
        self.asked.iter().map(|point| self.space.candidate(point)).collect()
    }

    /// Reports the scores of the attacks in the order of [`ask`](Self::ask); a higher score is worse for the victim. Scores that are not
    /// numbers count as harmless.
    ///
    /// # Panics
    /// If there is not one score for each candidate.
    pub fn tell(&mut self, scores: &[f64]) {
        assert_eq!(scores.len(), self.asked.len(), "one score for each candidate");
        let before = self.leader.as_ref().map(|(_, score)| *score);
        for (member, (point, &score)) in self.asked.drain(..).zip(scores).enumerate() {
            let score = if score.is_nan() { f64::NEG_INFINITY } else { score };
            for best in [&mut self.best, &mut self.leader] {
                if best.as_ref().is_none_or(|(_, best)| score > *best) {
                    *best = Some((point.clone(), score));
                }
            }
            if self.population[member].1.is_nan() || score >= self.population[member].1 {
                self.population[member] = (point, score);
            }
        }
        let now = self.leader.as_ref().map_or(f64::NEG_INFINITY, |(_, score)| *score);
        let improved = before.is_none_or(|before| now > before + before.abs() * BETTER);
        self.stale = if improved { 0 } else { self.stale + 1 };
        if self.stale >= PATIENCE {
            self.leaders.extend(self.leader.take());
            self.stage = (self.stage + 1) % Stage::ALL.len();
            self.begin_stage();
        }
    }

    /// Returns the best attacks of up to `most` stages, the most harmful first.
    #[must_use]
    pub fn finalists(&self, most: usize) -> Vec<(Candidate, f64)> {
        let mut all: Vec<&(Point, f64)> = self.leaders.iter().chain(&self.leader).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.into_iter().take(most).map(|(point, score)| (self.space.candidate(point), *score)).collect()
    }

    /// The most harmful attack so far, and its score.
    #[must_use]
    pub fn best(&self) -> Option<(Candidate, f64)> {
        self.best.as_ref().map(|(point, score)| (self.space.candidate(point), *score))
    }

    fn begin_stage(&mut self) {
        let stage = Stage::ALL[self.stage];
        let free = self.space.free(stage);
        let members = (free.len() * MEMBERS_PER_COORDINATE).clamp(MEMBERS.0, MEMBERS.1);
        // The first stage always begins anew.
        let near = if self.stage == 0 { 0 } else { NEAR_BEST };
        self.population = (0..members)
            .map(|member| {
                let known = self.best.as_ref().filter(|_| member < near).map(|(point, _)| point.clone());
                let mut point = known.clone().unwrap_or_else(|| self.space.plain());
                for &coordinate in &free {
                    let somewhere = self.rng.random_range(-AT_LIMITS..1.0 + AT_LIMITS);
                    point[coordinate] = match known {
                        // The first is the best attack itself.
                        Some(_) if member == 0 => point[coordinate],
                        Some(_) => (point[coordinate] + 0.1 * (somewhere - 0.5)).clamp(0.0, 1.0),
                        None => somewhere.clamp(0.0, 1.0),
                    };
                }
                (point, f64::NAN)
            })
            .collect();
        self.stale = 0;
    }

    /// The offspring of a member: it moves towards the best of the population and along the difference of two others, in some of its
    /// coordinates.
    fn offspring(&mut self, member: usize) -> Point {
        let members = self.population.len();
        let free = self.space.free(Stage::ALL[self.stage]);
        let best = (0..members).max_by(|&a, &b| self.population[a].1.total_cmp(&self.population[b].1)).unwrap_or(0);
        let (one, other) = (self.rng.random_range(0..members), self.rng.random_range(0..members));
        let step = 0.3 + 0.6 * self.rng.random::<f64>();
        let pull = step * self.rng.random::<f64>();
        let certain = free[self.rng.random_range(0..free.len())];
        let mut point = self.population[member].0.clone();
        for coordinate in free {
            if coordinate == certain || self.rng.random_bool(0.8) {
                let at = |who: usize| self.population[who].0[coordinate];
                let moved = at(member) + pull * (at(best) - at(member)) + step * (at(one) - at(other));
                point[coordinate] = moved.clamp(0.0, 1.0);
            }
        }
        point
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::fluid;
    use crate::attack::jobs::{Job, Jobs};
    use crate::attack::optimal::{self, Order, Setting};
    use crate::attack::quantity::Quantity;
    use forebay_core::Duration;

    fn sample() -> Vec<Job> {
        Jobs::Independent {
            size_bytes: Quantity::Normal { mean: 1_250.0, deviation: 100.0, min: 64.0, max: 9_000.0 },
            work_ns: Quantity::Normal { mean: 1_000.0, deviation: 100.0, min: 1.0, max: 10_000.0 },
        }
        .sample(2_000)
    }

    fn space(attack_bps: f64) -> Space {
        Space {
            rate_bps: (attack_bps, attack_bps),
            size_bytes: (64, 1_500),
            work: (Duration::from_ns(1), Duration::from_us(10)),
            flows: 1_000,
            period: (Duration::from_us(10), Duration::from_ms(10)),
            kinds: 3,
        }
    }

    /// The score in the fluid model, which knows nothing of timing and flows.
    fn fluid_score(order: Order, setting: &Setting<'_>, candidate: &Candidate) -> f64 {
        let total: f64 = candidate.attack.strategies.iter().map(|one| one.share).sum();
        let kinds: Vec<(Job, f64)> =
            candidate.attack.strategies.iter().map(|one| (one.job, candidate.rate_bps * one.share / total)).collect();
        let without = fluid::serve(order, setting, &[]);
        let with = fluid::serve(order, setting, &kinds);
        let displacement = (without.goodput_bps - with.goodput_bps) / candidate.rate_bps;
        score(displacement, with.busy, with.attack_bps / candidate.rate_bps)
    }

    #[test]
    fn it_finds_what_the_closed_forms_say() {
        let sample = sample();
        for (innocent_bps, attack_bps) in [(5e9, 0.4e9), (9e9, 0.2e9), (9e9, 2e9)] {
            for order in [Order::Work, Order::Ratio] {
                let max_work = Duration::from_us(10);
                let setting =
                    Setting { sample: &sample, innocent_bps, attack_bps, min_bytes: 64, max_work, servers: 1 };
                let mut search = Search::new(space(attack_bps), Seed(1));
                for _ in 0..80 {
                    let scores: Vec<f64> = search.ask().iter().map(|one| fluid_score(order, &setting, one)).collect();
                    search.tell(&scores);
                }
                let found = search.best().map_or(0.0, |(_, score)| score);
                let attack = crate::attack::traffic::Attack::steady(optimal::attack(order, &setting));
                let best = fluid_score(order, &setting, &Candidate { attack, rate_bps: attack_bps });
                assert!(found >= 0.98 * best, "{order:?} {innocent_bps} {attack_bps}: {found} of {best}");
                assert!(found <= 1.02 * best + 1e-3, "{order:?} {innocent_bps} {attack_bps}: {found} of {best}");
            }
        }
    }

    #[test]
    fn the_same_seed_asks_for_the_same_attacks() {
        let asked = |seed| {
            let mut search = Search::new(space(1e9), Seed(seed));
            let first = search.ask();
            search.tell(&first.iter().map(|one| one.attack.strategies[0].job.ratio()).collect::<Vec<_>>());
            (first, search.ask())
        };
        assert_eq!(asked(1), asked(1));
        assert_ne!(asked(1).0, asked(2).0);
    }

    #[test]
    fn stages_follow_each_other_and_the_best_stays() {
        let mut search = Search::new(space(1e9), Seed(1));
        let mut best = f64::NEG_INFINITY;
        let mut seen = [false; 3];
        for _ in 0..200 {
            seen[search.stage] = true;
            let scores: Vec<f64> =
                search.ask().iter().map(|one| -f64::from(one.attack.strategies[0].job.size_bytes)).collect();
            best = scores.iter().copied().fold(best, f64::max);
            search.tell(&scores);
            assert!((search.best().unwrap().1 - best).abs() < f64::EPSILON);
            let finalists = search.finalists(5);
            assert!((finalists[0].1 - best).abs() < f64::EPSILON);
            assert!(finalists.is_sorted_by(|a, b| a.1 >= b.1) && finalists.len() <= 5);
        }
        assert_eq!(seen, [true; 3]);
    }
}
