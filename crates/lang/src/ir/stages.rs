//! Stages of buffers: ports that lead to queues of a later stage (`docs/openqueue-semantics.md`, section 11).

use super::{Cond, Entry, Policy, PortId};
use forebay_core::QueueId;

/// The next stage of a port: the queues that its packets enter, and the queues that the port may serve.
#[derive(Debug, Clone, PartialEq)]
pub struct Next {
    /// The cases that choose the queue of a packet ([`PacketRef::This`](super::PacketRef::This)); at least one.
    pub entries: Vec<Entry>,
    /// The condition under which a queue ([`QueueRef::This`](super::QueueRef::This)) may be served. `None`: all queues with packets.
    pub eligible: Option<Cond>,
}

impl Next {
    /// Returns the queues that a packet may enter, each once and in order of declaration.
    #[must_use]
    pub fn queues(&self) -> Vec<QueueId> {
        let mut queues: Vec<QueueId> = self.entries.iter().flat_map(|entry| &entry.queues).copied().collect();
        queues.sort_unstable();
        queues.dedup();
        queues
    }
}

impl Policy {
    /// Whether a port leads to queues of a later stage.
    #[must_use]
    pub fn has_stages(&self) -> bool {
        self.ports.iter().any(|port| port.next.is_some())
    }

    /// Returns the ports from which packets leave the policy, in order of declaration.
    pub fn exits(&self) -> impl Iterator<Item = PortId> + '_ {
        (0..=u16::MAX).map(PortId).zip(&self.ports).filter(|(_, port)| port.next.is_none()).map(|(id, _)| id)
    }

    /// Returns the queues that no port leads to, in order of declaration: arriving packets enter these.
    #[must_use]
    pub fn entrances(&self) -> Vec<QueueId> {
        let mut later = vec![false; self.queues.len()];
        for queue in self.ports.iter().filter_map(|port| port.next.as_ref()).flat_map(Next::queues) {
            if let Some(later) = later.get_mut(usize::from(queue.0)) {
                *later = true;
            }
        }
        (0..=u16::MAX).map(QueueId).zip(later).filter(|(_, later)| !later).map(|(id, _)| id).collect()
    }

    /// Returns ports that lead in a circle, each to the next and the last to the first. The first is the one that is declared first.
    #[must_use]
    pub fn circle(&self) -> Option<Vec<PortId>> {
        let mut known = vec![Walk::New; self.ports.len()];
        (0..=u16::MAX).map(PortId).take(self.ports.len()).find_map(|port| self.circle_from(port, &mut known))
    }

    fn circle_from(&self, start: PortId, known: &mut [Walk]) -> Option<Vec<PortId>> {
        let place = |port: PortId| usize::from(port.0);
        let leads_to = |port: PortId| -> Vec<PortId> {
            let next = self.ports.get(place(port)).and_then(|port| port.next.as_ref());
            let queues = next.map(Next::queues).unwrap_or_default();
            queues.iter().filter_map(|queue| Some(self.queues.get(usize::from(queue.0))?.port)).collect()
        };
        if known[place(start)] != Walk::New {
            return None;
        }
        known[place(start)] = Walk::OnTheWay;
        // The ports from `start` on, each with what it leads to and is not looked at yet.
        let mut way = vec![(start, leads_to(start))];
        while let Some((port, left)) = way.last_mut() {
            let port = *port;
            let Some(next) = left.pop() else {
                known[place(port)] = Walk::Done;
                way.pop();
                continue;
            };
            match known.get(place(next)) {
                Some(Walk::New) => {
                    known[place(next)] = Walk::OnTheWay;
                    way.push((next, leads_to(next)));
                }
                Some(Walk::OnTheWay) => {
                    let first = way.iter().position(|(port, _)| *port == next).unwrap_or_default();
                    let mut circle: Vec<PortId> = way[first..].iter().map(|(port, _)| *port).collect();
                    let lowest = circle.iter().enumerate().min_by_key(|(_, port)| **port).map_or(0, |(at, _)| at);
                    circle.rotate_left(lowest);
                    return Some(circle);
                }
                Some(Walk::Done) | None => {}
            }
        }
        None
    }
}

/// The progress of the search at a port.
#[derive(Clone, Copy, PartialEq)]
enum Walk {
    New,
    OnTheWay,
    Done,
}
