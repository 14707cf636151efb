//! What a network is made of.

use crate::net::change::Change;
use crate::net::flow_transport::Carriage;
use crate::net::graph::Graph;
use crate::net::pace::Pace;
use crate::net::shared_buffer::SharedBuffer;
use crate::net::state::StatefulNode;
use forebay_core::{Duration, Seed, Time};

/// What a network is made of. `E` is what stands at each port.
pub struct NetworkSpec<E> {
    /// Nodes and links.
    pub graph: Graph,
    /// What stands at the tail of each link, in the order of [`Graph::links`]; with one link each. The links of a switch may
    /// share one element ([`SharedLink`](crate::net::SharedLink)).
    pub elements: Vec<E>,
    /// The memory that the ports of each switch share; without it only the elements limit the backlog.
    pub shared_buffer: Option<SharedBuffer>,
    /// States that packets need, of any number of kinds at each node.
    pub states: Vec<StatefulNode>,
    /// Who the flows belong to: [`FlowSpec::workload`](crate::net::FlowSpec::workload) is the index.
    pub workloads: Vec<Carriage>,
    /// What fails, and when, in any order.
    pub changes: Vec<(Time, Change)>,
    /// How long after a link has failed, or works again, switches know it.
    pub reroute_after: Duration,
    /// How long links send a packet.
    pub pace: Pace,
    /// Root of all random numbers.
    pub seed: Seed,
}
