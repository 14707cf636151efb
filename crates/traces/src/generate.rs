//! Makes packets: Poisson or ON/OFF arrivals at a given mean rate.
//!
//! Each field draws from a stream of its own, so that changing the distribution of
//! ranks leaves arrivals, sizes and classes as they were.

use crate::distribution::Distribution;
use forebay_core::{ClassId, Duration, Field, Fields, FlowId, Packet, Rng, Seed, Source, Time};
use rand::RngExt;
use rand_distr::weighted::WeightedAliasIndex;
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

/// A recipe for traffic.
#[derive(Debug, Clone)]
pub struct TrafficSpec {
    /// When packets arrive.
    pub arrivals: Arrivals,
    /// Mean rate in bits per second over all flows.
    pub mean_rate_bps: f64,
    /// Packets that are made at most.
    pub max_packets: u64,
    /// No packet arrives after this.
    pub until: Time,
    /// Flows that send at the same time.
    pub flows: u32,
    /// Bytes of a packet.
    pub size_bytes: Distribution,
    /// Bytes of a flow; when they are sent, a new flow takes its place. `None`:
    /// flows never end.
    pub flow_bytes: Option<Distribution>,
    /// Classes and their shares of packets. Every flow stays in one class.
    pub classes: Vec<(ClassId, f64)>,
    /// Ranks, if packets carry them.
    pub rank: Option<Distribution>,
    /// Values, if packets carry them.
    pub value: Option<Distribution>,
    /// Job sizes in nanoseconds, if packets have them.
    pub processing_ns: Option<Distribution>,
    /// Slacks in nanoseconds, if packets have them.
    pub slack_ns: Option<Distribution>,
}

/// Makes packets after a [`TrafficSpec`].
#[derive(Debug, Clone)]
pub struct Generator {
    spec: TrafficSpec,
    clock: Clock,
    flows: Vec<ActiveFlow>,
    next_flow: u32,
    next_id: u64,
    class_shares: WeightedAliasIndex<f64>,
    size_rng: Rng,
    flow_rng: Rng,
    rank_rng: Rng,
    value_rng: Rng,
    processing_rng: Rng,
    slack_rng: Rng,
}

#[derive(Debug, Clone, Copy)]
struct ActiveFlow {
    id: FlowId,
    class: ClassId,
    remaining_bytes: u64,
}

/// Says when the next packet arrives, and from which place among the flows.
#[derive(Debug, Clone)]
enum Clock {
    Poisson { rng: Rng, now_ps: f64, mean_gap_ps: f64, flows: usize },
    OnOff { flows: BinaryHeap<Reverse<(u64, usize)>>, states: Vec<OnOffFlow>, gap_ps: f64 },
}

#[derive(Debug, Clone)]
struct OnOffFlow {
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

impl Generator {
    /// Starts at time zero.
    ///
    /// # Panics
    /// If there are no flows, no classes with a share, packets without bytes on
    /// average, or no positive rate: the scenario is checked before.
    #[must_use]
    pub fn new(spec: TrafficSpec, seed: Seed) -> Self {
        assert!(spec.flows > 0 && spec.mean_rate_bps > 0.0 && spec.size_bytes.mean() > 0.0, "traffic is not empty");
        let shares = spec.classes.iter().map(|&(_, share)| share).collect();
        let class_shares = WeightedAliasIndex::new(shares).expect("classes have positive shares");
        let mut generator = Self {
            clock: Clock::new(&spec, seed),
            flows: Vec::with_capacity(spec.flows as usize),
            next_flow: 0,
            next_id: 0,
            class_shares,
            size_rng: seed.stream("traffic/size"),
            flow_rng: seed.stream("traffic/flow"),
            rank_rng: seed.stream("traffic/rank"),
            value_rng: seed.stream("traffic/value"),
            processing_rng: seed.stream("traffic/processing"),
            slack_rng: seed.stream("traffic/slack"),
            spec,
        };
        for _ in 0..generator.spec.flows {
            let flow = generator.new_flow();
            generator.flows.push(flow);
        }
        generator
    }

    fn new_flow(&mut self) -> ActiveFlow {
        let id = FlowId(self.next_flow);
        self.next_flow += 1;
        let class = self.spec.classes[self.class_shares.sample(&mut self.flow_rng)].0;
        let bytes = self.spec.flow_bytes.as_ref().map(|distribution| distribution.draw(&mut self.flow_rng).max(1));
        ActiveFlow { id, class, remaining_bytes: bytes.unwrap_or(0) }
    }
}

impl Clock {
    fn new(spec: &TrafficSpec, seed: Seed) -> Self {
        let mean_gap_ps = spec.size_bytes.mean() * 8e12 / spec.mean_rate_bps;
        let flows = spec.flows as usize;
        match spec.arrivals {
            Arrivals::Poisson => {
                Self::Poisson { rng: seed.stream("traffic/arrivals"), now_ps: 0.0, mean_gap_ps, flows }
            }
            Arrivals::OnOff { on, off } => {
                let (on_ps, off_ps) = (on.as_ps() as f64, off.as_ps() as f64);
                let share_on = on_ps / (on_ps + off_ps);
                let gap_ps = mean_gap_ps * f64::from(spec.flows) * share_on;
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
    fn tick(&mut self) -> Option<(Time, usize)> {
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

impl Source for Generator {
    fn next_packet(&mut self) -> Option<Packet> {
        if self.next_id == self.spec.max_packets {
            return None;
        }
        let (arrival, place) = self.clock.tick()?;
        if arrival > self.spec.until {
            self.next_id = self.spec.max_packets;
            return None;
        }
        let flow = self.flows[place];
        let drawn = u32::try_from(self.spec.size_bytes.draw(&mut self.size_rng)).unwrap_or(u32::MAX);
        let size_bytes = match self.spec.flow_bytes {
            None => drawn,
            Some(_) => {
                let size = drawn.min(u32::try_from(flow.remaining_bytes).unwrap_or(u32::MAX));
                self.flows[place].remaining_bytes -= u64::from(size);
                if self.flows[place].remaining_bytes == 0 {
                    self.flows[place] = self.new_flow();
                }
                size
            }
        };
        fn draw(field: &Option<Distribution>, rng: &mut Rng) -> u64 {
            field.as_ref().map_or(0, |distribution| distribution.draw(rng))
        }
        let packet = Packet {
            arrival,
            rank: draw(&self.spec.rank, &mut self.rank_rng),
            remaining_bytes: flow.remaining_bytes,
            processing: Duration::from_ns(draw(&self.spec.processing_ns, &mut self.processing_rng)),
            slack: Duration::from_ns(draw(&self.spec.slack_ns, &mut self.slack_rng)),
            id: self.next_id,
            size_bytes,
            value: u32::try_from(draw(&self.spec.value, &mut self.value_rng)).unwrap_or(u32::MAX),
            flow: flow.id,
            class: flow.class,
            ..Packet::default()
        };
        self.next_id += 1;
        Some(packet)
    }

    fn fields(&self) -> Fields {
        let has = [
            (self.spec.rank.is_some(), Field::Rank),
            (self.spec.flow_bytes.is_some(), Field::RemainingBytes),
            (self.spec.processing_ns.is_some(), Field::Processing),
            (self.spec.slack_ns.is_some(), Field::Slack),
            (self.spec.value.is_some(), Field::Value),
        ];
        has.iter().filter(|(given, _)| *given).fold(Fields::NONE, |fields, &(_, field)| fields.with(field))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(arrivals: Arrivals) -> TrafficSpec {
        TrafficSpec {
            arrivals,
            mean_rate_bps: 1e9,
            max_packets: 100_000,
            until: Time::MAX,
            flows: 10,
            size_bytes: Distribution::constant(1_000),
            flow_bytes: None,
            classes: vec![(ClassId(0), 1.0)],
            rank: None,
            value: None,
            processing_ns: None,
            slack_ns: None,
        }
    }

    fn packets(spec: TrafficSpec) -> Vec<Packet> {
        let mut generator = Generator::new(spec, Seed(1));
        std::iter::from_fn(|| generator.next_packet()).collect()
    }

    /// Mean rate in Gb/s, and the variance of the packets per millisecond over
    /// their mean: 1 for Poisson arrivals, more for bursts.
    fn measure(packets: &[Packet]) -> (f64, f64) {
        let end = packets.last().unwrap().arrival.as_ps();
        let mut counts = vec![0.0_f64; usize::try_from(end / 1_000_000_000).unwrap()];
        for packet in packets {
            let window = usize::try_from(packet.arrival.as_ps() / 1_000_000_000).unwrap();
            if let Some(count) = counts.get_mut(window) {
                *count += 1.0;
            }
        }
        let mean = counts.iter().sum::<f64>() / counts.len() as f64;
        let variance = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / counts.len() as f64;
        (packets.len() as f64 * 8e15 / end as f64 / 1e9, variance / mean)
    }

    #[test]
    fn poisson_counts_have_the_stated_mean_and_variance() {
        let (rate, dispersion) = measure(&packets(spec(Arrivals::Poisson)));
        assert!((rate - 1.0).abs() < 0.02 && (dispersion - 1.0).abs() < 0.15, "{rate} {dispersion}");
    }

    #[test]
    fn on_off_sources_keep_the_mean_rate_and_are_burstier() {
        for (on, off) in [(1_000, 1_000), (100, 900), (20, 500)] {
            let arrivals = Arrivals::OnOff { on: Duration::from_us(on), off: Duration::from_us(off) };
            let packets = packets(TrafficSpec { max_packets: 400_000, ..spec(arrivals) });
            assert!(packets.is_sorted_by_key(|packet| packet.arrival));
            let (rate, dispersion) = measure(&packets);
            assert!((rate - 1.0).abs() < 0.06, "{on} {off}: {rate}");
            assert!(dispersion > 2.0, "{on} {off}: {dispersion}");
        }
    }

    #[test]
    fn flows_count_down_and_are_replaced() {
        let sized = TrafficSpec { flow_bytes: Some(Distribution::constant(2_500)), ..spec(Arrivals::Poisson) };
        let packets = packets(sized);
        let of_first: Vec<_> = packets
            .iter()
            .filter(|packet| packet.flow == FlowId(0))
            .map(|packet| (packet.remaining_bytes, packet.size_bytes))
            .collect();
        assert_eq!(of_first, [(2_500, 1_000), (1_500, 1_000), (500, 500)]);
        assert!(packets.iter().any(|packet| packet.flow.0 > 30_000));
    }

    #[test]
    fn ranks_do_not_change_arrivals() {
        let plain = packets(spec(Arrivals::Poisson));
        let ranked = packets(TrafficSpec { rank: Some(Distribution::constant(3)), ..spec(Arrivals::Poisson) });
        assert!(plain.iter().zip(&ranked).all(|(a, b)| a.arrival == b.arrival && a.flow == b.flow && b.rank == 3));
    }
}
