//! Handles packets that arrive at a node with states, as a hook of the network.

use super::state_node::Came;
use super::states::States;
use super::timers::Timer;
use crate::net::event::to_u32;
use crate::net::flow_table::FlowTable;
use crate::net::graph::NodeId;
use crate::net::hook::{Arrival, Deed, NodeHook, Release};
use crate::net::hook_context::Reach;
use crate::net::packets::{HookPacket, InFlight};
use forebay_core::Time;

/// Nodes with states hold a packet back until its state is there, and those behind it if they keep their order.
impl NodeHook for States {
    fn holds_at(&self, node: NodeId) -> bool {
        self.site_of(node).is_some()
    }

    #[inline]
    fn arrived(&mut self, now: Time, node: NodeId, index: u32, packet: &InFlight, flows: &FlowTable) -> Arrival {
        let Some(site) = self.site_of(node) else { return Arrival::GoOn };
        let (link, port) = (packet.link(), self.wiring.port_of(packet.link));
        let came = Came { link, port, packet: index };
        let arrival = self.sites[site].ask(now, &came, packet, flows, &mut self.applications);
        self.follow_up_at(now, site);
        arrival
    }

    fn released(&mut self, _: Time, node: NodeId, _: u32) {
        if let Some(site) = self.site_of(node) {
            self.sites[site].waiting -= 1;
        }
    }

    fn next(&mut self, now: Time, node: NodeId, link: usize) -> Option<Release> {
        let site = self.site_of(node)?;
        let port = self.wiring.port_of(to_u32(link));
        let release = self.sites[site].next(now, port, link, &mut self.applications);
        self.follow_up_at(now, site);
        release
    }

    fn timer(&mut self, number: u32, reach: &mut Reach<'_>) {
        match self.fetches.timer(number) {
            None => self.late_notice(number as usize, reach),
            Some(Timer::Retry { place, key, request }) => self.fetches.send(reach.now(), place, key, request),
            Some(Timer::Served { place, key, request }) => self.fetches.answer(place, key, request),
            Some(Timer::Manager { place }) => self.call_manager(reach.now(), place),
        }
    }

    fn addresses(&self) -> Vec<NodeId> {
        self.fetches.addresses().to_vec()
    }

    fn received(&mut self, now: Time, packet: &HookPacket) {
        if let Some((place, key)) = self.fetches.received(now, packet) {
            self.answered(now, place, key);
        }
    }

    #[inline]
    fn deed(&mut self) -> Option<Deed> {
        self.fetches.deed()
    }

    fn waiting(&self) -> u64 {
        self.packets_waiting()
    }
}
