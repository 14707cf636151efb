//! Generates packets of several arrival processes at a given mean rate.
//!
//! Each field draws from a stream of its own, so that another distribution of ranks does not change arrivals, sizes and classes.

pub use crate::arrivals::Arrivals;
use crate::arrivals::Clock;
use crate::distribution::Distribution;
use crate::drawn_fields::{DrawnFields, FieldDraw};
use crate::rank_pattern::RankPattern;
use crate::tick::Tick;
use forebay_core::{ClassId, Field, Fields, FlowId, Packet, QueueId, Rng, Seed, Source, Time, convert};

/// A recipe for traffic.
#[derive(Debug, Clone)]
pub struct TrafficSpec {
    /// The arrival process of packets.
    pub arrivals: Arrivals,
    /// Mean rate in bits per second over all flows.
    pub mean_rate_bps: f64,
    /// The maximum number of packets.
    pub max_packets: u64,
    /// The time after which no packet arrives.
    pub until: Time,
    /// The number of flows that send at the same time; [`Arrivals::Flows`] has its own.
    pub flows: u32,
    /// The size of a packet in bytes.
    pub size_bytes: Distribution,
    /// The size of a flow in bytes; when these are sent, a new flow replaces it. `None` if the arrivals decide when flows end.
    pub flow_bytes: Option<Distribution>,
    /// Classes and their shares of packets. All packets of a flow have the same class.
    pub classes: Vec<(ClassId, f64)>,
    /// The numbers of queues, if packets are directed to one. All packets of a flow have the same queue.
    pub queue: Option<Distribution>,
    /// Ranks, if packets carry them.
    pub rank: Option<RankPattern>,
    /// Values, if packets carry them.
    pub value: Option<Distribution>,
    /// Job sizes in nanoseconds, if packets have them.
    pub processing_ns: Option<Distribution>,
    /// Slacks in nanoseconds, if packets have them.
    pub slack_ns: Option<Distribution>,
}

/// Why a number that is drawn fits into its field.
const CHECKED: &str = "the greatest number that can be drawn was checked";

/// The number of flows and packets over which the mean packet size is measured.
const SAMPLED_FLOWS: u32 = 20_000;
const SAMPLED_PACKETS: u32 = 500_000;

impl TrafficSpec {
    /// Returns the mean size of a packet in bytes. The last packet of a flow is cut to the rest of the flow. If both sizes are drawn, the
    /// mean has no closed form. It is then measured on separate flows, which are always the same.
    #[must_use]
    pub fn mean_packet_bytes(&self) -> f64 {
        let Some(flow_bytes) = &self.flow_bytes else { return self.size_bytes.mean() };
        let mut rng = Seed(0).stream("traffic/mean-packet-bytes");
        let (mut bytes, mut packets) = (0, 0);
        for _ in 0..SAMPLED_FLOWS {
            let mut left = flow_bytes.draw(&mut rng).max(1);
            while left > 0 && packets < SAMPLED_PACKETS {
                let size = self.size_bytes.draw(&mut rng).clamp(1, left);
                left -= size;
                bytes += size;
                packets += 1;
            }
        }
        bytes as f64 / f64::from(packets)
    }

    /// Returns the optional fields of the recipe's packets.
    #[must_use]
    pub fn fields(&self) -> Fields {
        let drawn = self.drawn_fields().fields();
        if self.flow_bytes.is_some() { drawn.with(Field::RemainingBytes) } else { drawn }
    }

    /// The fields that are drawn for each packet or flow.
    fn drawn_fields(&self) -> DrawnFields {
        DrawnFields {
            rank: self.rank.clone(),
            value: self.value.clone(),
            processing_ns: self.processing_ns.clone(),
            slack_ns: self.slack_ns.clone(),
            queue: self.queue.clone(),
        }
    }

    /// Returns the number of the first flows that each class gets, in the order of `classes`.
    #[must_use]
    pub fn flows_by_class(&self) -> Vec<u32> {
        let mut shares = ClassShares::new(&self.classes);
        (0..self.flows).for_each(|_| {
            shares.next_class();
        });
        shares.flows
    }
}

/// Assigns flows to classes: each flow is given to the class that lacks most of its stated share, so that even a few flows approximate the
/// shares.
#[derive(Debug, Clone)]
struct ClassShares {
    classes: Vec<(ClassId, f64)>,
    flows: Vec<u32>,
}

impl ClassShares {
    fn new(classes: &[(ClassId, f64)]) -> Self {
        let total: f64 = classes.iter().map(|&(_, share)| share).sum();
        let classes: Vec<_> = classes.iter().map(|&(class, share)| (class, share / total)).collect();
        Self { flows: vec![0; classes.len()], classes }
    }

    fn next_class(&mut self) -> ClassId {
        let dealt: u32 = self.flows.iter().sum();
        let missing = |place: usize| self.classes[place].1 * f64::from(dealt + 1) - f64::from(self.flows[place]);
        let most = (0..self.classes.len()).max_by(|&a, &b| missing(a).total_cmp(&missing(b)));
        let place = most.expect("there is at least one class");
        self.flows[place] += 1;
        self.classes[place].0
    }
}

/// Generates the packets of a [`TrafficSpec`].
#[derive(Debug, Clone)]
pub struct Generator {
    spec: TrafficSpec,
    clock: Clock,
    flows: Vec<ActiveFlow>,
    next_flow: u32,
    next_id: u64,
    class_shares: ClassShares,
    size_rng: Rng,
    flow_rng: Rng,
    drawn: FieldDraw,
}

#[derive(Debug, Clone, Copy)]
struct ActiveFlow {
    id: FlowId,
    class: ClassId,
    queue: QueueId,
    remaining_bytes: u64,
}

impl Generator {
    /// Creates a generator that starts at time zero.
    ///
    /// # Panics If there are no flows, no classes with a share, packets without bytes on average, or no positive rate. Also if sizes,
    /// queues or values can be drawn that do not fit into a packet. The check of the scenario excludes all of these.
    #[must_use]
    pub fn new(spec: TrafficSpec, seed: Seed) -> Self {
        assert!(spec.flows > 0 && spec.mean_rate_bps > 0.0 && spec.size_bytes.mean() > 0.0, "traffic is not empty");
        assert!(spec.size_bytes.max() <= u32::MAX.into(), "a packet has fewer than 2^32 bytes");
        let class_shares = ClassShares::new(&spec.classes);
        let packet_bits = spec.mean_packet_bytes() * 8.0;
        let mut generator = Self {
            clock: Clock::new(&spec.arrivals, packet_bits, spec.mean_rate_bps, spec.flows, seed),
            flows: Vec::with_capacity(spec.flows as usize),
            next_flow: 0,
            next_id: 0,
            class_shares,
            size_rng: seed.stream("traffic/size"),
            flow_rng: seed.stream("traffic/flow"),
            drawn: FieldDraw::new(spec.drawn_fields(), seed),
            spec,
        };
        let from_the_start = match generator.spec.arrivals {
            Arrivals::Flows { .. } => 0,
            _ => generator.spec.flows,
        };
        for _ in 0..from_the_start {
            let flow = generator.new_flow();
            generator.flows.push(flow);
        }
        generator
    }

    fn new_flow(&mut self) -> ActiveFlow {
        let id = FlowId(self.next_flow);
        self.next_flow += 1;
        let class = self.class_shares.next_class();
        let bytes = self.spec.flow_bytes.as_ref().map(|distribution| distribution.draw(&mut self.flow_rng).max(1));
        let queue = self.drawn.queue();
        ActiveFlow { id, class, queue, remaining_bytes: bytes.unwrap_or(0) }
    }
}

impl Source for Generator {
    fn next_packet(&mut self) -> Option<Packet> {
        if self.next_id == self.spec.max_packets {
            return None;
        }
        let Tick { at: arrival, place, starts } = self.clock.tick()?;
        if arrival > self.spec.until {
            self.next_id = self.spec.max_packets;
            return None;
        }
        if starts {
            let flow = self.new_flow();
            // Places are taken in turn: a free one, or the next.
            if place == self.flows.len() {
                self.flows.push(flow);
            } else {
                self.flows[place] = flow;
            }
        }
        let flow = self.flows[place];
        let drawn = u32::try_from(self.spec.size_bytes.draw(&mut self.size_rng)).expect(CHECKED);
        let size_bytes = match self.spec.flow_bytes {
            None => drawn,
            Some(_) => {
                let size = drawn.min(convert::saturate(flow.remaining_bytes));
                self.flows[place].remaining_bytes -= u64::from(size);
                if self.flows[place].remaining_bytes == 0 {
                    self.flows[place] = self.new_flow();
                }
                size
            }
        };
        let mut packet = Packet {
            arrival,
            remaining_bytes: flow.remaining_bytes,
            id: self.next_id,
            size_bytes,
            flow: flow.id,
            class: flow.class,
            queue: flow.queue,
            ..Packet::default()
        };
        self.drawn.packet(&mut packet);
        self.next_id += 1;
        Some(packet)
    }

    fn fields(&self) -> Fields {
        self.spec.fields()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Duration;

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
            queue: None,
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
    fn constant_arrivals_are_even() {
        let packets = packets(spec(Arrivals::Constant));
        // 1000 bytes at 1 Gb/s.
        assert!((1..).zip(&packets).all(|(number, packet)| packet.arrival.as_ps() == number * 8_000_000));
    }

    #[test]
    fn flows_that_come_and_go_keep_the_mean_rate_and_are_bursty() {
        let arrivals = Arrivals::Flows { packets: Distribution::constant(50), access_rate_bps: 4e9 };
        // 20,000 flows: their number is within 0.7 % of its mean.
        let packets = packets(TrafficSpec { max_packets: 1_000_000, ..spec(arrivals) });
        let (rate, dispersion) = measure(&packets);
        assert!((rate - 1.0).abs() < 0.02 && dispersion > 10.0, "{rate} {dispersion}");
        let first: Vec<_> = packets.iter().filter(|packet| packet.flow == FlowId(0)).collect();
        assert_eq!(first.len(), 50);
        assert!(first.windows(2).all(|pair| pair[1].arrival.since(pair[0].arrival).as_ps() == 2_000_000));
    }

    #[test]
    fn the_mean_rate_holds_when_flows_end_in_short_packets() {
        let entry = |name: &str| crate::DISTRIBUTIONS.iter().find(|entry| entry.about.name == name).unwrap();
        let range = crate::distribution::Range { min: 100, max: 20_000 };
        let params = forebay_core::Params::defaults(entry("exponential").about.params);
        let exponential = Distribution::new(entry("exponential"), range, &params).unwrap();
        let on_off = Arrivals::OnOff { on: Duration::from_us(100), off: Duration::from_us(300) };
        for flow_bytes in [Distribution::constant(1_001), Distribution::constant(100), exponential] {
            for (arrivals, tolerance) in [(Arrivals::Poisson, 0.02), (on_off.clone(), 0.06)] {
                let spec = TrafficSpec { flow_bytes: Some(flow_bytes.clone()), ..spec(arrivals.clone()) };
                let packets = packets(spec);
                let bits: f64 = packets.iter().map(|packet| f64::from(packet.size_bytes) * 8.0).sum();
                let rate = bits / packets.last().unwrap().arrival.as_secs_f64() / 1e9;
                assert!((rate - 1.0).abs() < tolerance, "{arrivals:?} {}: {rate}", flow_bytes.mean());
            }
        }
    }

    #[test]
    fn a_flow_stays_in_its_queue() {
        let entry = crate::DISTRIBUTIONS.iter().find(|entry| entry.about.name == "uniform").unwrap();
        let params = forebay_core::Params::defaults(entry.about.params);
        let queues = Distribution::new(entry, crate::distribution::Range { min: 0, max: 3 }, &params).unwrap();
        let packets = packets(TrafficSpec { queue: Some(queues), flows: 100, ..spec(Arrivals::Poisson) });
        let queue_of = |flow: u32| packets.iter().find(|packet| packet.flow == FlowId(flow)).unwrap().queue;
        assert!(packets.iter().all(|packet| packet.queue == queue_of(packet.flow.0)));
        assert!((0..4).all(|queue| packets.iter().any(|packet| packet.queue == QueueId(queue))));
    }

    #[test]
    fn classes_get_their_share_of_few_flows() {
        let classes = vec![(ClassId(0), 1.0), (ClassId(46), 1.0)];
        let few = TrafficSpec { flows: 4, classes, ..spec(Arrivals::Poisson) };
        assert_eq!(few.flows_by_class(), [2, 2]);
        let skewed = TrafficSpec { flows: 10, classes: vec![(ClassId(0), 0.9), (ClassId(46), 0.1)], ..few };
        assert_eq!(skewed.flows_by_class(), [9, 1]);
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
        let ranked = packets(TrafficSpec {
            rank: Some(RankPattern::Drawn(Distribution::constant(3))),
            ..spec(Arrivals::Poisson)
        });
        assert!(plain.iter().zip(&ranked).all(|(a, b)| a.arrival == b.arrival && a.flow == b.flow && b.rank == 3));
    }
}
