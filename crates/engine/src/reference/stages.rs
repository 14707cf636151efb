//! Section 11: ports that lead to queues of a later stage.

use super::Reference;
use super::elements::{Entry, Scope};
use crate::traits::{Cycles, Passed};
use forebay_core::{Duration, Packet, QueueId, Time};
use forebay_lang::ir::PortId;
use std::sync::Arc;

impl Reference {
    /// 7.1, 11.3: returns the queue that a port serves next: the first in its order that has packets and is eligible.
    pub(super) fn chosen(&self, port: PortId) -> Option<QueueId> {
        let declared = &self.all.policy.ports[usize::from(port.0)];
        let eligible = declared.next.as_ref().and_then(|next| next.eligible.as_ref());
        let may_be_served = |queue: QueueId| match eligible {
            Some(eligible) => self.all.holds(eligible, &Scope { this_queue: Some(queue), ..Scope::default() }),
            None => true,
        };
        let queues: Vec<QueueId> = declared.queues.iter().copied().filter(|&queue| may_be_served(queue)).collect();
        self.all.first_queue(&queues, &declared.scheduling)
    }

    /// 11.4 and 11.5: serves the next packet of a port, which then enters a queue of the next stage.
    pub(super) fn passed(&mut self, now: Time, port: PortId, cycles: Cycles, dropped: &mut Vec<Packet>) -> Passed {
        let policy = Arc::clone(&self.all.policy);
        if policy.ports[usize::from(port.0)].next.is_none() {
            return Passed::Nothing;
        }
        let Some(queue) = self.chosen(port) else { return Passed::Nothing };
        // 11.4: where it goes is decided before it is served.
        let into = self.all.leads_to(queue);
        let Some(served) = self.serve(now, port, queue, cycles) else { return Passed::Cycle };
        if into.is_none() {
            self.counts.unclassified += 1;
        }
        let into = into.filter(|&into| {
            // 11.5: it arrives there, as any packet does, and its cycles are done.
            let packet = Packet { arrival: now, processing: Duration::ZERO, ..served.packet };
            let arriving = Entry { number: self.number(), packet, ..served };
            self.admit(now, into, arriving, dropped)
        });
        if into.is_none() {
            dropped.push(served.out());
        }
        Passed::Packet { packet: served.out(), into }
    }
}
