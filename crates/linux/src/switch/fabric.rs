//! The path of frames from one interface to others: offloads are undone, ports are found, and fields are read.

use crate::switch::change::forwards;
use crate::switch::forwarding::{Forwarding, Route};
use crate::switch::frame::{Malformed, Offload, finish, has_tag};
use crate::switch::ports::Ports;
use crate::switch::rule::Rule;
use forebay_core::Time;
use forebay_lang::Policy;
use forebay_targets::headers::{Mapping, Metadata};
use std::sync::Arc;

const VLAN_TAG: usize = 4;

/// The path between interfaces.
pub(crate) struct Fabric {
    pub(crate) mapping: Arc<Mapping>,
    pub(crate) forwarding: Forwarding,
    /// Whether the policy itself chooses the ports of frames, so that forwarding is not used.
    is_directed: bool,
    pub(crate) copies: u64,
    /// The buffer in which frames are completed.
    room: Vec<u8>,
    to: Vec<usize>,
}

impl Fabric {
    pub(crate) fn new(mapping: Mapping, forwarding: Forwarding, policy: &Policy) -> Self {
        let is_directed = forwards(policy, &mapping);
        Self { mapping: Arc::new(mapping), forwarding, is_directed, copies: 0, room: Vec::new(), to: Vec::new() }
    }

    /// Sets whether the policy itself chooses the ports of frames.
    pub(crate) fn follow(&mut self, is_directed: bool) {
        self.is_directed = is_directed;
    }

    /// Passes on a frame that arrived. Returns the number of frames that were made of it.
    pub(crate) fn pass(
        &mut self,
        now: Time,
        ingress: usize,
        bytes: &[u8],
        offload: Offload,
        ports: &mut Ports,
    ) -> usize {
        let counts = &mut ports.all[ingress].counts;
        counts.received += 1;
        counts.received_bytes += bytes.len() as u64;
        let mut room = std::mem::take(&mut self.room);
        let mut made = 0_usize;
        let done = finish(bytes, offload, &mut room, &mut |frame| {
            made += 1;
            self.forward(now, ingress, frame, ports);
        });
        self.room = room;
        match done {
            Ok(()) => self.copies += made as u64 - 1,
            Err(Malformed) => ports.all[ingress].counts.dropped_on_arrival.add(Rule::Malformed, 1),
        }
        made
    }

    fn forward(&mut self, now: Time, ingress: usize, frame: &[u8], ports: &mut Ports) {
        let dropped = &mut ports.all[ingress].counts.dropped_on_arrival;
        if self.is_directed {
            if self.forwarding.keeps(frame) {
                return dropped.add(Rule::LinkLocal, 1);
            }
            return self.offer(now, ingress, ingress, frame, ports);
        }
        let mut to = std::mem::take(&mut self.to);
        match self.forwarding.route(now, ingress, frame, &mut to) {
            Route::LinkLocal => dropped.add(Rule::LinkLocal, 1),
            Route::Ports if to.is_empty() => dropped.add(Rule::NoRoute, 1),
            Route::Ports => {
                self.copies += to.len() as u64 - 1;
                to.iter().for_each(|to| self.offer(now, ingress, *to, frame, ports));
            }
        }
        self.to = to;
    }

    fn offer(&self, now: Time, ingress: usize, to: usize, frame: &[u8], ports: &mut Ports) {
        let egress = u32::try_from(to).expect("fewer than 2^32 interfaces");
        let packet = self.mapping.packet(frame, Metadata { egress, ..Metadata::default() });
        let tag = if has_tag(frame) { VLAN_TAG } else { 0 };
        ports.offer(now, ingress, to, packet, frame, tag);
    }
}
