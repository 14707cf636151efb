//! Queues of which theory knows the mean.

use crate::net::support::{gbps, spec};
use forebay_core::{Duration, Rng, Seed, Time};
use forebay_sim::net::{FlowSource, FlowSpec, Graph, HostId, Network, NodeKind, RunOptions};
use rand::{Rng as _, RngExt};

/// Flows of one packet that start after a Poisson process.
struct Poisson {
    rng: Rng,
    sizes: Rng,
    now: f64,
    mean_gap_s: f64,
    left: u32,
    /// Mean payload; drawn exponentially if so.
    bytes: u64,
    exponential: bool,
}

impl FlowSource for Poisson {
    fn next_flow(&mut self) -> Option<FlowSpec> {
        self.left = self.left.checked_sub(1)?;
        self.now -= self.mean_gap_s * unit(&mut self.rng).ln();
        let src = HostId(self.rng.random_range(0..SENDERS));
        let bytes = if self.exponential {
            // Up to a byte, which is a five-thousandth of the mean, sizes are continuous.
            (-(self.bytes as f64) * unit(&mut self.sizes).ln()).ceil().max(1.0) as u64
        } else {
            self.bytes
        };
        let start = Time::ZERO + Duration::from_secs_f64(self.now);
        Some(FlowSpec { start, src, dst: HostId(SENDERS), bytes, workload: 0 })
    }
}

/// A number above 0 and up to 1.
fn unit(rng: &mut Rng) -> f64 {
    ((rng.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
}

const SENDERS: u32 = 40;
const BYTES: u64 = 5_000;

/// The mean time that packets wait at a link with this load, in units of the mean service time. Access links are a thousand times faster,
/// so that packets arrive at the switch as they started.
fn mean_wait(load: f64, exponential: bool) -> f64 {
    let mut graph = Graph::default();
    let switch = graph.add_node("switch", NodeKind::Switch, 0);
    for host in 0..SENDERS {
        let host = graph.add_node(format!("h{host}"), NodeKind::Host, 0);
        graph.connect(host, switch, gbps(10_000), Duration::ZERO);
    }
    let sink = graph.add_node("sink", NodeKind::Host, 0);
    graph.connect(switch, sink, gbps(10), Duration::ZERO);
    let service_s = BYTES as f64 * 8.0 / 1e10;
    let mut flows = Poisson {
        rng: Seed(7).stream("starts"),
        sizes: Seed(7).stream("sizes"),
        now: 0.0,
        mean_gap_s: service_s / load,
        left: 2_000_000,
        bytes: BYTES,
        exponential,
    };
    let packets = transport_of_one_packet();
    let outcome = Network::new(spec(graph, "100000 packets", packets)).unwrap().run(&mut flows, &RunOptions::default());
    assert_eq!(outcome.drops.total(), 0);
    let waits = outcome.flows.iter().map(|record| {
        let took = record.received.unwrap().since(record.flow.start);
        took.as_secs_f64() - record.alone.unwrap().data.as_secs_f64()
    });
    waits.sum::<f64>() / outcome.flows.len() as f64 / service_s
}

/// An ideal sender whose packets hold every flow whole.
fn transport_of_one_packet() -> Box<dyn forebay_sim::net::Transport> {
    use forebay_core::{ParamValue, Params, registry::find};
    let entry = find("transport", forebay_sim::net::transport::TRANSPORTS, "ideal").unwrap();
    let given = [("payload_bytes", 1_000_000), ("header_bytes", 0)];
    let given = given.map(|(name, value)| (name.to_owned(), ParamValue::Integer(value)));
    (entry.build)(&Params::check(entry.about.params, given.into()).unwrap()).unwrap()
}

fn assert_within_1_percent(measured: f64, theory: f64) {
    assert!((measured / theory - 1.0).abs() < 0.01, "measured {measured}, theory {theory}");
}

#[test]
fn the_wait_of_m_d_1_is_that_of_theory() {
    for load in [0.3, 0.5, 0.7] {
        assert_within_1_percent(mean_wait(load, false), load / (2.0 * (1.0 - load)));
    }
}

#[test]
fn the_wait_of_m_m_1_is_that_of_theory() {
    for load in [0.3, 0.5, 0.7] {
        assert_within_1_percent(mean_wait(load, true), load / (1.0 - load));
    }
}
