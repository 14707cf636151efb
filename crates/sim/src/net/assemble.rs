//! Builds a network from its specification and its hooks.

use crate::EventWheel;
use crate::net::Actions;
use crate::net::counting_window::CountingWindow;
use crate::net::flow_table::FlowTable;
use crate::net::graph::{GraphError, LinkSpec, NodeId};
use crate::net::hook::Hooks;
use crate::net::link_head::Head;
use crate::net::network::Network;
use crate::net::outcome::Drops;
use crate::net::packets::Packets;
use crate::net::port::Port;
use crate::net::routing::Routes;
use crate::net::shared_buffer::SharedMemory;
use crate::net::spec::NetworkSpec;
use forebay_core::Element;

/// The length of a common packet.
const USUAL_BYTES: u32 = 1_500;

impl<E: Element, H: Hooks> Network<E, H> {
    /// Creates an idle network with `hooks` in place of states.
    ///
    /// # Errors
    /// If the graph is no network.
    ///
    /// # Panics
    /// If there is not one element for each directed link, or if the specification has states.
    pub fn with_hooks(spec: NetworkSpec<E>, hooks: H) -> Result<Self, GraphError> {
        spec.graph.check()?;
        assert!(spec.states.is_empty(), "hooks stand in place of states");
        Ok(Self::assemble(spec, hooks))
    }

    /// An idle network whose graph has been checked. The hooks replace the states of the specification.
    ///
    /// # Panics
    /// If there is not one element for each directed link.
    pub(crate) fn assemble(spec: NetworkSpec<E>, hooks: H) -> Self {
        let NetworkSpec { graph, elements, shared_buffer, workloads, mut changes, reroute_after, pace, seed, .. } =
            spec;
        assert_eq!(elements.len(), graph.links().len(), "one element for each directed link");
        let cards = (0..graph.hosts().len()).map(|host| graph.links_from(graph.hosts()[host])[0]).collect();
        let memory_of = |node: NodeId| (shared_buffer.is_some() && !graph.is_host(node)).then_some(node.0);
        let ports = elements.into_iter().zip(graph.links()).enumerate();
        let port = |(number, (element, link)): (usize, (E, &LinkSpec))| {
            Port::new(element, link, hooks.tells_at(number), memory_of(link.from))
        };
        let ports = ports.map(port).collect();
        let head = |link: &LinkSpec| {
            let is_host = graph.is_host(link.to);
            Head { node: link.to, is_host, holds: hooks.holds_at(link.to) }
        };
        let heads = graph.links().iter().map(head).collect();
        changes.sort_by_key(|(time, _)| *time);
        // Most events wait until a packet has reached the end of its link.
        let longest =
            graph.links().iter().map(|link| link.rate.transmission_time(USUAL_BYTES) + link.propagation).max();
        let horizon = longest.unwrap_or_default();
        let addresses = hooks.addresses();
        let routes = Routes::with_switches(&graph, &addresses, |_| true);
        Self {
            intact_routes: routes.clone(),
            addresses,
            known_up: vec![true; graph.links().len()],
            routes,
            ports,
            heads,
            hooks,
            memories: shared_buffer.map_or_else(Vec::new, |spec| vec![SharedMemory::new(spec); graph.nodes().len()]),
            cards,
            changes,
            reroute_after,
            losses: seed.stream("net/losses"),
            pace: pace.hook(graph.links().len()),
            seed,
            events: EventWheel::new(horizon),
            packets: Packets::new(workloads.iter().any(|workload| workload.allowances.is_some())),
            workloads,
            flows: FlowTable::default(),
            drops: Drops::default(),
            sampler: None,
            on_wire: 0,
            injected: 0,
            delivered: 0,
            packet_hops: 0,
            events_done: 0,
            counting: CountingWindow::default(),
            actions: Actions::default(),
            evicted: Vec::new(),
            graph,
        }
    }
}
