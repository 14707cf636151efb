//! The two ends of a flow, as state machines: segments and time in, segments and a timer out.

use crate::net::flow::{FlowSpec, HostId};
use crate::net::host_transport::{HostFlow, HostTransport, Wish};
use crate::net::segment::Segment;
use crate::net::transport_counts::TransportCounts;
use forebay_core::registry::Named;
use forebay_core::{About, Duration, ParamError, Params, Rate, Seed, Time};
use std::fmt;

/// One end of a flow. It does no IO and reads no clock.
///
/// After the flow is over for both ends, what still arrives for it is thrown away by the network.
pub trait Endpoint {
    /// The flow starts. Called once at each end, first at the receiver's.
    fn start(&mut self, now: Time, actions: &mut Actions);

    /// A segment arrived from the other end.
    fn receive(&mut self, now: Time, segment: &Segment, actions: &mut Actions);

    /// Its timer has expired.
    fn timer(&mut self, now: Time, actions: &mut Actions);

    /// What it has counted so far.
    fn counts(&self) -> TransportCounts {
        TransportCounts::default()
    }

    /// Bytes of the flow that have arrived at this end, each counted once.
    fn received_bytes(&self) -> u64 {
        0
    }

    /// Bytes that it may have in flight now, if it has such a window.
    fn window_bytes(&self) -> Option<u64> {
        None
    }
}

/// What an endpoint wants done. The network hands the same one to all calls, with `segments` and `others` empty, `timer`
/// [`None`] and `finished` false.
#[derive(Debug, Default)]
pub struct Actions {
    /// To be sent now, in this order, through the host's network card.
    pub segments: Vec<Segment>,
    /// `Some(Some(time))`: call [`Endpoint::timer`] then, and not when an earlier call said. `Some(None)`: no timer.
    /// `None`: as before.
    pub timer: Option<Option<Time>>,
    /// For this end the flow is over: the receiver has every byte, or the sender knows that. Said once by each end. The
    /// network forgets both when the sender says it, or the receiver if [`Transport::acknowledges`] is false.
    pub finished: bool,
    /// What a [`HostTransport`] wants done for other flows of its host, in this order, after all of the above. Wishes for a flow that is
    /// over are ignored.
    pub others: Vec<(HostFlow, Wish)>,
}

/// What a transport knows when a flow opens.
#[derive(Debug, Clone, Copy)]
pub struct FlowContext {
    /// The flow.
    pub flow: FlowSpec,
    /// The rate of the sender's link.
    pub access_rate: Rate,
    /// Time from here to there and back of an acknowledged segment of so many bytes as the transport says in
    /// [`Transport::full_segment_bytes`], with nothing else in the network.
    pub base_rtt: Duration,
    /// Root of the flow's random numbers.
    pub seed: Seed,
}

/// How flows are carried: makes their endpoints, or the protocol's instance at each host.
pub trait Transport: fmt::Debug + Send + Sync {
    /// The sender's and the receiver's end of a flow that knows of no other one.
    fn open(&self, context: &FlowContext) -> (Box<dyn Endpoint>, Box<dyn Endpoint>);

    /// The protocol at a host, for all flows there; [`None`] if each flow has endpoints of its own. The same answer for all
    /// hosts. In a network it takes the place of [`open`](Self::open).
    fn at_host(&self, _host: HostId) -> Option<Box<dyn HostTransport>> {
        None
    }

    /// Bytes on the wire of a segment that is full, and of one without data.
    fn full_segment_bytes(&self) -> (u32, u32);

    /// Whether the sender learns that the receiver has every byte.
    fn acknowledges(&self) -> bool {
        true
    }
}

/// A transport in the registry.
#[derive(Debug, Clone, Copy)]
pub struct TransportEntry {
    /// What it is.
    pub about: About,
    /// Builds it.
    pub build: fn(&Params) -> Result<Box<dyn Transport>, ParamError>,
}

impl Named for TransportEntry {
    fn about(&self) -> &About {
        &self.about
    }
}
