//! A network, packet by packet: hosts with transports, links, switches with a discipline at every port.
//!
//! A [`Graph`] says what is connected with what: one of the topologies in [`topology`], or a file that [`read_topology`]
//! reads. [`Routes`] finds the ways through it. Flows start as a workload says; each has two [`Endpoint`]s, which a
//! transport of [`transport`] makes, and they send [`Segment`]s. This crate knows no queueing algorithm: what stands at a
//! port is a [`forebay_core::Element`].

mod endpoint;
mod flow;
mod graph;
mod routing;
mod segment;
#[path = "topology/registry.rs"]
pub mod topology;
mod topology_entry;
mod topology_file;
#[path = "transport/registry.rs"]
pub mod transport;

pub use endpoint::{Actions, Endpoint, FlowContext, Transport, TransportCounts, TransportEntry};
pub use flow::{FlowSource, FlowSpec, HostId};
pub use graph::{Graph, GraphError, LinkSpec, NodeId, NodeKind, NodeSpec};
pub use routing::Routes;
pub use segment::{Flags, Segment};
pub use topology_entry::TopologyEntry;
pub use topology_file::{TopologyFileError, read_topology, write_topology};
