//! A scheduler with and without attacks, at a load that follows the machine's pace.

use crate::Result;
use forebay_core::{Duration, Seed};
use forebay_matcher::{
    Attack, Comparison, MatcherPolicy, Pace, ProcessorOutcome, Run, Setup, Traffic, TwoStage, process,
};

/// A repetition counts as disturbed if the machine has become slower or faster by this factor in its course.
const STEADY: f64 = 1.15;

/// A disturbed repetition is done anew, so often in all.
const ATTEMPTS: usize = 3;

/// The capacity of the matcher, at the pace at which it was measured.
pub(crate) struct Capacity<'i> {
    pub(crate) payloads_per_second: f64,
    innocent: &'i [Vec<u8>],
    pace: Pace,
}

impl<'i> Capacity<'i> {
    pub(crate) fn measure(
        setup: &Setup,
        stages: &mut TwoStage,
        innocent: &'i [Vec<u8>],
        clock: &mut impl FnMut() -> Duration,
    ) -> Result<Self> {
        let pace = Pace::new(stages, innocent, clock);
        let measured = setup.capacity(stages, innocent, clock, Seed(1))?;
        let mean_pace = pace.now(stages, clock).midpoint(1.0);
        Ok(Self { payloads_per_second: measured * mean_pace, innocent, pace })
    }

    /// The load and the attack of this setup, for a machine of that pace.
    fn traffic(&self, setup: &Setup, pace: f64, attack: &[Vec<u8>]) -> Traffic {
        setup.traffic(self.innocent, self.payloads_per_second / pace, attack)
    }
}

/// One repetition with each attack.
struct Repetition {
    baseline: ProcessorOutcome,
    attacked: Vec<ProcessorOutcome>,
    is_disturbed: bool,
}

/// A repetition with one attack.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Compared {
    pub(crate) comparison: Comparison,
    /// Whether the machine changed its pace meanwhile, as often as it was tried.
    pub(crate) is_disturbed: bool,
}

/// The attacks that are sent: the worst, and the worst of those that are as varied as innocent payloads.
fn chosen(attacks: &[Attack]) -> Vec<(&'static str, &Attack)> {
    let worst = attacks.first().map(|attack| ("worst", attack));
    let varied = attacks.iter().find(|attack| attack.is_varied).map(|attack| ("varied", attack));
    worst.into_iter().chain(varied).collect()
}

/// The scheduler without attack and under each attack, the same innocent traffic each time.
pub(crate) fn compare(
    policy: MatcherPolicy,
    setup: &Setup,
    seeds: u64,
    capacity: &Capacity<'_>,
    stages: &mut TwoStage,
    attacks: &[Attack],
    clock: &mut impl FnMut() -> Duration,
) -> Result<Vec<(&'static str, Vec<Compared>)>> {
    let chosen = chosen(attacks);
    let mut all: Vec<_> = chosen.iter().map(|&(name, _)| (name, Vec::new())).collect();
    for seed in 0..seeds {
        let seed = Seed(1).part(&format!("repetition {seed}"));
        let repetition = repeat(policy, setup, seed, capacity, stages, &chosen, clock)?;
        for ((_, compared), attacked) in all.iter_mut().zip(repetition.attacked) {
            let comparison = Comparison { baseline: repetition.baseline, attacked };
            compared.push(Compared { comparison, is_disturbed: repetition.is_disturbed });
        }
    }
    Ok(all)
}

/// One repetition, again if it was disturbed.
fn repeat(
    policy: MatcherPolicy,
    setup: &Setup,
    seed: Seed,
    capacity: &Capacity<'_>,
    stages: &mut TwoStage,
    attacks: &[(&str, &Attack)],
    clock: &mut impl FnMut() -> Duration,
) -> Result<Repetition> {
    // Without an attack nothing waits for long.
    let baseline_grace = setup.grace.min(Duration::from_ms(200));
    let payloads = attacks.iter().map(|(_, attack)| std::slice::from_ref(&attack.payload));
    let runs: Vec<_> =
        std::iter::once((&[][..], baseline_grace)).chain(payloads.map(|payload| (payload, setup.grace))).collect();
    let mut attempt = 1;
    loop {
        let pace = capacity.pace.now(stages, clock);
        let mut outcomes = Vec::new();
        let mut is_disturbed = false;
        for (attack, grace) in &runs {
            let traffic = capacity.traffic(setup, pace, attack);
            let run = Run { grace: *grace, ..setup.run(policy) };
            outcomes.push(process(stages, &traffic, traffic.arrivals(seed), clock, run)?);
            let change = capacity.pace.now(stages, clock) / pace;
            is_disturbed |= !(1.0 / STEADY..=STEADY).contains(&change);
            if is_disturbed && attempt < ATTEMPTS {
                eprintln!("{}: the same work takes {change:.2} times as long as before; repeating", policy.name());
                break;
            }
        }
        if !is_disturbed || attempt == ATTEMPTS {
            let baseline = outcomes.remove(0);
            return Ok(Repetition { baseline, attacked: outcomes, is_disturbed });
        }
        attempt += 1;
    }
}
