//! The entries of topologies in the registry, and their common parameters.

use crate::net::graph::{Graph, NodeId};
use forebay_core::registry::Named;
use forebay_core::{About, Duration, ParamError, Params, Rate};

/// A topology in the registry.
#[derive(Debug)]
pub struct TopologyEntry {
    /// The name, title and source of the topology.
    pub about: About,
    /// Builds the topology, hosts first. The result passes [`Graph::check`].
    pub build: fn(&Params) -> Result<Graph, ParamError>,
}

impl Named for TopologyEntry {
    fn about(&self) -> &About {
        &self.about
    }
}

/// Rejects a combination of parameters, named by `what`, that gives too few hosts or too many.
pub(crate) fn check_hosts(hosts: u64, what: &str) -> Result<(), ParamError> {
    let message = match usize::try_from(hosts) {
        Ok(2..=Graph::MAX_HOSTS) => return Ok(()),
        _ => format!("{what}: a network has from 2 to {} hosts, not {hosts}", Graph::MAX_HOSTS),
    };
    Err(ParamError { param: None, message })
}

/// Connects each of `lower` with each of `upper`.
pub(crate) fn connect_all(graph: &mut Graph, lower: &[NodeId], upper: &[NodeId], rate: Rate, propagation: Duration) {
    for &below in lower {
        for &above in upper {
            graph.connect(below, above, rate, propagation);
        }
    }
}
