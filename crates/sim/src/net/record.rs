//! The results of a flow.

use crate::net::flow::FlowSpec;
use crate::net::transport_counts::TransportCounts;
use forebay_core::{Duration, Time};

/// The results of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowRecord {
    /// The flow.
    pub flow: FlowSpec,
    /// The time at which the receiver had every byte.
    pub received: Option<Time>,
    /// The time at which the sender knew that the receiver had every byte.
    pub acknowledged: Option<Time>,
    /// The duration of the flow if it is alone in the network and the sender sends without pause; [`None`] for endless flows.
    pub alone: Option<Alone>,
    /// The number of bytes that the receiver has, each counted once.
    pub received_bytes: u64,
    /// The counts of the sender.
    pub sender: TransportCounts,
}

impl FlowRecord {
    /// Creates the record of a flow that starts.
    pub(crate) fn starting(flow: FlowSpec) -> Self {
        let sender = TransportCounts::default();
        Self { flow, received: None, acknowledged: None, alone: None, received_bytes: 0, sender }
    }
}

/// The duration of a flow that is alone in a network without failures, if it is sent without pause or handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alone {
    /// The time until the receiver has every byte.
    pub data: Duration,
    /// The time from then until the sender knows it, if the sender gets an answer.
    pub answer: Duration,
}
