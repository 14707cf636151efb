//! A packet comes to a switch that has states, as a hook of the network.

use super::node::Came;
use super::states::States;
use crate::net::event::to_u32;
use crate::net::flow_table::FlowTable;
use crate::net::graph::NodeId;
use crate::net::hook::{Arrival, NodeHook, Release};
use crate::net::packets::InFlight;
use crate::net::reach::Reach;
use forebay_core::Time;

/// Nodes with states hold a packet back until its state is there, and those behind it if they keep their order.
impl NodeHook for States {
    fn holds_at(&self, node: NodeId) -> bool {
        self.place_of(node).is_some()
    }

    #[inline]
    fn arrived(&mut self, now: Time, node: NodeId, index: u32, packet: &InFlight, flows: &FlowTable) -> Arrival {
        let Some(place) = self.place_of(node) else { return Arrival::GoOn };
        let (link, port) = (packet.link(), self.wiring.port_of(packet.link));
        let states = self.at_place(place);
        let key = states.asked.state(packet, flows);
        states.ask(now, &Came { link, port, packet: index }, key)
    }

    fn released(&mut self, _: Time, node: NodeId, _: u32) {
        if let Some(place) = self.place_of(node) {
            self.at_place(place).waiting -= 1;
        }
    }

    fn next(&mut self, now: Time, node: NodeId, link: usize) -> Option<Release> {
        let place = self.place_of(node)?;
        let port = self.wiring.port_of(to_u32(link));
        self.at_place(place).next(now, port, link)
    }

    fn timer(&mut self, number: u32, reach: &mut Reach<'_>) {
        self.late_notice(number as usize, reach);
    }

    fn waiting(&self) -> u64 {
        self.packets_waiting()
    }
}
