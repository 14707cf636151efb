//! Draws the flows of a workload.

use super::arrivals::{ArrivalClock, Arrivals};
use super::hosts::Hosts;
use super::pattern::Pattern;
use super::size::FlowSizes;
use crate::net::flow::{FlowSource, FlowSpec, HostId};
use forebay_core::{Duration, ParamError, Rng, Seed, Time, convert};
use rand::RngExt as _;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A recipe for flows.
#[derive(Debug)]
pub struct Recipe {
    /// The number of the workload, which its flows carry.
    pub number: u16,
    /// The distribution of flow sizes.
    pub sizes: Box<dyn FlowSizes>,
    /// The pattern of senders and receivers.
    pub pattern: Box<dyn Pattern>,
    /// The times of arrivals after `start`.
    pub arrivals: Arrivals,
    /// The time at which the workload begins.
    pub start: Time,
    /// The time after `start` in which arrivals occur, without its end; the pattern's jitter is added. `None`: no end.
    pub duration: Option<Duration>,
    /// The most flows of the workload. `None`: no limit.
    pub flows: Option<u64>,
}

/// Draws the flows of a workload, one at a time.
///
/// Memory is that of the flows of one arrival, or of as many arrivals as fit into the jitter.
#[derive(Debug)]
pub struct Generator {
    workload: Recipe,
    clock: ArrivalClock,
    /// The next arrival; `None` after the last.
    next_arrival: Option<Time>,
    /// Flows that have been drawn and not handed out, the soonest on top.
    drawn: BinaryHeap<Reverse<Drawn>>,
    flows_drawn: u64,
    pairs: Vec<(HostId, HostId)>,
    pairs_rng: Rng,
    sizes_rng: Rng,
    jitter_rng: Rng,
}

/// A drawn flow. Of flows that start at the same time, the flow that was drawn first is the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Drawn {
    start: Time,
    number: u64,
    src: HostId,
    dst: HostId,
    bytes: u64,
}

impl Generator {
    /// Creates a generator. Each workload needs its own `seed`: two workloads of a run need different seeds ([`Seed::part`]).
    ///
    /// # Errors
    /// If the rate, load or interval of the arrivals is zero or invalid.
    pub fn new(workload: Recipe, hosts: &Hosts, seed: Seed) -> Result<Self, ParamError> {
        let capacity_bps = hosts.capacity_bps(workload.pattern.senders());
        let flows = workload.pattern.flows_per_arrival();
        let sizes = if workload.pattern.shares_size() { 1 } else { flows };
        let mean_bytes = workload.sizes.mean_bytes() * sizes as f64;
        let rng = seed.stream("workload/arrivals");
        let clock = ArrivalClock::new(workload.arrivals.clone(), flows, mean_bytes, capacity_bps, rng)?;
        let mut generator = Self {
            clock,
            next_arrival: None,
            drawn: BinaryHeap::new(),
            flows_drawn: 0,
            pairs: Vec::new(),
            pairs_rng: seed.stream("workload/pairs"),
            sizes_rng: seed.stream("workload/sizes"),
            jitter_rng: seed.stream("workload/jitter"),
            workload,
        };
        generator.next_arrival = generator.arrive();
        Ok(generator)
    }

    /// The time of the next arrival, if there is one.
    fn arrive(&mut self) -> Option<Time> {
        if self.workload.flows.is_some_and(|limit| self.flows_drawn >= limit) {
            return None;
        }
        let after = self.clock.next()?;
        let is_within = self.workload.duration.is_none_or(|duration| after < duration);
        let at = self.workload.start + after;
        (is_within && at < Time::MAX).then_some(at)
    }

    /// Draws the flows of an arrival.
    fn draw(&mut self, at: Time) {
        let Self { workload, pairs, .. } = self;
        pairs.clear();
        workload.pattern.next_pairs(&mut self.pairs_rng, pairs);
        let mut parts = pairs.len() as u64;
        let mut total = if workload.pattern.shares_size() { workload.sizes.draw(&mut self.sizes_rng) } else { 0 };
        let jitter_ps = workload.pattern.jitter().as_ps();
        let left = workload.flows.map_or(u64::MAX, |limit| limit - self.flows_drawn);
        for &(src, dst) in pairs.iter().take(convert::saturate(left)) {
            let bytes = if workload.pattern.shares_size() {
                part(&mut total, &mut parts)
            } else {
                workload.sizes.draw(&mut self.sizes_rng)
            };
            let delay_ps = if jitter_ps > 0 { self.jitter_rng.random_range(0..=jitter_ps) } else { 0 };
            let start = at + Duration::from_ps(delay_ps);
            self.drawn.push(Reverse(Drawn { start, number: self.flows_drawn, src, dst, bytes }));
            self.flows_drawn += 1;
        }
    }
}

/// Removes the next of `parts` equal parts of `total`, as equal as possible; a part has at least one byte.
fn part(total: &mut u64, parts: &mut u64) -> u64 {
    if *total == FlowSpec::ENDLESS {
        return FlowSpec::ENDLESS;
    }
    let bytes = total.div_ceil(*parts);
    *total -= bytes;
    *parts -= 1;
    bytes.max(1)
}

impl FlowSource for Generator {
    fn next_flow(&mut self) -> Option<FlowSpec> {
        while let Some(at) = self.next_arrival {
            // What starts before the next arrival, or with it, is before all that the arrival brings.
            if self.drawn.peek().is_some_and(|Reverse(flow)| flow.start <= at) {
                break;
            }
            self.draw(at);
            self.next_arrival = self.arrive();
        }
        let Reverse(Drawn { start, src, dst, bytes, .. }) = self.drawn.pop()?;
        Some(FlowSpec { start, src, dst, bytes, workload: self.workload.number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_to_the_total_and_have_bytes() {
        let split =
            |mut total: u64, mut parts: u64| -> Vec<u64> { (0..parts).map(|_| part(&mut total, &mut parts)).collect() };
        assert_eq!(split(10, 4), [3, 3, 2, 2]);
        assert_eq!(split(2, 3), [1, 1, 1]);
        assert_eq!(split(FlowSpec::ENDLESS, 2), [FlowSpec::ENDLESS; 2]);
        assert_eq!(split(u64::MAX - 1, 7).iter().sum::<u64>(), u64::MAX - 1);
    }
}
