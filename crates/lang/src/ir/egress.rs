//! Checks whether a policy with several ports sends each packet by the port that its `queue` names.
//!
//! In a network the route of a packet determines the link by which it leaves a switch, and its `queue` is the number of that
//! link. A policy that puts the packet into a queue of another port would send it astray. The check is safe: a policy passes
//! only if it is proved that no packet goes astray, from bounds of the conditions and indexes of `classify`.

use super::truth::truth;
use super::{Entry, Interval, PacketField, PacketRef, Policy, PortId, Read, interval_where};
use crate::number::Fixed;
use forebay_core::QueueId;

/// A queue that packets for another port may enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Astray {
    /// The port by which the packets are to leave.
    pub egress: PortId,
    /// The queue that they may enter, which belongs to another port.
    pub queue: QueueId,
}

impl Policy {
    /// Returns a case in which packets may depart by another port than the one that their `queue` numbers, from 0.
    #[must_use]
    pub fn astray(&self) -> Option<Astray> {
        (0..=u16::MAX).map(PortId).take(self.ports.len()).find_map(|egress| {
            let queue = self.entered(egress).find(|queue| self.port_of(*queue) != egress)?;
            Some(Astray { egress, queue })
        })
    }

    /// Returns the port that a queue belongs to.
    fn port_of(&self, queue: QueueId) -> PortId {
        self.queues[usize::from(queue.0)].port
    }

    /// Returns the queues that packets for a port may enter (`docs/openqueue-semantics.md`, section 5).
    fn entered(&self, egress: PortId) -> impl Iterator<Item = QueueId> {
        let of_port = move |read| match read {
            Read::Packet(PacketRef::This, PacketField::Queue) => {
                let number = Fixed::whole(egress.0.into());
                Some(Interval { least: number, greatest: number, whole: true })
            }
            _ => None,
        };
        let unclassified = match (self.classify.len(), self.queues.len()) {
            (0, 1) => Some(QueueId(0)),
            (0, _) => Some(QueueId(egress.0)),
            _ => None,
        };
        let mut is_open = true;
        let cases = self.classify.iter().filter_map(move |entry| {
            let holds = truth(&entry.when, &of_port);
            let may_hold = is_open && holds != Some(false);
            is_open &= holds != Some(true);
            may_hold.then(|| entry.among(&of_port))
        });
        unclassified.into_iter().chain(cases.flatten().copied())
    }
}

impl Entry {
    /// Returns the queues that the index can choose.
    fn among(&self, known: &dyn Fn(Read) -> Option<Interval>) -> &[QueueId] {
        let index = interval_where(&self.index, known);
        let place = |index: Fixed| (index.0 >> Fixed::FRACTION_BITS).saturating_sub(self.first);
        let end = place(index.greatest).saturating_add(1);
        let clamp = |place: i64| usize::try_from(place.max(0)).unwrap_or(usize::MAX).min(self.queues.len());
        &self.queues[clamp(place(index.least))..clamp(end)]
    }
}
