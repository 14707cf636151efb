//! Arrival times of packets: Poisson, evenly, from flows that are ON and OFF, or from flows that start and end.

use crate::distribution::Distribution;
use crate::flow_arrivals::FlowArrivals;
use crate::tick::{Tick, exponential, to_ps};
use forebay_core::{Duration, Rng, Seed, Time};
use rand::RngExt;
use rand_distr::{Distribution as _, Exp1};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The arrival process of packets.
#[derive(Debug, Clone)]
pub enum Arrivals {
    /// Independent exponential gaps.
    Poisson,
    /// Equal gaps.
    Constant,
    /// Each flow sends evenly while it is ON and nothing while it is OFF; both
    /// last exponentially long.
    OnOff {
        /// Mean length of an ON period.
        on: Duration,
        /// Mean length of an OFF period.
        off: Duration,
    },
    /// Flows start after a Poisson process; each sends its packets evenly and ends.
    /// At time zero there is none yet.
    Flows {
        /// Packets of a flow; it has at least one.
        packets: Distribution,
        /// The rate at which each flow sends, in bits per second.
        access_rate_bps: f64,
    },
}

/// Calculates the time of the next arrival, and the place of its flow among the flows.
#[derive(Debug, Clone)]
pub(crate) enum Clock {
    Poisson { rng: Rng, now_ps: f64, mean_gap_ps: f64, flows: usize },
    Constant { rng: Rng, now_ps: f64, gap_ps: f64, flows: usize },
    Flows(FlowArrivals),
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
    /// The instant at which the flow has been ON for `gap_ps` more. The rest of a gap at the end of an ON period continues in the next one,
    /// so that the mean rate holds for short periods too.
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
    /// Creates a clock that starts at time zero. `packet_bits` is the mean size of a packet and `mean_rate_bps` the rate of all
    /// `flow_count` flows together.
    pub(crate) fn new(arrivals: &Arrivals, packet_bits: f64, mean_rate_bps: f64, flow_count: u32, seed: Seed) -> Self {
        let flows = flow_count as usize;
        let mean_gap_ps = packet_bits * 1e12 / mean_rate_bps;
        match arrivals {
            Arrivals::Poisson => {
                Self::Poisson { rng: seed.stream("traffic/arrivals"), now_ps: 0.0, mean_gap_ps, flows }
            }
            Arrivals::Constant => {
                let rng = seed.stream("traffic/arrivals");
                Self::Constant { rng, now_ps: 0.0, gap_ps: mean_gap_ps, flows }
            }
            Arrivals::Flows { packets, access_rate_bps } => {
                let gap_ps = packet_bits * 1e12 / access_rate_bps;
                Self::Flows(FlowArrivals::new(packets.clone(), gap_ps, mean_gap_ps, seed))
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

    /// Returns the next arrival.
    pub(crate) fn tick(&mut self) -> Option<Tick> {
        let tick = |ps, place| Some(Tick { at: Time::from_ps(ps), place, starts: false });
        match self {
            Self::Poisson { rng, now_ps, mean_gap_ps, flows } => {
                let gap: f64 = Exp1.sample(rng);
                *now_ps += gap * *mean_gap_ps;
                tick(to_ps(*now_ps), any(rng, *flows))
            }
            Self::Constant { rng, now_ps, gap_ps, flows } => {
                *now_ps += *gap_ps;
                tick(to_ps(*now_ps), any(rng, *flows))
            }
            Self::Flows(flows) => Some(flows.tick()),
            Self::OnOff { flows, states, gap_ps } => {
                let mut soonest = flows.peek_mut()?;
                let Reverse((at, place)) = *soonest;
                *soonest = Reverse((to_ps(states[place].advance(at as f64, *gap_ps)), place));
                tick(at, place)
            }
        }
    }
}

/// Draws one of `flows` flows, each with the same probability.
fn any(rng: &mut Rng, flows: usize) -> usize {
    if flows == 1 { 0 } else { rng.random_range(0..flows) }
}
