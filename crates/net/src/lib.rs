//! A network, packet by packet: hosts with transports, links, switches with a discipline at every port.
//!
//! A [`Graph`] says what is connected with what: one of the topologies in [`topology`], or a file that [`read_topology`]
//! reads. [`Routes`] finds the ways through it. Flows start as a workload says; each has two [`Endpoint`]s, which a
//! transport of [`transport`] makes, and they send [`Segment`]s. TCP has one of the controls in [`congestion`]; a protocol
//! that sees all flows of its host is a [`HostTransport`]. This crate knows no queueing algorithm: what stands at a
//! port is a [`forebay_core::Element`].

mod alone;
mod carriage;
mod change;
#[path = "congestion/registry.rs"]
pub mod congestion;
mod counting;
mod endpoint;
mod flow;
mod flow_table;
mod forwarding;
mod given;
mod graph;
mod host_transport;
mod hosts;
mod network;
mod outcome;
mod packets;
mod port;
mod received;
mod record;
mod routing;
mod sack;
mod sampling;
mod segment;
mod shared_buffer;
mod slots;
mod state;
mod tcp;
#[path = "topology/registry.rs"]
pub mod topology;
mod topology_entry;
mod topology_file;
#[path = "transport/registry.rs"]
pub mod transport;
pub mod workload;

pub use carriage::{Carriage, Ranks};
pub use change::Change;
pub use endpoint::{Actions, Endpoint, FlowContext, Transport, TransportCounts, TransportEntry};
pub use flow::{FlowSource, FlowSpec, HostId};
pub use flow_table::End;
pub use graph::{Graph, GraphError, LinkSpec, NodeId, NodeKind, NodeSpec};
pub use host_transport::{HostFlow, HostTransport, Wish};
pub use network::{Network, NetworkSpec, Pace, Progress, RunOptions};
pub use outcome::{Drops, Outcome, RunEnd};
pub use port::PortCounts;
pub use record::{Alone, FlowRecord};
pub use routing::Routes;
pub use sack::SackBlocks;
pub use sampling::{Sampling, Series};
pub use segment::{Flags, Segment};
pub use shared_buffer::SharedBuffer;
pub use state::{
    AskedOf, Census, Foreseen, Impairments, Notifier, NotifierCounts, StateAccess, StateKey, StateNodeCounts,
    StateOutcome, StateStore, StatefulNode, StatesOfFlows, Told, ToldCounts, ToldOutcome, Waits, belady_counts,
};
pub use topology_entry::TopologyEntry;
pub use topology_file::{TopologyFileError, read_topology};
