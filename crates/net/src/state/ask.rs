//! A packet comes to a switch that has states.

use super::node::Answer;
use crate::graph::NodeId;
use crate::network::{Event, Network};
use crate::packets::Place;
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
        let port = self.states.port_of(way.link);
        let states = self.states.at_place(place);
        let Some(key) = states.spec.asked.state(way, &mut self.flows) else { return true };
        let answer = states.ask(now, port, key);
        match answer {
            Answer::GoOn => {}
            Answer::Wait(until) => self.events.schedule(until, Event::StateReady(index)),
            Answer::Drop => {
                self.packets.remove(index);
                self.drops.state += 1;
            }
        }
        matches!(answer, Answer::GoOn)
    }

    /// The state is there for which a packet has waited: it is as if it arrived once more.
    #[cold]
    pub(crate) fn state_ready(&mut self, index: u32) {
        let way = self.packets.get_mut(index);
        way.place = Place::WithState;
        self.on_wire += 1;
        let node = self.heads[way.link as usize].node;
        if let Some(states) = self.states.at(node) {
            states.waiting -= 1;
        }
    }
}
