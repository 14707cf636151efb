//! The queue that a policy in OpenQueue chooses for a packet, for a port that notifies the next node of its packets.

use crate::openqueue;
use crate::scenario::OqPlan;
use forebay_core::{ClassId, Packet, Seed, Time};
use forebay_engine::{Classify as _, EngineOptions, Fast, Pace};
use forebay_lang::Policy;
use forebay_lang::ir::{PacketField, PacketRef, Read};
use forebay_sim::net::QueueChoice;
use std::sync::Arc;

/// The queues of a policy that serves FIFO queues in strict priority.
#[derive(Debug, Clone)]
pub(super) struct Classified {
    policy: Arc<Policy>,
    /// For each queue its place in the order of service.
    places: Vec<usize>,
}

impl Classified {
    /// Reads the queues from the policy of a port.
    ///
    /// # Errors Says why the order of service is unknown when a packet arrives, and what to write instead.
    pub(super) fn of(plan: &OqPlan) -> Result<Self, String> {
        let refused = |why: &dyn std::fmt::Display| format!("in {}, {why}", plan.file);
        let policy = &plan.policy;
        if let Some(change) = plan.changes.first() {
            let ns = change.at.as_ps() / 1_000;
            return Err(refused(&format!("a change at {ns} ns may reorder packets that wait; leave `changes` out")));
        }
        let order = policy.strict_priorities().map_err(|why| refused(&why))?;
        let slower =
            policy.ports.iter().zip(&plan.link_rates).find(|(port, link)| Pace::of(port.rate, **link).is_some());
        if let Some((port, _)) = slower {
            return Err(refused(&format!("port `{}` is slower than its link; give it 100", port.name)));
        }
        let mut places = vec![0; policy.queues.len()];
        for (place, queue) in order.iter().enumerate() {
            places[usize::from(queue.0)] = place;
        }
        Ok(Self { policy: Arc::new(policy.clone()), places })
    }

    /// Returns the number of queues.
    pub(super) fn queues(&self) -> usize {
        self.places.len()
    }

    /// Returns the queue of each class, if the queue depends on the class alone; 0 for classes that no queue accepts.
    pub(super) fn by_class(&self) -> Option<Box<[u8; 256]>> {
        let mut by_class = self.policy.queues.len() <= 256 && !self.policy.classify.is_empty();
        let mut see = |read| by_class &= matches!(read, Read::Packet(PacketRef::This, PacketField::Class));
        for entry in &self.policy.classify {
            entry.when.reads(&mut see);
            entry.index.reads(&mut see);
        }
        by_class.then(|| {
            let mut followed = self.followed();
            let mut table = Box::new([0; 256]);
            for class in 0..=u8::MAX {
                let packet = Packet { class: ClassId(class), ..Packet::default() };
                table[usize::from(class)] = u8::try_from(followed.queued(&packet)).unwrap_or(0);
            }
            table
        })
    }

    /// Returns a classifier that reports the queue of each packet.
    pub(super) fn followed(&self) -> Followed {
        let options = EngineOptions { policy_id: 1, seed: Seed(0) };
        Followed { engine: openqueue::fast(&self.policy, options), places: self.places.clone() }
    }
}

/// The classifier of a policy: an engine in which nothing waits.
pub(super) struct Followed {
    engine: Fast,
    places: Vec<usize>,
}

impl QueueChoice for Followed {
    fn queued(&mut self, packet: &Packet) -> usize {
        // A packet arrives at the port when it is classified.
        let now: Time = packet.arrival;
        self.engine.classify(now, packet).map_or(0, |queue| self.places[usize::from(queue.0)])
    }
}
