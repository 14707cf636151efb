//! Packets that pass from one stage of a policy to the next (`docs/openqueue-semantics.md`, section 11).

use super::Live;
use crate::traits::{Cycles, Engine, Passed};
use forebay_core::{Packet, Time};
use forebay_lang::ir::PortId;

impl<E: Engine> Live<E> {
    /// Passes a packet as [`Engine::pass`] does. A policy with stages has only one version.
    pub fn pass(&mut self, now: Time, port: PortId, cycles: Cycles, dropped: &mut Vec<Packet>) -> Passed {
        let before = dropped.len();
        let passed = self.current.engine.pass(now, port, cycles, dropped);
        for packet in &dropped[before..] {
            let policy_id = self.current.arrived_under(packet);
            self.left(now, policy_id, packet);
        }
        passed
    }
}
