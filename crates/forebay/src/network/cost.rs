//! Estimates the work of the runs of a cell, before any run is made.

use super::NetworkScenario;
use super::cell::Cell;
use super::workload::Flows;
use crate::error::Result;
use crate::observer::Unit;
use crate::run::{Cost, Memory, Part};
use forebay_core::Time;
use forebay_sim::net::{Graph, NodeId};
use std::collections::VecDeque;

/// Packets that a core of a server sends over links in a second of its time: 2 to 18 million in crates/sim/benches/network.rs.
const HOPS_PER_CPU_SECOND: f64 = 6e6;

/// Bytes that are kept of a flow: 210 to 220 with 1 and 3 million flows on a star.
const BYTES_PER_FLOW: f64 = 220.0;
/// Bytes of a link in one direction, with its port: 800 to 1,000 in stars of 10,000 hosts and fat trees of 8,192 and 27,648.
const BYTES_PER_LINK: f64 = 1_000.0;

/// Returns the cost of each cell of a scenario, in the order of the report, over the runs that `part` selects.
pub(crate) fn costs(scenario: &NetworkScenario, part: &Part) -> Result<Vec<Cost>> {
    let cost = |(cell, runs): (&Cell, u64)| {
        let hops = hops(cell)?;
        Ok(Cost {
            policy: cell.policy.name.clone(),
            axes: cell.axes.iter().map(|(name, value)| (name.clone(), value.text.clone())).collect(),
            runs,
            simulated: cell.expected_length().since(Time::ZERO),
            counted: Unit::Packets,
            packets: hops,
            cpu_seconds: hops / HOPS_PER_CPU_SECOND,
            memory: memory(cell, hops)?,
        })
    };
    scenario.cells.iter().zip(scenario.plan()?.runs_in(part)).map(cost).collect()
}

/// Returns the memory of a run: every flow of its past, every link, and the packets that wait.
fn memory(cell: &Cell, hops: f64) -> Result<Memory> {
    let settings = &cell.common.settings;
    let graph = &settings.topology.graph;
    let seconds = cell.expected_length().as_secs_f64();
    let flows = cell.common.workloads.iter().map(|carried| match &carried.plan.flows {
        Flows::Replayed(replay) => Ok(replay.flows().len() as f64),
        Flows::Drawn(drawn) => drawn.flows_in(&settings.topology.hosts, seconds),
    });
    let flows: f64 = flows.sum::<Result<f64>>()?;
    let links = graph.links().len();
    let kept = flows * BYTES_PER_FLOW + links as f64 * BYTES_PER_LINK;
    Ok(Memory::with_waiting(kept, hops, (0..links).map(|link| cell.policy.plan(graph, link).buffer())))
}

/// Packets over links in one run, if nothing is lost and no link is full.
fn hops(cell: &Cell) -> Result<f64> {
    let settings = &cell.common.settings;
    let hosts = &settings.topology.hosts;
    let seconds = cell.expected_length().as_secs_f64();
    let capacity_bps: f64 = hosts.all().map(|host| hosts.rate(host).bits_per_second() as f64).sum();
    let path = mean_path(&settings.topology.graph);
    let answered = cell.answered()?;
    let mut hops = 0.0;
    for (carried, answered) in cell.common.workloads.iter().zip(answered) {
        let (full, header) = carried.plan.transport.as_ref().unwrap_or(&cell.policy.transport).segment_bytes()?;
        let payload = f64::from(full - header).max(1.0);
        let bytes = match &carried.plan.flows {
            Flows::Replayed(replay) => replay.flows().iter().map(|flow| flow.bytes as f64).sum(),
            Flows::Drawn(drawn) => drawn.mean_bytes()? * drawn.flows_in(hosts, seconds)?,
        };
        let packets = bytes.min(capacity_bps / 8.0 * seconds) / payload;
        hops += packets * path * if answered { 2.0 } else { 1.0 };
    }
    Ok(hops)
}

/// Links on the way from the first host to another one, on average.
fn mean_path(graph: &Graph) -> f64 {
    let Some(first) = (0..).map(NodeId).take(graph.nodes().len()).find(|node| graph.is_host(*node)) else { return 1.0 };
    let mut distance: Vec<Option<u32>> = vec![None; graph.nodes().len()];
    distance[first.index()] = Some(0);
    let mut next = VecDeque::from([first]);
    while let Some(node) = next.pop_front() {
        let far = distance[node.index()].map_or(0, |distance| distance + 1);
        for link in graph.links_from(node) {
            let to = graph.links()[*link].to;
            if distance[to.index()].is_none() {
                distance[to.index()] = Some(far);
                next.push_back(to);
            }
        }
    }
    let to_hosts = (0..).zip(&distance).filter(|(number, _)| graph.is_host(NodeId(*number)));
    let paths: Vec<f64> = to_hosts.filter_map(|(_, links)| links.filter(|links| *links > 0)).map(f64::from).collect();
    if paths.is_empty() { 1.0 } else { paths.iter().sum::<f64>() / paths.len() as f64 }
}
