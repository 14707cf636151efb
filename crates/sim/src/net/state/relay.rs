//! Nodes that pass on what they are told: to the next node on a packet's way, before the packet has come.
//!
//! When a notification reaches a node, the node knows when the packet will have come, and which way it will go on. If the
//! port there tells the next node what waits, a forecast goes ahead: the packet will leave behind what waits now. Forecasts
//! are not passed on again, so who is told knows of packets that are two links away. When the packet comes, its own
//! notification takes the forecast's place.

use super::announcing::Naming;
use super::name::Name;
use crate::net::forwarding::to_u32;
use crate::net::graph::NodeId;
use crate::net::network::{Event, Network};
use forebay_cache::seer::Fpm;
use forebay_core::{Duration, Element, Time};

impl<E: Element> Network<E> {
    /// Notifications that name packets have reached the end of their link; `control`: how long they took of it.
    #[inline(never)]
    pub(super) fn notice_of_packets(&mut self, now: Time, link: usize, fpms: &[Fpm], control: Option<Duration>) {
        let Some(announcing) = self.states.wiring.announcing(link) else { return };
        let (port, asked) = (announcing.port, announcing.asked);
        let is_told = announcing.naming == Naming::Packets;
        let node = self.heads[link].node;
        let (mut firm, mut ahead, mut ended) = (Vec::new(), Vec::new(), 0);
        for fpm in fpms {
            let name = Name::from_id(fpm.id);
            match asked.of(name.flow, name.to_receiver, name.has_data, &mut self.flows).filter(|_| is_told) {
                Some(id) if name.is_forecast => ahead.push(Fpm { id, ..*fpm }),
                Some(id) => firm.push(Fpm { id, ..*fpm }),
                None => ended += 1,
            }
            if !name.is_forecast {
                self.pass_on(now, node, name, fpm);
            }
        }
        let Some((announcing, told)) = self.states.told_by(link) else { return };
        announcing.ended += ended;
        if is_told && (control.is_some() || !firm.is_empty()) {
            told.hear(now, port, control, firm);
        }
        if let Some(cache) = told.told().filter(|_| !ahead.is_empty()) {
            cache.forecast(now, port, &ahead);
        }
    }

    /// A packet will come to a node.
    fn pass_on(&mut self, now: Time, node: NodeId, name: Name, fpm: &Fpm) {
        let flow = self.flows.record(name.flow).flow;
        let to = if name.to_receiver { flow.dst } else { flow.src };
        let hash = || self.flows.hash(name.flow, name.to_receiver);
        let Some(link) = self.routes.next_link(node, to, hash) else { return };
        let port = &self.ports[link];
        let (is_idle, free) = (now >= port.busy_until && !port.free_scheduled, port.busy_until.max(now));
        if !port.relays || !port.up {
            return;
        }
        let Some(announcing) = self.states.wiring.announcing(link) else { return };
        announcing.forecast(name, fpm.size_bytes, now + fpm.delay, free);
        if is_idle {
            self.tell_ahead(now, link);
        } else if !port.free_scheduled {
            self.ports[link].free_scheduled = true;
            self.events.schedule(free, Event::Free(to_u32(link)));
        }
    }

    /// The link of a port is idle: forecasts leave at once.
    #[cold]
    pub(crate) fn tell_ahead(&mut self, now: Time, link: usize) {
        let Some(announcing) = self.states.wiring.announcing(link) else { return };
        if self.ports[link].up && announcing.ahead(now) {
            self.events.schedule(now + self.ports[link].propagation, Event::Notice(to_u32(link)));
        }
    }
}
