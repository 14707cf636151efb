//! What an egress should do: the reference engine behind links of a rate, in a few lines of its own.

use crate::switch::support::whole_ns;
use forebay_core::{Packet, QueueId, Rate, Seed, Time, Verdict};
use forebay_engine::live::Transition;
use forebay_engine::{Engine, EngineOptions, Live, Reference};
use forebay_lang::Policy;
use forebay_lang::ir::{PortId, PortRate};
use std::collections::BTreeMap;

/// A port of the egress.
struct Link {
    /// Picoseconds a byte, as a fraction.
    pace: (u128, u128),
    free_at: Time,
    waits_since: Time,
}

/// The egress that another one is held equal to.
pub(crate) struct Oracle {
    pub(crate) live: Live<Reference>,
    links: Vec<Link>,
    next_id: u64,
    /// The ports by which packets will leave.
    waiting: BTreeMap<u64, usize>,
    /// When, by which port, and what.
    pub(crate) departures: Vec<(Time, usize, Packet)>,
}

fn pace(port: PortRate, rate: Rate) -> (u128, u128) {
    let bps = u128::from(rate.bits_per_second());
    match port {
        PortRate::Percent(part) => {
            let (over, under) = (u128::try_from(*part.numer()).unwrap(), u128::try_from(*part.denom()).unwrap());
            (8_000_000_000_000 * 100 * under, bps * over)
        }
        PortRate::Rate(own) => (8_000_000_000_000, bps.min(own.bits_per_second().into())),
    }
}

/// The port for which a policy has a queue for the packet: that of an instance that has no other packet.
pub(crate) fn port_of(policy: &Policy, now: Time, packet: &Packet) -> Option<usize> {
    let mut alone = Reference::new(policy, EngineOptions { policy_id: 1, seed: Seed(0) });
    alone.enqueue(now, Packet { arrival: now, ..*packet }, &mut Vec::new());
    let mut queues = (0..).map(QueueId).zip(&policy.queues);
    queues.find(|(id, _)| alone.occupancy(*id).packets > 0).map(|(_, queue)| queue.port.0.into())
}

impl Oracle {
    pub(crate) fn new(policy: &Policy, rate: Rate, seed: Seed) -> Self {
        let link = |rate| Link { pace: rate, free_at: Time::ZERO, waits_since: Time::ZERO };
        Self {
            live: Live::new(Reference::new, policy.clone(), seed),
            links: policy.ports.iter().map(|port| link(pace(port.rate, rate))).collect(),
            next_id: 0,
            waiting: BTreeMap::new(),
            departures: Vec::new(),
        }
    }

    /// Whether packets wait for a port.
    fn is_busy(&self, port: usize) -> bool {
        self.waiting.values().any(|at| *at == port)
    }

    /// What leaves up to a time.
    pub(crate) fn until(&mut self, end: Time) {
        let begun = |link: &Link| link.free_at.max(link.waits_since);
        loop {
            let busy = (0..self.links.len()).filter(|port| self.is_busy(*port));
            let Some((now, port)) = busy.map(|port| (whole_ns(begun(&self.links[port])), port)).min() else { return };
            if now > end {
                return;
            }
            let packet = self.live.dequeue(now, PortId(u16::try_from(port).unwrap())).expect("something waits");
            assert_eq!(self.waiting.remove(&packet.id), Some(port));
            let link = &mut self.links[port];
            let ps = (u128::from(packet.size_bytes) * link.pace.0).div_ceil(link.pace.1);
            link.free_at = Time::from_ps(begun(link).as_ps() + u64::try_from(ps).unwrap());
            self.departures.push((now, port, packet));
        }
    }

    /// A packet arrives. Returns the numbers of packets that are pushed out, and whether it waits.
    pub(crate) fn arrive(&mut self, now: Time, mut packet: Packet) -> (Vec<u64>, bool) {
        packet.id = self.next_id;
        packet.arrival = now;
        self.next_id += 1;
        let mut evicted = Vec::new();
        let verdict = self.live.enqueue(now, packet, &mut evicted);
        evicted.iter().for_each(|packet| assert!(self.waiting.remove(&packet.id).is_some()));
        let is_queued = matches!(verdict, Verdict::Queued { .. });
        if is_queued {
            let policy = self.live.policy();
            let port = if policy.ports.len() == 1 { 0 } else { port_of(policy, now, &packet).unwrap() };
            if !self.is_busy(port) {
                self.links[port].waits_since = now;
            }
            self.waiting.insert(packet.id, port);
        }
        (evicted.iter().map(|packet| packet.id).collect(), is_queued)
    }

    /// Another policy, if no packet would be lost. Only for ports that are as fast as their link.
    pub(crate) fn change(&mut self, now: Time, policy: &Policy, transition: Transition) -> bool {
        self.live.change(now, policy.clone(), transition).is_ok()
    }
}
