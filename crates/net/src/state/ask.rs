//! A packet comes to a switch that has states.

use super::node::Answer;
use crate::graph::NodeId;
use crate::network::{Event, Network};
use forebay_core::{Element, Time};

impl<E: Element> Network<E> {
    /// Whether the packet goes on at once. If not, it waits or is gone.
    #[inline(never)]
    pub(crate) fn has_state(&mut self, now: Time, node: NodeId, index: u32) -> bool {
        let Some(states) = self.states.at(node) else { return true };
        let way = self.packets.get_mut(index);
        if !states.spec.acknowledgements && !way.has_data() {
            return true;
        }
        let ends = || {
            let flow = self.flows.record(way.flow).flow;
            (flow.src, flow.dst)
        };
        let key = states.spec.key.of(way.flow, way.to_receiver, ends);
        let answer = states.ask(now, way.link as usize, key);
        match answer {
            Answer::GoOn => {}
            Answer::Wait(until) => self.events.schedule(until, Event::StateReady(index)),
            Answer::Drop => {
                self.packets.remove(index);
                self.drops.state += 1;
            }
        }
        if let Some(place) = self.states.place_of(node) {
            self.plan_iteration(now, place);
        }
        matches!(answer, Answer::GoOn)
    }

    /// The state is there for which a packet has waited.
    #[inline(never)]
    pub(crate) fn state_ready(&mut self, now: Time, index: u32) {
        let way = self.packets.get_mut(index);
        let node = self.heads[way.link as usize].node;
        if let Some(states) = self.states.at(node) {
            states.waiting -= 1;
        }
        self.forward(now, node, index);
    }
}
