//! Selective acknowledgements across a network: full buffers and links that lose packets, of data and of blocks.

use crate::net::support::{flow, gbps, leaf_spine, some_flows, spec};
use forebay_core::registry::find;
use forebay_core::{Params, Time};
use forebay_sim::net::transport::TRANSPORTS;
use forebay_sim::net::{Change, FlowSpec, Graph, NodeKind, RunEnd, Transport};

fn transport(name: &str, given: &[(&str, &str)]) -> Box<dyn Transport> {
    let entry = find("transport", TRANSPORTS, name).unwrap();
    (entry.build)(&Params::of_texts(entry.about.params, given.iter().copied()).unwrap()).unwrap()
}

#[test]
fn every_flow_arrives_and_every_packet_is_accounted_for() {
    for name in ["newreno", "dctcp", "cubic"] {
        for rack in ["yes", "no"] {
            let play = || {
                let mut spec = spec(leaf_spine(), "8 packets", transport(name, &[("sack", "yes"), ("rack", rack)]));
                let links = spec.graph.links().len();
                spec.changes = (0..links).map(|link| (Time::ZERO, Change::Loss(link, 0.01))).collect();
                let mut flows = some_flows(300);
                flows.extend((1..8).map(|host| flow(4_000_000, host, 0, 200_000)));
                crate::net::support::run(spec, &flows)
            };
            let outcome = play();
            assert_eq!(outcome.reason, RunEnd::Finished, "{name}, {rack}");
            assert!(
                outcome.flows.iter().all(|record| record.acknowledged >= record.received && record.received.is_some())
            );
            assert!(
                outcome.drops.discipline > 200 && outcome.drops.on_link > 100,
                "{name}, {rack}: {:?}",
                outcome.drops
            );
            let again = play();
            assert_eq!((&outcome.flows, outcome.events), (&again.flows, again.events), "{name}, {rack}");
        }
    }
}

#[test]
fn a_window_that_overflows_its_bottleneck_needs_no_timeout() {
    // Slow start ends with some 100 losses at a port of 100 packets. One flow, 10 Gb/s into 1 Gb/s.
    let mut graph = Graph::default();
    let [src, dst] = ["src", "dst"].map(|name| graph.add_node(name.to_owned(), NodeKind::Host, 0));
    let switch = graph.add_node("switch".to_owned(), NodeKind::Switch, 0);
    let delay = forebay_core::Duration::from_us(50);
    graph.connect(src, switch, gbps(10), delay);
    graph.connect(switch, dst, gbps(1), delay);
    let flows: [FlowSpec; 1] = [flow(0, 0, 1, 5_000_000)];
    let run = |sack: &str| {
        let outcome = crate::net::support::run(
            spec(graph.clone(), "100 packets", transport("newreno", &[("sack", sack)])),
            &flows,
        );
        let record = outcome.flows[0];
        (record.sender, record.received.expect("all").as_secs_f64(), outcome.drops.discipline)
    };
    let (counts, seconds, dropped) = run("yes");
    assert!(counts.timeouts == 0 && dropped > 50, "{counts:?}, {dropped}");
    assert!(counts.retransmissions <= dropped + 5, "{counts:?}, {dropped}: only what was lost is sent again");
    // 5 MB take 41 ms at 1 Gb/s.
    assert!(seconds < 0.046, "{seconds}");
    let (_, without, _) = run("no");
    assert!(seconds < without, "{seconds} and {without}");
}
