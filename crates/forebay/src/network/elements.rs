//! The elements at the tail of every link of a network, with empty queues.

use super::policy::PolicyPlan;
use crate::error::Result;
use forebay_core::{Element, Seed};
use forebay_sim::net::{Graph, SharedLink};
use std::collections::BTreeMap;

/// Creates an element for each link. If the policy of a node has a port for each link, these links share one element.
pub(super) fn elements(policy: &PolicyPlan, graph: &Graph, seed: Seed) -> Result<Vec<Box<dyn Element>>> {
    let mut shared: BTreeMap<usize, SharedLink<Box<dyn Element>>> = BTreeMap::new();
    let mut elements: Vec<Box<dyn Element>> = Vec::new();
    for (number, link) in graph.links().iter().enumerate() {
        let plan = policy.plan(graph, number);
        if !plan.is_of_node() {
            let seed = seed.part(&format!("port/{}", graph.link_name(number)));
            elements.push(plan.element(seed, Vec::new())?);
            continue;
        }
        if !shared.contains_key(&number) {
            let seed = seed.part(&format!("node/{}", graph.nodes()[link.from.index()].name));
            let links = SharedLink::all_of(plan.element(seed, Vec::new())?);
            shared.extend(graph.links_from(link.from).iter().copied().zip(links));
        }
        let own = shared.remove(&number).expect("an element has a link for each link of its node");
        elements.push(Box::new(own));
    }
    Ok(elements)
}
