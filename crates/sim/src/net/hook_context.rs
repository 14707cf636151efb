//! The interface of a hook to the network when a message arrives or a timer expires.

use crate::EventWheel;
use crate::net::event::{Event, to_u32};
use crate::net::flow_table::FlowTable;
use crate::net::graph::NodeId;
use crate::net::link_head::Head;
use crate::net::routing::Routes;
use forebay_core::{Duration, Time};

/// The part of a network that a hook can reach.
pub struct Reach<'a> {
    pub(crate) now: Time,
    pub(crate) flows: &'a FlowTable,
    pub(crate) routes: &'a Routes,
    pub(crate) heads: &'a [Head],
    pub(crate) ports: &'a mut dyn Ports,
    pub(crate) events: &'a mut EventWheel<Event>,
}

/// The state of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortState {
    /// Whether the port's link works.
    pub up: bool,
    /// Whether the port's link is free and no packet waits for it.
    pub idle: bool,
    /// The time at which the link finishes its present transmission.
    pub free: Time,
}

/// The ports of a network, whatever their elements.
pub(crate) trait Ports {
    fn state(&self, now: Time, link: usize) -> PortState;

    fn propagation(&self, link: usize) -> Duration;

    /// Sets the port's flag that an event is scheduled for when its link is free. Returns the former flag.
    fn set_free_scheduled(&mut self, link: usize) -> bool;
}

impl Reach<'_> {
    /// The present time.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// The flows.
    #[must_use]
    pub fn flows(&self) -> &FlowTable {
        self.flows
    }

    /// Returns the node to which a link leads.
    #[must_use]
    pub fn head(&self, link: usize) -> NodeId {
        self.heads[link].node
    }

    /// Returns the link over which a packet of `flow` leaves `node`.
    #[must_use]
    pub fn next_link(&self, node: NodeId, flow: u32, to_receiver: bool) -> Option<usize> {
        let (src, dst) = self.flows.ends(flow);
        let to = if to_receiver { dst } else { src };
        self.routes.next_link(node, to, || self.flows.hash(flow, to_receiver))
    }

    /// Returns the state of the port of a link.
    #[must_use]
    pub fn port(&self, link: usize) -> PortState {
        self.ports.state(self.now, link)
    }

    /// Requests a call of [`NodeHook::timer`](crate::net::NodeHook::timer) with `number` at `time`.
    pub fn schedule(&mut self, time: Time, number: u32) {
        self.events.schedule(time, Event::HookTimer(number));
    }

    /// Sends a message that takes no time of the link from its port now.
    pub fn send(&mut self, link: usize) {
        self.events.schedule(self.now + self.ports.propagation(link), Event::Message(to_u32(link)));
    }

    /// Requests a call of the port's hook when the link is free, even if no packet waits then.
    pub fn ask_when_free(&mut self, link: usize) {
        if !self.ports.set_free_scheduled(link) {
            let free = self.ports.state(self.now, link).free;
            self.events.schedule(free, Event::Free(to_u32(link)));
        }
    }
}
