//! How slow the machine is now, relative to before.
//!
//! CPU time leaves out what other programs run, but not what they take away meanwhile. Where two threads share a core,
//! or many its caches and its frequency, the same work takes more CPU time when the other one is busy. A load that was
//! chosen on a quiet machine is then higher, and above 1 everything is displaced, with an attack or without.

use crate::clock::WorkClock;
use crate::job::Job;
use crate::two_stage::TwoStage;
use forebay_core::Duration;

/// The time that a sample should take, so that it covers more than a moment.
const SAMPLE: Duration = Duration::from_ms(50);

/// Payloads at most, should the clock stand still.
const MOST: usize = 100_000;

/// A sample of work, and its cost at first.
#[derive(Debug, Clone)]
pub struct Pace {
    sample: Vec<Vec<u8>>,
    reference: Duration,
}

impl Pace {
    /// Takes so many of these payloads, in turn, that they cost some 50 ms now.
    #[must_use]
    pub fn new(stages: &mut TwoStage, payloads: &[Vec<u8>], clock: &mut impl WorkClock) -> Self {
        let begin = clock.work();
        let mut pace = Self { sample: Vec::new(), reference: Duration::ZERO };
        for payload in payloads.iter().cycle().take(MOST) {
            serve(stages, payload, clock);
            pace.sample.push(payload.clone());
            if clock.work() - begin >= SAMPLE {
                break;
            }
        }
        pace.reference = pace.cost(stages, clock);
        pace
    }

    /// The cost of the sample now, as a multiple of its first cost: above 1 the machine has become slower.
    #[must_use]
    pub fn now(&self, stages: &mut TwoStage, clock: &mut impl WorkClock) -> f64 {
        if self.reference == Duration::ZERO {
            return 1.0;
        }
        self.cost(stages, clock).as_secs_f64() / self.reference.as_secs_f64()
    }

    fn cost(&self, stages: &mut TwoStage, clock: &mut impl WorkClock) -> Duration {
        let begin = clock.work();
        for payload in &self.sample {
            serve(stages, payload, clock);
        }
        clock.work() - begin
    }
}

fn serve(stages: &mut TwoStage, payload: &[u8], clock: &mut impl WorkClock) {
    let candidates = stages.candidates(payload);
    Job::new(candidates).run(stages, payload, clock);
}
