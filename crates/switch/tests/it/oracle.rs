//! What an egress should do: the reference engine behind a link of a rate, in a few lines of its own.

use crate::support::whole_ns;
use forebay_core::{Packet, Rate, Seed, Time, Verdict};
use forebay_engine::live::Transition;
use forebay_engine::{Live, Reference};
use forebay_lang::Policy;
use forebay_lang::ir::{PortId, PortRate};

/// The egress that another one is held equal to.
pub(crate) struct Oracle {
    pub(crate) live: Live<Reference>,
    /// Picoseconds a byte, as a fraction.
    pace: (u128, u128),
    free_at: Time,
    waits_since: Time,
    next_id: u64,
    pub(crate) departures: Vec<(Time, Packet)>,
}

fn pace(policy: &Policy, rate: Rate) -> (u128, u128) {
    let bps = u128::from(rate.bits_per_second());
    match policy.ports[0].rate {
        PortRate::Percent(part) => {
            let (over, under) = (u128::try_from(*part.numer()).unwrap(), u128::try_from(*part.denom()).unwrap());
            (8_000_000_000_000 * 100 * under, bps * over)
        }
        PortRate::Rate(own) => (8_000_000_000_000, bps.min(own.bits_per_second().into())),
    }
}

impl Oracle {
    pub(crate) fn new(policy: &Policy, rate: Rate, seed: Seed) -> Self {
        Self {
            live: Live::new(Reference::new, policy.clone(), seed),
            pace: pace(policy, rate),
            free_at: Time::ZERO,
            waits_since: Time::ZERO,
            next_id: 0,
            departures: Vec::new(),
        }
    }

    /// What leaves up to a time.
    pub(crate) fn until(&mut self, end: Time) {
        while !self.live.is_empty() {
            let begun = self.free_at.max(self.waits_since);
            let now = whole_ns(begun);
            if now > end {
                return;
            }
            let packet = self.live.dequeue(now, PortId(0)).expect("something waits");
            let ps = (u128::from(packet.size_bytes) * self.pace.0).div_ceil(self.pace.1);
            self.free_at = Time::from_ps(begun.as_ps() + u64::try_from(ps).unwrap());
            self.departures.push((now, packet));
        }
    }

    /// A packet comes. The numbers of those that are pushed out, and whether it waits.
    pub(crate) fn arrive(&mut self, now: Time, mut packet: Packet) -> (Vec<u64>, bool) {
        packet.id = self.next_id;
        packet.arrival = now;
        self.next_id += 1;
        if self.live.is_empty() {
            self.waits_since = now;
        }
        let mut evicted = Vec::new();
        let verdict = self.live.enqueue(now, packet, &mut evicted);
        (evicted.iter().map(|packet| packet.id).collect(), matches!(verdict, Verdict::Queued { .. }))
    }

    /// Another policy, if no packet would be lost. Only for ports that are as fast as their link.
    pub(crate) fn change(&mut self, now: Time, policy: &Policy, transition: Transition) -> bool {
        self.live.change(now, policy.clone(), transition).is_ok()
    }
}
