//! The flows of a run: their endpoints while the flows last, and their results.

use crate::net::endpoint::Endpoint;
use crate::net::flow::{FlowSpec, HostId};
use crate::net::flow_end::End;
use crate::net::host_transport::HostTransports;
use crate::net::record::FlowRecord;
use forebay_core::Time;

/// An endpoint and its timer.
pub(crate) struct Party {
    pub(crate) endpoint: Box<dyn Endpoint>,
    /// The time at which the timer expires; [`Time::MAX`] for never.
    pub(crate) deadline: Time,
    /// The time of the earliest event for this deadline: deadlines move often, and mostly later.
    pub(crate) scheduled: Time,
}

impl Party {
    pub(crate) fn new(endpoint: Box<dyn Endpoint>) -> Self {
        Self { endpoint, deadline: Time::MAX, scheduled: Time::MAX }
    }
}

/// A flow that lasts.
pub(crate) struct Live {
    pub(crate) sender: Party,
    pub(crate) receiver: Party,
    pub(crate) spec: FlowSpec,
    /// Whether the sender learns of the end.
    pub(crate) acknowledges: bool,
}

impl Live {
    pub(crate) fn party(&mut self, end: End) -> &mut Party {
        match end {
            End::Sender => &mut self.sender,
            End::Receiver => &mut self.receiver,
        }
    }
}

/// All flows, in order of their starts.
#[derive(Default)]
pub struct FlowTable {
    live: Vec<Option<Box<Live>>>,
    records: Vec<FlowRecord>,
    /// For the choice among equal paths.
    hashes: Vec<u64>,
    /// Protocols that see all flows of their host.
    pub(crate) hosts: HostTransports,
    count: u64,
}

impl FlowTable {
    /// The number of a flow that starts.
    pub(crate) fn insert(&mut self, live: Live, record: FlowRecord, hash: u64) -> u32 {
        let number = self.next_number();
        self.live.push(Some(Box::new(live)));
        self.records.push(record);
        self.hashes.push(hash);
        self.count += 1;
        number
    }

    /// The number that the next flow will get.
    pub(crate) fn next_number(&self) -> u32 {
        u32::try_from(self.live.len()).expect("fewer than 2^32 flows")
    }

    /// A flow, if it is not over.
    #[inline]
    pub(crate) fn get(&mut self, flow: u32) -> Option<&mut Live> {
        self.live[flow as usize].as_deref_mut()
    }

    /// The sender and the receiver of a flow.
    #[inline]
    #[must_use]
    pub fn ends(&self, flow: u32) -> (HostId, HostId) {
        let flow = self.flow(flow);
        (flow.src, flow.dst)
    }

    /// Returns the specification of a flow.
    #[inline]
    #[must_use]
    pub fn flow(&self, flow: u32) -> &FlowSpec {
        &self.records[flow as usize].flow
    }

    #[inline]
    pub(crate) fn record(&mut self, flow: u32) -> &mut FlowRecord {
        &mut self.records[flow as usize]
    }

    /// Returns the hash that chooses among equal paths; the two directions choose independently.
    #[inline]
    pub(crate) fn hash(&self, flow: u32, to_receiver: bool) -> u64 {
        let hash = self.hashes[flow as usize];
        if to_receiver { hash } else { !hash }
    }

    /// Forgets the endpoints of a flow.
    pub(crate) fn end(&mut self, flow: u32) {
        if let Some(live) = self.live[flow as usize].take() {
            let record = &mut self.records[flow as usize];
            record.sender = live.sender.endpoint.counts();
            record.received_bytes = record.flow.bytes;
            self.count -= 1;
        }
    }

    /// The number of flows that have started.
    pub(crate) fn started(&self) -> u64 {
        self.live.len() as u64
    }

    /// The number of flows that have not ended.
    pub(crate) fn live(&self) -> u64 {
        self.count
    }

    /// Returns the records of all flows.
    pub(crate) fn into_records(mut self) -> Vec<FlowRecord> {
        for (live, record) in self.live.iter().zip(&mut self.records) {
            if let Some(live) = live {
                record.sender = live.sender.endpoint.counts();
                record.received_bytes = live.receiver.endpoint.received_bytes();
            }
        }
        self.records
    }
}
