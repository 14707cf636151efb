//! What became of a flow.

use crate::net::flow::FlowSpec;
use crate::net::transport_counts::TransportCounts;
use forebay_core::{Duration, Time};

/// A flow's course.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowRecord {
    /// The flow.
    pub flow: FlowSpec,
    /// When the receiver had every byte.
    pub received: Option<Time>,
    /// When the sender knew it.
    pub acknowledged: Option<Time>,
    /// How long it takes if nothing else is in the network and the sender sends without pause; [`None`] for endless flows.
    pub alone: Option<Alone>,
    /// Bytes that the receiver has, each counted once.
    pub received_bytes: u64,
    /// What the sender counted.
    pub sender: TransportCounts,
}

impl FlowRecord {
    /// Of a flow that starts.
    pub(crate) fn starting(flow: FlowSpec) -> Self {
        let sender = TransportCounts::default();
        Self { flow, received: None, acknowledged: None, alone: None, received_bytes: 0, sender }
    }
}

/// How long a flow takes alone, in a network without failures, if it is sent without pause or greeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alone {
    /// Until the receiver has every byte.
    pub data: Duration,
    /// From then until the sender knows it, if it learns that.
    pub answer: Duration,
}
