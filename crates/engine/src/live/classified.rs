//! Methods for hosts that need a packet's port before the packet arrives.

use super::Live;
use crate::traits::Classify;
use forebay_core::{Packet, QueueId, Time, Verdict};

impl<E: Classify> Live<E> {
    /// Classifies as [`Classify::classify`], under the newest version.
    pub fn classify(&self, now: Time, packet: &Packet) -> Option<QueueId> {
        self.current.engine.classify(now, packet)
    }

    /// Enqueues as [`Classify::enqueue_classified`], under the newest version. If `policyId` chooses an older version (8.5), that version
    /// directs the packet itself.
    pub fn enqueue_classified(
        &mut self,
        now: Time,
        packet: Packet,
        queue: QueueId,
        evicted: &mut Vec<Packet>,
    ) -> Verdict {
        if let Some(at) = self.chosen(now, &packet) {
            return self.enqueue_under(at, now, packet, evicted);
        }
        let before = evicted.len();
        let verdict = self.current.engine.enqueue_classified(now, packet, queue, evicted);
        self.offered(now, &packet, &verdict, &evicted[before..]);
        verdict
    }
}
