//! Hosts, sizes, patterns and flows for the tests of workloads.

use forebay_core::{Duration, ParamSpec, ParamValue, Params, Rate, Seed, Time};
use forebay_sim::net::workload::pattern::Pattern;
use forebay_sim::net::workload::size::FlowSizes;
use forebay_sim::net::workload::{Arrivals, Generator, Hosts, Recipe, pattern, size};
use forebay_sim::net::{FlowSource, FlowSpec, Graph, NodeKind};
use std::collections::BTreeMap;

/// Racks of so many hosts each, called `h0`, `h1`, …, at 1 Gb/s.
pub(crate) fn hosts_in(racks: &[u32]) -> Hosts {
    let mut graph = Graph::default();
    let mut host = 0;
    for (rack, count) in (0..).zip(racks) {
        let leaf = graph.add_node(format!("leaf{rack}"), NodeKind::Switch, rack);
        for _ in 0..*count {
            let node = graph.add_node(format!("h{host}"), NodeKind::Host, rack);
            graph.connect(node, leaf, Rate::parse("1 Gbps").unwrap(), Duration::from_ns(20));
            host += 1;
        }
    }
    Hosts::of(&graph).unwrap()
}

fn params(specs: &'static [ParamSpec], given: &[(&str, ParamValue)]) -> Params {
    let given: BTreeMap<_, _> = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Params::check(specs, given).unwrap()
}

pub(crate) fn sizes(name: &str, given: &[(&str, ParamValue)]) -> Result<Box<dyn FlowSizes>, String> {
    let entry = size::find(name).unwrap();
    entry.build(&params(entry.about.params, given), None).map_err(|error| error.to_string())
}

pub(crate) fn fixed(bytes: i64) -> Box<dyn FlowSizes> {
    sizes("fixed", &[("bytes", ParamValue::Integer(bytes))]).unwrap()
}

pub(crate) fn pattern_of(name: &str, given: &[(&str, &str)], hosts: &Hosts) -> Result<Box<dyn Pattern>, String> {
    let entry = pattern::find(name).unwrap();
    let params = Params::of_texts(entry.about.params, given.iter().copied());
    params.and_then(|params| (entry.build)(&params, hosts, Seed(3))).map_err(|error| error.to_string())
}

/// A workload from time zero on, without end.
pub(crate) fn workload(sizes: Box<dyn FlowSizes>, pattern: Box<dyn Pattern>, arrivals: Arrivals) -> Recipe {
    Recipe { number: 0, sizes, pattern, arrivals, start: Time::ZERO, duration: None, flows: None }
}

/// At most so many flows of a workload.
pub(crate) fn draw(workload: Recipe, hosts: &Hosts, seed: u64, count: usize) -> Vec<FlowSpec> {
    let mut flows = Generator::new(workload, hosts, Seed(seed)).unwrap();
    let flows: Vec<FlowSpec> = std::iter::from_fn(|| flows.next_flow()).take(count).collect();
    assert!(flows.is_sorted_by_key(|flow| flow.start), "starts never decrease");
    assert!(flows.iter().all(|flow| flow.src != flow.dst && flow.bytes > 0));
    flows
}
