//! An attack on the matcher under each scheduler, beside the same traffic without it.

use crate::clock::WorkClock;
use crate::native::{Limits, Pcre2, Search};
use crate::policy::MatcherPolicy;
use crate::processor::{ProcessorOutcome, Run, process};
use crate::rules::Rule;
use crate::traffic::Traffic;
use crate::two_stage::TwoStage;
use forebay_core::{Duration, Seed};
use forebay_sched::DisciplineError;

/// A rule that matches at least this share of innocent payloads is left out. It was written for a part of a request, or
/// is a condition for others, and says nothing about a payload.
pub const NOISY: f64 = 0.05;

/// The rules that match few of these innocent payloads.
#[must_use]
pub fn quiet(pcre2: &Pcre2, rules: &[Rule], innocent: &[Vec<u8>]) -> Vec<Rule> {
    let Some(mut scratch) = pcre2.scratch() else { return Vec::new() };
    let limits = Limits { from: 0, to: usize::MAX, steps: 100_000 };
    let is_quiet = |rule: &&Rule| {
        let Ok(regex) = pcre2.compile(&rule.pattern) else { return true };
        let mut matches = |payload: &&Vec<u8>| regex.search(&mut scratch, payload, limits) == Search::Match;
        let matching = innocent.iter().filter(|payload| matches(payload)).count();
        (matching as f64) < NOISY * innocent.len().max(1) as f64
    };
    rules.iter().filter(is_quiet).cloned().collect()
}

/// How loads and times are chosen.
#[derive(Debug, Clone, Copy)]
pub struct Setup {
    /// Innocent load, as a share of the worker's capacity.
    pub load: f64,
    /// Attack bits for each innocent bit.
    pub attack_share: f64,
    /// How many payloads may wait.
    pub queue: u64,
    /// The learning phase, which is not counted.
    pub learning: Duration,
    /// How long arrivals are counted.
    pub counted: Duration,
    /// How long traffic goes on after that.
    pub grace: Duration,
}

/// A scheduler under the same traffic with and without the attack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// Without the attack.
    pub baseline: ProcessorOutcome,
    /// With it.
    pub attacked: ProcessorOutcome,
}

impl Comparison {
    /// Innocent bytes displaced for each attack byte.
    #[must_use]
    pub fn displacement(&self) -> f64 {
        (self.baseline.innocent_served as f64 - self.attacked.innocent_served as f64)
            / (self.attacked.attack.max(1) as f64)
    }

    /// Innocent goodput as a share of that without the attack.
    #[must_use]
    pub fn goodput(&self) -> f64 {
        self.attacked.innocent_served as f64 / (self.baseline.innocent_served.max(1) as f64)
    }
}

impl Setup {
    /// The run of a scheduler.
    #[must_use]
    pub fn run(&self, policy: MatcherPolicy) -> Run {
        Run { policy, queue: self.queue, learning: self.learning, counted: self.counted, grace: self.grace }
    }

    /// Measures how many of these innocent payloads a second the worker can do under FCFS: the rate at which it is
    /// always busy.
    ///
    /// # Errors
    /// If the queue is too long.
    pub fn capacity(
        &self,
        stages: &mut TwoStage,
        innocent: &[Vec<u8>],
        clock: &mut impl WorkClock,
        seed: Seed,
    ) -> Result<f64, DisciplineError> {
        let mut rate = 0.8 * alone_per_second(stages, innocent, clock);
        // The scheduler and memory cost too: the load that results says how much.
        for _ in 0..2 {
            let traffic = Traffic {
                innocent: innocent.to_vec(),
                attack: Vec::new(),
                innocent_per_second: rate,
                attack_per_second: 0.0,
            };
            let arrivals = traffic.arrivals(seed.part("capacity"));
            let outcome = process(stages, &traffic, arrivals, clock, self.run(MatcherPolicy::Fcfs))?;
            rate *= 0.8 / outcome.load().max(1e-3);
        }
        Ok(rate / 0.8)
    }

    /// The traffic: innocent payloads at this setup's load of a worker of that capacity, and an attack.
    #[must_use]
    pub fn traffic(&self, innocent: &[Vec<u8>], capacity: f64, attack: &[Vec<u8>]) -> Traffic {
        let innocent_per_second = self.load * capacity;
        let bytes = innocent_per_second * mean_bytes(innocent);
        Traffic {
            innocent: innocent.to_vec(),
            attack: attack.to_vec(),
            innocent_per_second,
            attack_per_second: if attack.is_empty() { 0.0 } else { self.attack_share * bytes / mean_bytes(attack) },
        }
    }
}

impl ProcessorOutcome {
    /// Share of its time in which the worker worked.
    #[must_use]
    pub fn load(&self) -> f64 {
        self.work.as_secs_f64() / self.end.as_secs_f64().max(1e-12)
    }
}

/// The mean size of payloads in bytes.
#[must_use]
pub fn mean_bytes(payloads: &[Vec<u8>]) -> f64 {
    payloads.iter().map(Vec::len).sum::<usize>() as f64 / payloads.len().max(1) as f64
}

fn alone_per_second(stages: &mut TwoStage, innocent: &[Vec<u8>], clock: &mut impl WorkClock) -> f64 {
    let before = clock.work();
    for payload in innocent {
        let candidates = stages.candidates(payload);
        crate::job::Job::new(candidates).run(stages, payload, clock);
    }
    innocent.len() as f64 / (clock.work() - before).as_secs_f64().max(1e-9)
}
