//! The path of a packet between its two ends.

use crate::net::event::{Event, index_of, to_u32};
use crate::net::hook::Hooks;
use crate::net::lateness::Lateness;
use crate::net::link_head::Head;
use crate::net::network::Network;
use crate::net::packets::{Carries, InFlight, Place};
use crate::net::sack::SackBlocks;
use forebay_core::{Element, Time, Verdict};

impl<E: Element, H: Hooks> Network<E, H> {
    /// A packet wants to leave through a port.
    #[inline]
    pub(crate) fn send(&mut self, now: Time, link: usize, index: u32) {
        let port = &mut self.ports[link];
        port.meter.counts.packets_offered += 1;
        if !port.up {
            port.meter.counts.packets_lost += 1;
            self.drops.link_down += 1;
            self.packets.remove(index);
            return;
        }
        let way = self.packets.get_mut(index);
        way.link = to_u32(link);
        let size_bytes = way.wire_bytes();
        if let Some(memory) = port.memory {
            let memory = &mut self.memories[memory as usize];
            if !memory.admits(port.meter.bytes_queued(), size_bytes) {
                port.meter.counts.packets_dropped_shared += 1;
                self.drops.shared_buffer += 1;
                self.packets.remove(index);
                return;
            }
            memory.take(size_bytes);
        }
        port.meter.count_queue(now);
        let verdict = port.port.offer(now, || self.packets.offered(now, index), &mut self.evicted);
        if !self.evicted.is_empty() {
            self.drop_evicted(now);
        }
        let port = &mut self.ports[link];
        match verdict {
            Verdict::Queued { rank } => {
                port.meter.queued(size_bytes);
                port.port.queued(now, rank, || self.packets.offered(now, index));
                if port.tells {
                    self.tell_queued(now, link, index, rank);
                }
            }
            Verdict::Refused { rank } => {
                port.meter.counts.packets_dropped += 1;
                self.drops.discipline += 1;
                port.port.refused(now, rank, || self.packets.offered(now, index));
                self.packets.remove(index);
                if let Some(memory) = port.memory {
                    let memory = &mut self.memories[memory as usize];
                    memory.give_back(size_bytes);
                }
                if port.tells {
                    self.tell_refused(link, rank, size_bytes);
                }
            }
        }
        let port = &mut self.ports[link];
        if !port.free_scheduled {
            if now >= port.busy_until {
                self.transmit(now, link, false);
            } else if port.meter.packets_queued() > 0 {
                port.free_scheduled = true;
                self.events.schedule(port.busy_until, Event::Free(to_u32(link)));
            }
        }
    }

    /// Removes the packets that an element pushed out. Each packet waited for its own link, which may be another one of the same switch.
    #[cold]
    fn drop_evicted(&mut self, now: Time) {
        for mut victim in self.evicted.drain(..) {
            let index = index_of(&victim);
            let link = self.packets.get(index).link();
            let port = &mut self.ports[link];
            if port.tells {
                self.hooks.pushed_out(link);
            }
            port.meter.count_queue(now);
            port.port.evicted(now, &mut victim);
            port.meter.left(victim.size_bytes);
            port.meter.counts.packets_dropped += 1;
            self.drops.discipline += 1;
            if let Some(memory) = port.memory {
                let memory = &mut self.memories[memory as usize];
                memory.give_back(victim.size_bytes);
            }
            self.packets.remove(index);
        }
    }

    /// Lets the next packet of a port, whose link is free, leave. `waited`: it has waited behind another.
    #[inline]
    pub(crate) fn transmit(&mut self, now: Time, link: usize, waited: bool) {
        let port = &mut self.ports[link];
        if port.meter.packets_queued() == 0 || !port.up {
            if port.tells_ahead {
                self.tell_ahead(now, link);
            }
            return;
        }
        if port.tells && self.tell_before(now, link, waited) {
            return;
        }
        let port = &mut self.ports[link];
        // Looked at where it is, since a copy of what has just been written is slow.
        let mut packet = port.port.element.dequeue(now, 0);
        let Some(packet) = &mut packet else { return self.held_back(now, link) };
        let index = index_of(packet);
        if port.tells {
            self.hooks.left(link, packet.class);
        }
        port.meter.count_queue(now);
        port.meter.left(packet.size_bytes);
        let own = port.port.start(now, packet);
        let lasts = match &mut self.pace {
            None => own,
            Some(pace) => pace.lasts(link, own, waited),
        };
        port.busy_until = now + lasts;
        port.meter.sent(packet.size_bytes, lasts);
        port.port.complete(port.busy_until, packet);
        self.packets.left(now, packet, index);
        let way = self.packets.get_mut(index);
        if packet.marks.congested() && !way.marks.congested() {
            port.meter.counts.packets_marked += 1;
        }
        way.marks = packet.marks;
        let lost = port.loses(&mut self.losses);
        way.place = if lost { Place::LostOnLink } else { Place::OnLink };
        self.events.schedule(port.busy_until + port.propagation, Event::Arrival(index));
        if port.meter.packets_queued() > 0 || (port.tells_ahead && self.hooks.has_more(link)) {
            port.free_scheduled = true;
            self.events.schedule(port.busy_until, Event::Free(to_u32(link)));
        }
        self.on_wire += 1;
        self.packet_hops += 1;
        if let Some(memory) = port.memory {
            let memory = &mut self.memories[memory as usize];
            memory.give_back(packet.size_bytes);
        }
    }

    /// A discipline let nothing leave, though something waits.
    #[cold]
    fn held_back(&mut self, now: Time, link: usize) {
        let port = &mut self.ports[link];
        let wanted = port.port.element.next_wakeup(now, 0);
        if let Some(time) = wanted.and_then(|wanted| port.wakeup.set(now, wanted)) {
            self.events.schedule(time, Event::Wakeup(to_u32(link)));
        }
    }

    /// A discipline that held back wants to be asked again.
    pub(crate) fn wake(&mut self, now: Time, link: usize) {
        let port = &mut self.ports[link];
        if port.wakeup.fires(now) && now >= port.busy_until && !port.free_scheduled {
            self.transmit(now, link, false);
        }
    }

    /// A packet has reached the end of its link, or is released there.
    #[inline]
    pub(crate) fn arrive(&mut self, now: Time, index: u32) {
        self.on_wire -= 1;
        let way = self.packets.get_mut(index);
        if way.place == Place::LostOnLink {
            self.ports[way.link as usize].meter.counts.packets_lost += 1;
            self.drops.on_link += 1;
            self.packets.remove(index);
            return;
        }
        let Head { node, is_host, holds } = self.heads[way.link as usize];
        if way.carries == Carries::Segment {
            if holds && !self.may_go_on(now, node, index) {
                return;
            }
            if is_host {
                let way = self.packets.remove(index);
                self.delivered += 1;
                self.deliver(now, index, &way);
                return;
            }
        } else if self.is_for_hook(now, node, index) {
            return;
        }
        let way = self.packets.get_mut(index);
        way.place = Place::AtNode;
        let hash = || way.hook_packet().map_or_else(|| self.flows.hash(way.flow, way.to_receiver), |packet| packet.key);
        match self.routes.next_link(node, way.dst, hash) {
            Some(link) => self.send(now, link, index),
            None => {
                let over = self.packets.remove(index).link;
                self.ports[over as usize].meter.counts.packets_no_route += 1;
                self.drops.no_route += 1;
            }
        }
    }

    /// A packet is made by an endpoint, and goes into the queue of its host's network card.
    #[inline]
    pub(crate) fn inject(&mut self, now: Time, packet: InFlight, sack: &SackBlocks, lateness: Lateness, card: usize) {
        self.injected += 1;
        let index = self.packets.insert_with(packet, sack, lateness);
        self.send(now, card, index);
    }
}
