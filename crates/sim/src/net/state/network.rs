//! A network whose nodes may have states.

use super::states::States;
use crate::net::graph::GraphError;
use crate::net::network;
use crate::net::spec::NetworkSpec;
use forebay_core::Element;

/// A network that can be run once, whose nodes may have states.
pub type Network<E> = network::Network<E, States>;

impl<E: Element> Network<E> {
    /// Creates an idle network.
    ///
    /// # Errors
    /// If the graph is no network.
    ///
    /// # Panics
    /// If there is not one element for each directed link, or if the states of a node do not agree on how packets wait.
    pub fn new(mut spec: NetworkSpec<E>) -> Result<Self, GraphError> {
        spec.graph.check()?;
        let nodes = std::mem::take(&mut spec.states);
        let states = States::new(nodes, &spec.graph, spec.seed);
        Ok(Self::assemble(spec, states))
    }
}
