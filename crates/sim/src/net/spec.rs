//! The specification of a network.

use crate::net::change::Change;
use crate::net::flow_transport::Carriage;
use crate::net::graph::Graph;
use crate::net::pace::Pace;
use crate::net::shared_buffer::SharedBuffer;
use crate::net::state::StatefulNode;
use forebay_core::{Duration, Seed, Time};

/// The specification of a network. `E` is the type of the element at each port.
pub struct NetworkSpec<E> {
    /// Nodes and links.
    pub graph: Graph,
    /// The elements at the tails of the links, in the order of [`Graph::links`]; each element has one link. The links of a switch may share
    /// one element ([`SharedLink`](crate::net::SharedLink)).
    pub elements: Vec<E>,
    /// The memory that the ports of each switch share; without it only the elements limit the backlog.
    pub shared_buffer: Option<SharedBuffer>,
    /// States that packets need, of any number of kinds at each node.
    pub states: Vec<StatefulNode>,
    /// The carriage of each workload; [`FlowSpec::workload`](crate::net::FlowSpec::workload) is the index.
    pub workloads: Vec<Carriage>,
    /// The changes of links with their times, in any order.
    pub changes: Vec<(Time, Change)>,
    /// The delay until switches learn that a link has failed or works again.
    pub reroute_after: Duration,
    /// The transmission times of packets on links.
    pub pace: Pace,
    /// The root of all random numbers.
    pub seed: Seed,
}
