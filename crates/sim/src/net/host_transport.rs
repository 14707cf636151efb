//! A transport of a whole host: one instance per host, which sees all flows of its host.
//!
//! A congestion control decides about one flow (`congestion/control.rs`). Some protocols need more than that. A receiver that grants one of
//! its senders after the other has to know the other flows of its host. So has a sender that lets its shortest flow go first. Such a
//! protocol implements [`HostTransport`], and its [`Transport`] makes an instance for each host.
//!
//! A call is about one flow, and [`Actions`] are those of this flow. [`Actions::others`] holds requests for other flows of the host. Each
//! flow has one timer at each end, as with [`Endpoint`].
//!
//! The network gives a flow two [`Endpoint`]s in either case. Here each endpoint is a handle: the instance of its host, and the flow's slot
//! in this instance. A call costs one indirection more than a call to a separate endpoint.

use crate::net::endpoint::{Actions, Endpoint, FlowContext, Transport};
use crate::net::flow::HostId;
use crate::net::flow_end::End;
use crate::net::segment::Segment;
use crate::net::transport_counts::TransportCounts;
use forebay_core::Time;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// A flow at one of its two ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostFlow {
    /// The number of the flow in the run.
    pub number: u32,
    /// The flow's end at this host: sender or receiver.
    pub end: End,
}

/// A request for a flow other than the flow of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Send this segment, as in [`Actions::segments`].
    Send(Segment),
    /// Set the flow's timer, or stop it, as in [`Actions::timer`].
    Timer(Option<Time>),
    /// The flow is over for this end, as in [`Actions::finished`].
    Finished,
}

/// A protocol at one host, for all flows that the host sends or receives with it. It does no IO and reads no clock.
pub trait HostTransport: fmt::Debug {
    /// A flow opens. Returns the slot by which all later calls name it; the slot is free again after
    /// [`close`](Self::close).
    fn open(&mut self, flow: HostFlow, context: &FlowContext) -> usize;

    /// The flow starts: as [`Endpoint::start`].
    fn start(&mut self, slot: usize, now: Time, actions: &mut Actions);

    /// A segment of the flow arrived from the other end.
    fn receive(&mut self, slot: usize, now: Time, segment: &Segment, actions: &mut Actions);

    /// The timer of a flow has expired.
    fn timer(&mut self, slot: usize, now: Time, actions: &mut Actions);

    /// The flow is over at both ends, or the run is. Nothing is called for it any more, and it may have no further wishes.
    fn close(&mut self, slot: usize);

    /// The counts of the flow so far.
    fn counts(&self, _slot: usize) -> TransportCounts {
        TransportCounts::default()
    }

    /// Bytes of the flow that have arrived here, each counted once.
    fn received_bytes(&self, _slot: usize) -> u64 {
        0
    }

    /// Bytes of the flow that may be in flight now, if there is such a window.
    fn window_bytes(&self, _slot: usize) -> Option<u64> {
        None
    }
}

/// An instance that the handles of its flows share.
type Shared = Rc<RefCell<Box<dyn HostTransport>>>;

/// A flow's handle at one of its hosts.
#[derive(Debug)]
struct Hosted {
    host: Shared,
    slot: usize,
}

impl Hosted {
    fn open(host: &Shared, flow: HostFlow, context: &FlowContext) -> Box<dyn Endpoint> {
        let slot = host.borrow_mut().open(flow, context);
        Box::new(Self { host: Rc::clone(host), slot })
    }
}

impl Drop for Hosted {
    fn drop(&mut self) {
        self.host.borrow_mut().close(self.slot);
    }
}

impl Endpoint for Hosted {
    fn start(&mut self, now: Time, actions: &mut Actions) {
        self.host.borrow_mut().start(self.slot, now, actions);
    }

    fn receive(&mut self, now: Time, segment: &Segment, actions: &mut Actions) {
        self.host.borrow_mut().receive(self.slot, now, segment, actions);
    }

    fn timer(&mut self, now: Time, actions: &mut Actions) {
        self.host.borrow_mut().timer(self.slot, now, actions);
    }

    fn counts(&self) -> TransportCounts {
        self.host.borrow().counts(self.slot)
    }

    fn received_bytes(&self) -> u64 {
        self.host.borrow().received_bytes(self.slot)
    }

    fn window_bytes(&self) -> Option<u64> {
        self.host.borrow().window_bytes(self.slot)
    }
}

/// A flow between two hosts that have no other flow.
pub(crate) fn alone(
    [sender, receiver]: [Box<dyn HostTransport>; 2],
    context: &FlowContext,
) -> (Box<dyn Endpoint>, Box<dyn Endpoint>) {
    let open = |host, end| Hosted::open(&Rc::new(RefCell::new(host)), HostFlow { number: 0, end }, context);
    (open(sender, End::Sender), open(receiver, End::Receiver))
}

/// The instances of a run: one for each workload and host, made when its first flow opens.
#[derive(Debug, Default)]
pub(crate) struct HostTransports {
    instances: Vec<Vec<Option<Shared>>>,
}

impl HostTransports {
    /// Both ends of the flow of this number.
    pub(crate) fn open(
        &mut self,
        number: u32,
        transport: &dyn Transport,
        context: &FlowContext,
    ) -> (Box<dyn Endpoint>, Box<dyn Endpoint>) {
        let flow = context.flow;
        let Some(sender) = self.instance(flow.workload, flow.src, transport) else { return transport.open(context) };
        let Some(receiver) = self.instance(flow.workload, flow.dst, transport) else { return transport.open(context) };
        let open = |host, end| Hosted::open(host, HostFlow { number, end }, context);
        (open(&sender, End::Sender), open(&receiver, End::Receiver))
    }

    fn instance(&mut self, workload: u16, host: HostId, transport: &dyn Transport) -> Option<Shared> {
        let workload = usize::from(workload);
        if let Some(Some(known)) = self.instances.get(workload).and_then(|of_hosts| of_hosts.get(host.index())) {
            return Some(Rc::clone(known));
        }
        let made = Rc::new(RefCell::new(transport.at_host(host)?));
        if self.instances.len() <= workload {
            self.instances.resize_with(workload + 1, Vec::new);
        }
        let of_hosts = &mut self.instances[workload];
        if of_hosts.len() <= host.index() {
            of_hosts.resize_with(host.index() + 1, || None);
        }
        of_hosts[host.index()] = Some(Rc::clone(&made));
        Some(made)
    }
}
