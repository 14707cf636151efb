//! Carries out the decisions of hooks: holds packets back, releases them, and carries messages.

use crate::net::event::{Event, to_u32};
use crate::net::graph::NodeId;
use crate::net::hook::{Arrival, Deed, Hooks, Message, Release};
use crate::net::hook_context::Reach;
use crate::net::lateness::Lateness;
use crate::net::network::Network;
use crate::net::packets::{InFlight, Place};
use crate::net::queued_packet::Queued;
use crate::net::sack::SackBlocks;
use crate::net::state::Refused;
use forebay_core::{Element, Time};

impl<E: Element, H: Hooks> Network<E, H> {
    /// Whether a packet goes on at once. If not, it is held back or was dropped.
    #[inline(never)]
    pub(crate) fn may_go_on(&mut self, now: Time, node: NodeId, index: u32) -> bool {
        let way = self.packets.get_mut(index);
        if way.place == Place::Released {
            return true;
        }
        way.place = Place::AtNode;
        let arrival = self.hooks.arrived(now, node, index, way, &self.flows);
        match arrival {
            Arrival::GoOn | Arrival::Hold => {}
            Arrival::HoldUntil(time) => self.events.schedule(time, Event::Release(index)),
            Arrival::Drop => {
                self.packets.remove(index);
                self.drops.state += 1;
            }
        }
        self.do_for_hooks(now);
        matches!(arrival, Arrival::GoOn)
    }

    /// Performs the additional actions that hooks request.
    #[inline]
    fn do_for_hooks(&mut self, now: Time) {
        while let Some(deed) = self.hooks.deed() {
            self.do_for_hook(now, deed);
        }
    }

    #[cold]
    fn do_for_hook(&mut self, now: Time, deed: Deed) {
        match deed {
            Deed::Call(time, number) => self.events.schedule(time, Event::HookTimer(number)),
            Deed::Release(time, index) => self.events.schedule(time, Event::Release(index)),
            Deed::Send(node, packet) => {
                if let Some(link) = self.routes.next_link(node, packet.to, || packet.key) {
                    self.inject(now, InFlight::of_hook(&packet), &SackBlocks::NONE, Lateness::NONE, link);
                }
            }
        }
    }

    /// A packet of a hook has arrived at a node. Says whether it was sent there, and is removed. If not, it goes on.
    #[cold]
    pub(crate) fn is_for_hook(&mut self, now: Time, node: NodeId, index: u32) -> bool {
        let Some(packet) = self.packets.get_mut(index).hook_packet() else { return false };
        let is_here = self.routes.node_of(packet.to) == node;
        if is_here {
            self.packets.remove(index);
            self.delivered += 1;
            self.hooks.received(now, &packet);
            self.do_for_hooks(now);
        }
        is_here
    }

    /// Releases a packet that was held back until now, and packets behind it that can be forwarded.
    #[cold]
    pub(crate) fn release(&mut self, now: Time, index: u32) {
        let link = self.packets.get_mut(index).link();
        let node = self.heads[link].node;
        self.hooks.released(now, node, index);
        self.goes_on(now, index);
        while let Some(next) = self.hooks.next(now, node, link) {
            match next {
                Release::Now(next) => self.goes_on(now, next),
                Release::At(time, next) => {
                    self.events.schedule(time, Event::Release(next));
                    break;
                }
            }
        }
        self.do_for_hooks(now);
    }

    /// A packet has been held back for long enough: it is as if it arrived once more.
    fn goes_on(&mut self, now: Time, index: u32) {
        self.packets.get_mut(index).place = Place::Released;
        self.on_wire += 1;
        self.arrive(now, index);
    }

    /// A packet waits in a port that notifies.
    #[inline(never)]
    pub(crate) fn tell_queued(&mut self, now: Time, link: usize, index: u32, rank: u64) {
        self.hooks.queued(link, &Queued::new(&self.packets, now, index, rank), &self.flows);
    }

    /// The element at a port that notifies has dropped an arriving packet.
    #[cold]
    pub(crate) fn tell_refused(&mut self, link: usize, rank: u64, size_bytes: u32) {
        let meter = &self.ports[link].meter;
        let (packets, bytes) = (u64::from(meter.packets_queued()), meter.bytes_queued());
        self.hooks.refused(link, &Refused { rank, size_bytes, packets, bytes });
    }

    /// The link of a port that notifies is free, and a packet waits. Says whether a message takes the link.
    #[inline(never)]
    pub(crate) fn tell_before(&mut self, now: Time, link: usize, waited: bool) -> bool {
        let port = &mut self.ports[link];
        let sent = match self.hooks.before(now, link, waited) {
            Message::Nothing => return false,
            Message::InGap => now,
            Message::Lasting(lasts) => {
                port.busy_until = now + lasts;
                port.meter.counts.busy_ps += lasts.as_ps();
                port.free_scheduled = true;
                self.events.schedule(port.busy_until, Event::Free(to_u32(link)));
                if port.loses(&mut self.losses) {
                    self.hooks.lost(link);
                }
                port.busy_until
            }
        };
        self.events.schedule(sent + port.propagation, Event::Message(to_u32(link)));
        sent > now
    }

    /// The link of a port is free, and no packet waits. Forecasts of packets that have yet to arrive there leave at once.
    #[cold]
    pub(crate) fn tell_ahead(&mut self, now: Time, link: usize) {
        if self.ports[link].up && self.hooks.idle(now, link) {
            self.events.schedule(now + self.ports[link].propagation, Event::Message(to_u32(link)));
        }
    }

    /// A message has reached the end of its link.
    #[inline(never)]
    pub(crate) fn message(&mut self, now: Time, link: usize) {
        let Self { hooks, flows, routes, heads, ports, events, .. } = self;
        hooks.heard(link, &mut Reach { now, flows, routes, heads, ports, events });
        self.do_for_hooks(now);
    }

    /// A hook asked to be called now.
    #[cold]
    pub(crate) fn hook_timer(&mut self, now: Time, number: u32) {
        let Self { hooks, flows, routes, heads, ports, events, .. } = self;
        hooks.timer(number, &mut Reach { now, flows, routes, heads, ports, events });
        self.do_for_hooks(now);
    }
}
