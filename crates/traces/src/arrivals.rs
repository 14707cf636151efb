//! When packets arrive: Poisson, or flows that are ON and OFF.

use forebay_core::{Duration, Rng, Seed, Time};
use rand::RngExt;
use rand_distr::{Distribution as _, Exp1};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// When packets arrive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arrivals {
    /// Independent exponential gaps.
    Poisson,
    /// Each flow sends evenly while it is ON and nothing while it is OFF; both
    /// last exponentially long.
    OnOff {
        /// Mean length of an ON period.
        on: Duration,
        /// Mean length of an OFF period.
        off: Duration,
    },
}

/// Says when the next packet arrives, and from which place among the flows.
#[derive(Debug, Clone)]
pub(crate) enum Clock {
    Poisson { rng: Rng, now_ps: f64, mean_gap_ps: f64, flows: usize },
    OnOff { flows: BinaryHeap<Reverse<(u64, usize)>>, states: Vec<OnOffFlow>, gap_ps: f64 },
}

#[derive(Debug, Clone)]
pub(crate) struct OnOffFlow {
    rng: Rng,
    on_ps: f64,
    off_ps: f64,
    on_until_ps: f64,
}

impl OnOffFlow {
    /// The instant at which the flow has been ON for `gap_ps` more. What is left of
    /// a gap at the end of an ON period is waited for in the next one, so that the
    /// mean rate holds for short periods too.
    fn advance(&mut self, from_ps: f64, gap_ps: f64) -> f64 {
        let mut next = from_ps + gap_ps;
        while next > self.on_until_ps {
            let off = exponential(&mut self.rng, self.off_ps);
            next += off;
            self.on_until_ps += off + exponential(&mut self.rng, self.on_ps);
        }
        next
    }
}

impl Clock {
    /// Starts at time zero; `mean_gap_ps` is the mean time between packets of all
    /// `flow_count` flows together.
    pub(crate) fn new(arrivals: Arrivals, mean_gap_ps: f64, flow_count: u32, seed: Seed) -> Self {
        let flows = flow_count as usize;
        match arrivals {
            Arrivals::Poisson => {
                Self::Poisson { rng: seed.stream("traffic/arrivals"), now_ps: 0.0, mean_gap_ps, flows }
            }
            Arrivals::OnOff { on, off } => {
                let (on_ps, off_ps) = (on.as_ps() as f64, off.as_ps() as f64);
                let share_on = on_ps / (on_ps + off_ps);
                let gap_ps = mean_gap_ps * f64::from(flow_count) * share_on;
                let mut heap = BinaryHeap::with_capacity(flows);
                let states = (0..flows)
                    .map(|place| {
                        let mut rng = seed.stream(&format!("traffic/arrivals/{place}"));
                        // As if it had run for ever: ON with its share of time, at a
                        // random place in the gap.
                        let start = if rng.random_bool(share_on) { 0.0 } else { exponential(&mut rng, off_ps) };
                        let on_until_ps = start + exponential(&mut rng, on_ps);
                        let first_gap = rng.random::<f64>() * gap_ps;
                        let mut flow = OnOffFlow { rng, on_ps, off_ps, on_until_ps };
                        heap.push(Reverse((to_ps(flow.advance(start, first_gap)), place)));
                        flow
                    })
                    .collect();
                Self::OnOff { flows: heap, states, gap_ps }
            }
        }
    }

    /// The next arrival, and the place of its flow.
    pub(crate) fn tick(&mut self) -> Option<(Time, usize)> {
        match self {
            Self::Poisson { rng, now_ps, mean_gap_ps, flows } => {
                let gap: f64 = Exp1.sample(rng);
                *now_ps += gap * *mean_gap_ps;
                let flow = if *flows == 1 { 0 } else { rng.random_range(0..*flows) };
                Some((Time::from_ps(to_ps(*now_ps)), flow))
            }
            Self::OnOff { flows, states, gap_ps } => {
                let mut soonest = flows.peek_mut()?;
                let Reverse((at, place)) = *soonest;
                *soonest = Reverse((to_ps(states[place].advance(at as f64, *gap_ps)), place));
                Some((Time::from_ps(at), place))
            }
        }
    }
}

fn exponential(rng: &mut Rng, mean: f64) -> f64 {
    let unit: f64 = Exp1.sample(rng);
    unit * mean
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn to_ps(ps: f64) -> u64 {
    ps as u64
}
