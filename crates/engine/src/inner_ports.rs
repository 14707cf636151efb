//! The ports of a policy from which no packet leaves, with the pace of each (`docs/openqueue-semantics.md`, section 11).

use crate::live::Live;
use crate::pace::Pace;
use crate::traits::{Cycles, Engine, Passed};
use forebay_core::{Packet, Rate, Time};
use forebay_lang::ir::{Policy, PortId};

/// A port that leads to queues of a later stage.
#[derive(Debug)]
struct Port {
    id: PortId,
    pace: Pace,
    /// The time from which the next packet may begin.
    free_at: Time,
}

/// All such ports, in order of declaration.
#[derive(Debug)]
pub(crate) struct Inside(Vec<Port>);

impl Inside {
    /// Creates the inner ports of a policy whose ports are at links of these rates.
    pub(crate) fn of(policy: &Policy, rates: &[Rate]) -> Self {
        let ports = (0..=u16::MAX).map(PortId).zip(policy.ports.iter().zip(rates));
        let inside = ports.filter(|(_, (port, _))| port.next.is_some());
        let port = |(id, (port, link)): (PortId, (&forebay_lang::ir::Port, &Rate))| Port {
            id,
            pace: Pace::exactly(port.rate, *link),
            free_at: Time::ZERO,
        };
        Self(inside.map(port).collect())
    }

    /// Whether there are no such ports.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// 11.6: each free port begins a packet if it can, until none can. Returns whether one did.
    pub(crate) fn advance<E: Engine>(&mut self, live: &mut Live<E>, now: Time, dropped: &mut Vec<Packet>) -> bool {
        let mut began = false;
        loop {
            let mut again = false;
            for port in self.0.iter_mut().filter(|port| port.free_at <= now) {
                if let Passed::Packet { packet, .. } = live.pass(now, port.id, Cycles::All, dropped) {
                    port.free_at = now + port.pace.duration(packet.size_bytes);
                    again = true;
                }
            }
            if !again {
                return began;
            }
            began = true;
        }
    }

    /// Returns the next time at which a busy port becomes free.
    pub(crate) fn next_free(&self, now: Time) -> Option<Time> {
        self.0.iter().map(|port| port.free_at).filter(|free_at| *free_at > now).min()
    }
}
