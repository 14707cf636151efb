//! Flows that start and end: they start in a Poisson process, and each sends its packets back to back at its access rate.
//!
//! A network simulator loads a link with flows of a given size in this way, without the feedback of a transport. Several flows that send at
//! once fill the queue, and a flow that is alone leaves it empty. Single packets that arrive in a Poisson process cause no such queues.

use crate::distribution::Distribution;
use crate::tick::{Tick, exponential, to_ps};
use forebay_core::{Rng, Seed, Time};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Calculates the time at which the next packet of the flows arrives.
#[derive(Debug, Clone)]
pub(crate) struct FlowArrivals {
    start_rng: Rng,
    packets_rng: Rng,
    packets: Distribution,
    /// Time between two packets of one flow.
    gap_ps: f64,
    mean_start_gap_ps: f64,
    next_start_ps: f64,
    /// The next packet of every flow that sends, and the flow's place.
    next_packets: BinaryHeap<Reverse<(u64, usize)>>,
    /// The remaining packets of the flow in each place.
    places: Vec<Sending>,
    free_places: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
struct Sending {
    packets_left: u64,
    has_begun: bool,
}

impl FlowArrivals {
    /// Creates the arrivals. `gap_ps` is the time between two packets of one flow, and `mean_gap_ps` the mean time between packets of all
    /// flows together.
    pub(crate) fn new(packets: Distribution, gap_ps: f64, mean_gap_ps: f64, seed: Seed) -> Self {
        assert!(packets.min() >= 1, "a flow has packets");
        let mut flows = Self {
            start_rng: seed.stream("traffic/arrivals"),
            packets_rng: seed.stream("traffic/flow-packets"),
            mean_start_gap_ps: mean_gap_ps * packets.mean(),
            packets,
            gap_ps,
            next_start_ps: 0.0,
            next_packets: BinaryHeap::new(),
            places: Vec::new(),
            free_places: Vec::new(),
        };
        flows.next_start_ps = exponential(&mut flows.start_rng, flows.mean_start_gap_ps);
        flows
    }

    /// Returns the next arrival. Of two arrivals at the same time, a packet of a flow that is already sending precedes the start of a new
    /// flow.
    pub(crate) fn tick(&mut self) -> Tick {
        loop {
            let start_ps = to_ps(self.next_start_ps);
            match self.next_packets.peek() {
                Some(&Reverse((at_ps, place))) if at_ps <= start_ps => return self.send(at_ps, place),
                _ => self.start(start_ps),
            }
        }
    }

    fn start(&mut self, at_ps: u64) {
        let flow = Sending { packets_left: self.packets.draw(&mut self.packets_rng).max(1), has_begun: false };
        let place = self.free_places.pop().unwrap_or(self.places.len());
        if place == self.places.len() {
            self.places.push(flow);
        } else {
            self.places[place] = flow;
        }
        self.next_packets.push(Reverse((at_ps, place)));
        self.next_start_ps += exponential(&mut self.start_rng, self.mean_start_gap_ps);
    }

    fn send(&mut self, at_ps: u64, place: usize) -> Tick {
        self.next_packets.pop();
        let flow = &mut self.places[place];
        let starts = !flow.has_begun;
        flow.has_begun = true;
        flow.packets_left -= 1;
        if flow.packets_left > 0 {
            self.next_packets.push(Reverse((to_ps(at_ps as f64 + self.gap_ps), place)));
        } else {
            self.free_places.push(place);
        }
        Tick { at: Time::from_ps(at_ps), place, starts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn every_flow_sends_its_packets_at_its_pace_in_a_place_of_its_own() {
        // Ten packets a flow, 100 ps apart; a flow starts every 500 ps: two at a time.
        let mut arrivals = FlowArrivals::new(Distribution::constant(10), 100.0, 50.0, Seed(1));
        let mut present: HashMap<usize, (u64, u64)> = HashMap::new();
        let (mut flows, mut last, mut most) = (0, 0, 0);
        for _ in 0..100_000 {
            let Tick { at, place, starts } = arrivals.tick();
            assert!(at.as_ps() >= last, "time runs forwards");
            last = at.as_ps();
            if starts {
                flows += 1;
                assert!(present.insert(place, (last, 1)).is_none(), "the place was free");
            } else {
                let (before, sent) = present[&place];
                assert_eq!(last - before, 100);
                present.insert(place, (last, sent + 1));
            }
            most = most.max(present.len());
            if present[&place].1 == 10 {
                present.remove(&place);
            }
        }
        assert!((9_990..=10_010).contains(&flows) && most >= 5, "{flows} {most}");
        let mean_gap = last as f64 / 100_000.0;
        assert!((mean_gap / 50.0 - 1.0).abs() < 0.03, "{mean_gap}");
    }
}
