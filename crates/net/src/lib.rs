//! A network, packet by packet: hosts with transports, links, switches with a discipline at every port.
//!
//! A [`Graph`] says what is connected with what. Flows start as a workload says; each has two
//! [`Endpoint`]s, which a [transport](transport) makes, and they send [`Segment`]s. This crate knows no queueing
//! algorithm: what stands at a port is a [`forebay_core::Element`].

mod endpoint;
mod flow;
mod graph;
mod segment;
#[path = "transport/registry.rs"]
pub mod transport;
pub mod workload;

pub use endpoint::{Actions, Endpoint, FlowContext, Transport, TransportCounts, TransportEntry};
pub use flow::{FlowSource, FlowSpec, HostId};
pub use graph::{Graph, GraphError, LinkSpec, NodeId, NodeKind, NodeSpec};
pub use segment::{Flags, Segment};
