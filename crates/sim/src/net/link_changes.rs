//! The reaction of a network to the change of a link.

use crate::net::change::Change;
use crate::net::event::{Event, index_of, to_u32};
use crate::net::hook::Hooks;
use crate::net::network::Network;
use crate::net::routing::Routes;
use forebay_core::{Element, Time, TransmissionTimes};

impl<E: Element, H: Hooks> Network<E, H> {
    pub(crate) fn change(&mut self, now: Time, number: u32) {
        let (_, change) = self.changes[number as usize];
        match change {
            Change::Down(link) => {
                self.fail(now, link);
                self.events.schedule(now + self.reroute_after, Event::Learn(number));
            }
            Change::Up(link) => {
                self.ports[link].up = true;
                if now >= self.ports[link].busy_until && !self.ports[link].free_scheduled {
                    self.transmit(now, link, false);
                }
                self.events.schedule(now + self.reroute_after, Event::Learn(number));
            }
            Change::Rate(link, rate) => {
                self.ports[link].port.service = TransmissionTimes::new(rate);
                self.hooks.sends_at(link, rate);
            }
            Change::Loss(link, probability) => self.ports[link].loss = threshold(probability),
        }
    }

    fn fail(&mut self, now: Time, link: usize) {
        let port = &mut self.ports[link];
        port.up = false;
        self.packets.lose_on(to_u32(link));
        self.hooks.failed(link);
        port.meter.count_queue(now);
        while let Some(mut packet) = port.port.element.dequeue(now, 0) {
            let size_bytes = packet.size_bytes;
            port.meter.left(size_bytes);
            if port.tells {
                self.hooks.left(link, packet.class);
            }
            port.port.evicted(now, &mut packet);
            port.meter.counts.packets_lost += 1;
            self.drops.link_down += 1;
            if let Some(memory) = port.memory {
                let memory = &mut self.memories[memory as usize];
                memory.give_back(size_bytes);
            }
            self.packets.remove(index_of(&packet));
        }
    }

    /// Switches learn of a link that failed or works again, which may have changed since, and find other ways.
    pub(crate) fn learn(&mut self, number: u32) {
        let (link, up) = match self.changes[number as usize].1 {
            Change::Down(link) => (link, false),
            Change::Up(link) => (link, true),
            Change::Rate(..) | Change::Loss(..) => return,
        };
        if std::mem::replace(&mut self.known_up[link], up) != up {
            let known_up = &self.known_up;
            self.routes = Routes::with_switches(&self.graph, &self.addresses, |link| known_up[link]);
        }
    }
}

/// A random 64-bit number is below this with the given probability.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn threshold(probability: f64) -> u64 {
    (probability * 2f64.powi(64)) as u64
}
