//! Flows, the transfers that a workload requests from the network.

use forebay_core::Time;

/// A host, numbered from 0 in the order of the graph's nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct HostId(pub u32);

impl HostId {
    /// The id as an index into a vector of hosts.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One flow: a transfer of bytes from one host to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowSpec {
    /// The time at which the application hands the flow to the transport.
    pub start: Time,
    /// The sending host.
    pub src: HostId,
    /// The receiving host, which differs from `src`.
    pub dst: HostId,
    /// The bytes of the application, without headers; at least 1. [`FlowSpec::ENDLESS`] for a flow that never ends.
    pub bytes: u64,
    /// The index of the flow's workload in the scenario. The workload determines the transport, and reports count by workload.
    pub workload: u16,
}

impl FlowSpec {
    /// The size of a flow that sends until the run ends.
    pub const ENDLESS: u64 = u64::MAX;
}

/// A stream of flows in order of their starts.
pub trait FlowSource {
    /// The next flow; `None` at the end. Starts never decrease.
    fn next_flow(&mut self) -> Option<FlowSpec>;
}
