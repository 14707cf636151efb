//! A packet comes to a switch that has states.

use super::node::{Answer, Came};
use crate::net::forwarding::to_u32;
use crate::net::graph::NodeId;
use crate::net::network::{Event, Network};
use crate::net::packets::Place;
use forebay_core::{Element, Time};

impl<E: Element> Network<E> {
    /// Whether the packet goes on at once. If not, it waits or is gone.
    #[inline(never)]
    pub(crate) fn has_state(&mut self, now: Time, node: NodeId, index: u32) -> bool {
        let Some(place) = self.states.place_of(node) else { return true };
        let way = self.packets.get_mut(index);
        if way.place == Place::WithState {
            return true;
        }
        way.place = Place::AtNode;
        let (link, port) = (way.link, self.states.wiring.port_of(way.link));
        let states = self.states.at_place(place);
        let key = states.asked.state(way, &mut self.flows);
        let answer = states.ask(now, &Came { link: link as usize, port, packet: index }, key);
        match answer {
            Answer::GoOn | Answer::Hold => {}
            Answer::Wait(until) => self.events.schedule(until, Event::StateReady(index)),
            Answer::Drop => {
                self.packets.remove(index);
                self.drops.state += 1;
            }
        }
        matches!(answer, Answer::GoOn)
    }

    /// The state is there for which a packet has waited.
    #[cold]
    pub(crate) fn state_ready(&mut self, now: Time, index: u32) {
        let link = self.packets.get_mut(index).link as usize;
        let Some(place) = self.states.place_of(self.heads[link].node) else { return };
        let port = self.states.wiring.port_of(to_u32(link));
        self.goes_on(now, place, index);
        while let Some((next, since)) = self.states.at_place(place).next_in_line(link) {
            let states = self.states.at_place(place);
            let key = states.asked.state(self.packets.get_mut(next), &mut self.flows);
            if let Answer::Wait(until) = states.ask_held(now, port, since, key) {
                self.events.schedule(until, Event::StateReady(next));
                break;
            }
            self.goes_on(now, place, next);
        }
    }

    /// A packet has waited for long enough: it is as if it arrived once more.
    fn goes_on(&mut self, now: Time, place: usize, index: u32) {
        self.packets.get_mut(index).place = Place::WithState;
        self.states.at_place(place).waiting -= 1;
        self.on_wire += 1;
        self.arrive(now, index);
    }
}
