//! Innocent and attack traffic on one link.
//!
//! Both are streams of [`Arrival`]s; [`Traffic`] merges them into packets. Flows of innocent
//! traffic get even numbers and flows of attacks odd ones, so that probes can tell them
//! apart. Policies see flows, of course, but none knows of this rule.

mod attack;
pub(crate) mod innocent;

pub use attack::{Attack, OWN_FLOWS, Strategy, Timing};
pub use innocent::{Gaps, Innocent};

use crate::jobs::Job;
use forebay_core::{Field, Fields, FlowId, Packet, Source, Time};

/// A packet on its way to the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// When.
    pub at: Time,
    /// Its flow, counted from 0 within its stream.
    pub flow: u32,
    /// Its size and its work.
    pub job: Job,
}

/// A stream of arrivals in order of time.
pub type Stream = Box<dyn Iterator<Item = Arrival> + Send>;

/// Whether a flow of [`Traffic`] is the attacker's.
#[must_use]
pub fn is_attack(flow: FlowId) -> bool {
    flow.0 % 2 == 1
}

/// Innocent and attack traffic, merged by time; innocent packets come first where both arrive at
/// once.
///
/// Packets carry the estimate as their `processing`. Who needs to know the true work iterates over
/// [`next_arrival`](Self::next_arrival) of an equal `Traffic`, whose arrivals are the packets in order.
pub struct Traffic {
    innocent: Peeked,
    attack: Peeked,
    until: Time,
    next_id: u64,
}

struct Peeked {
    stream: Stream,
    next: Option<Arrival>,
}

impl Peeked {
    fn new(mut stream: Stream) -> Self {
        let next = stream.next();
        Self { stream, next }
    }

    fn take(&mut self) -> Option<Arrival> {
        std::mem::replace(&mut self.next, self.stream.next())
    }
}

impl Traffic {
    /// Merges two streams; nothing arrives after `until`.
    #[must_use]
    pub fn new(innocent: Stream, attack: Option<Stream>, until: Time) -> Self {
        let attack = attack.unwrap_or_else(|| Box::new(std::iter::empty()));
        Self { innocent: Peeked::new(innocent), attack: Peeked::new(attack), until, next_id: 0 }
    }

    /// The next arrival with its flow as packets have it.
    pub fn next_arrival(&mut self) -> Option<(FlowId, Arrival)> {
        let attack_first = match (&self.innocent.next, &self.attack.next) {
            (Some(innocent), Some(attack)) => attack.at < innocent.at,
            (None, Some(_)) => true,
            (_, None) => false,
        };
        let arrival = if attack_first { self.attack.take() } else { self.innocent.take() };
        let arrival = arrival.filter(|arrival| arrival.at <= self.until)?;
        let flow = FlowId(arrival.flow.wrapping_mul(2) | u32::from(attack_first));
        Some((flow, arrival))
    }
}

impl Source for Traffic {
    fn next_packet(&mut self) -> Option<Packet> {
        let (flow, arrival) = self.next_arrival()?;
        let id = self.next_id;
        self.next_id += 1;
        Some(Packet {
            arrival: arrival.at,
            size_bytes: arrival.job.size_bytes,
            processing: arrival.job.estimate,
            flow,
            id,
            ..Packet::default()
        })
    }

    fn fields(&self) -> Fields {
        Fields::NONE.with(Field::Processing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Duration;

    fn at(times: &[u64]) -> Stream {
        let job = Job::known(100, Duration::from_ns(1));
        let arrivals: Vec<Arrival> =
            times.iter().zip(0..).map(|(&ns, flow)| Arrival { at: Time::from_ns(ns), flow, job }).collect();
        Box::new(arrivals.into_iter())
    }

    #[test]
    fn streams_merge_by_time_and_keep_their_flows_apart() {
        let mut traffic = Traffic::new(at(&[1, 3, 5, 900]), Some(at(&[2, 3, 9])), Time::from_ns(100));
        let packets: Vec<Packet> = std::iter::from_fn(|| traffic.next_packet()).collect();
        let seen: Vec<_> =
            packets.iter().map(|packet| (packet.arrival.as_ps() / 1_000, packet.flow.0, packet.id)).collect();
        assert_eq!(seen, [(1, 0, 0), (2, 1, 1), (3, 2, 2), (3, 3, 3), (5, 4, 4), (9, 5, 5)]);
        assert!(packets.iter().all(|packet| is_attack(packet.flow) == (packet.flow.0 % 2 == 1)));
    }

    #[test]
    fn what_arrives_after_the_end_ends_the_traffic() {
        let mut traffic = Traffic::new(at(&[1, 200, 300]), Some(at(&[150])), Time::from_ns(100));
        assert!(traffic.next_packet().is_some());
        assert_eq!(traffic.next_packet(), None);
    }
}
