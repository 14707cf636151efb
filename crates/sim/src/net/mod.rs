//! A network, packet by packet: hosts with transports, links, switches with a discipline at every port.
//!
//! A [`Graph`] describes the connections: it is one of the topologies in [`topology`], or [`read_topology`] reads it from a file.
//! [`Routes`] finds the paths. Flows start as a workload says; each has two [`Endpoint`]s, which a transport of [`transport`] makes, and
//! they send [`Segment`]s. TCP has one of the controls in [`congestion`]; a protocol that sees all flows of its host is a
//! [`HostTransport`]. This crate knows no queueing algorithm: the policy at a port is a [`forebay_core::Element`], or a link of an element
//! that all ports of a switch share ([`SharedLink`]).
//!
//! A paper's mechanism at nodes and ports is a hook ([`NodeHook`], [`PortHook`]) of a [`HookedNetwork`]. States in switches are such a
//! hook, and [`Network`] is the network with this hook.

mod assemble;
mod change;
#[path = "congestion/registry.rs"]
pub mod congestion;
mod counting;
mod counting_window;
mod endpoint;
mod event;
mod flow;
mod flow_end;
mod flow_table;
mod flow_transport;
mod forwarding;
mod graph;
mod hook;
mod hook_calls;
mod hook_context;
mod host_transport;
mod hosts;
mod lateness;
mod link_changes;
mod link_head;
mod network;
mod outcome;
mod pace;
mod packets;
mod port;
mod queue_samples;
mod queued_packet;
mod received_bytes;
mod record;
mod routing;
mod sack;
mod sampling;
mod segment;
mod shared_buffer;
mod shared_element;
mod slots;
mod spec;
mod state;
mod tcp;
#[path = "topology/registry.rs"]
pub mod topology;
mod topology_entry;
mod topology_file;
mod topology_htsim;
mod topology_ns3;
mod topology_parts;
#[path = "transport/registry.rs"]
pub mod transport;
mod transport_counts;
mod transport_params;
mod unloaded_flow_time;
pub mod workload;

pub use crate::PortCounts;
pub use change::Change;
pub use endpoint::{Actions, Endpoint, FlowContext, Transport, TransportEntry};
pub use flow::{FlowSource, FlowSpec, HostId};
pub use flow_end::End;
pub use flow_table::FlowTable;
pub use flow_transport::{Carriage, Ranks};
pub use graph::{Graph, GraphError, LinkSpec, NodeId, NodeKind, NodeSpec};
pub use hook::{Arrival, Counted, Deed, Hooks, Message, NodeHook, PortHook, Release, Tells};
pub use hook_context::{PortState, Reach};
pub use host_transport::{HostFlow, HostTransport, Wish};
pub use lateness::{Allowances, Lateness};
pub use network::{Network as HookedNetwork, Progress, RunOptions};
pub use outcome::{Drops, NetworkOutcome, RunEnd};
pub use pace::Pace;
pub use packets::{Carries, HookPacket, InFlight};
pub use queued_packet::Queued;
pub use record::{Alone, FlowRecord};
pub use routing::Routes;
pub use sack::SackBlocks;
pub use sampling::{Sampling, Series};
pub use segment::{Flags, Segment};
pub use shared_buffer::SharedBuffer;
pub use shared_element::SharedLink;
pub use spec::NetworkSpec;
pub use state::{
    AskedOf, Census, FetchCounts, Foreseen, Impairments, Network, Notifier, NotifierCounts, Objects, Order,
    QueueChoice, RankBounds, Refused, RemoteStore, StateAccess, StateKey, StateNodeCounts, StateOutcome, StateStore,
    StatefulNode, States, StatesOfFlows, Told, ToldCounts, ToldOutcome, Waits, belady_counts,
};
pub use topology_entry::TopologyEntry;
pub use topology_file::read_topology;
pub use topology_parts::TopologyFileError;
pub use transport_counts::TransportCounts;
