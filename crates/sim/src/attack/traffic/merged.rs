//! Innocent and attack traffic on one link.

use forebay_core::{Duration, Field, Fields, FlowId, Packet, Source, Time};
use std::iter::Peekable;

/// The input that arrives in a packet.
pub trait Input {
    /// The time of arrival.
    fn arrival(&self) -> Time;

    /// Its flow, counted from 0 within its stream.
    fn flow(&self) -> u32;

    /// The length on the wire in bytes.
    fn size_bytes(&self) -> u32;

    /// Makes it one of this flow.
    fn set_flow(&mut self, flow: u32);

    /// The scheduler's estimate of its work, if the input has one itself; otherwise an application estimates it.
    fn told(&self) -> Duration {
        Duration::ZERO
    }
}

/// A stream of inputs in order of time.
pub type Inputs<T> = Box<dyn Iterator<Item = T> + Send>;

/// Inputs of innocents and attackers, merged by time. If both arrive at the same time, the innocent input is first.
///
/// Flows are renumbered: innocent flows get even numbers, and attack flows odd numbers ([`is_attack`](super::is_attack)). As a source, this
/// returns a packet for each input, numbered from 0.
pub struct Merged<T> {
    innocent: Peekable<Inputs<T>>,
    attack: Peekable<Inputs<T>>,
    until: Time,
    next_id: u64,
}

impl<T: Send + 'static> Merged<T> {
    /// Merges two streams; no input arrives after `until`.
    #[must_use]
    pub fn new(innocent: Inputs<T>, attack: Option<Inputs<T>>, until: Time) -> Self {
        let attack = attack.unwrap_or_else(|| Box::new(std::iter::empty()));
        Self { innocent: innocent.peekable(), attack: attack.peekable(), until, next_id: 0 }
    }
}

impl<T: Input> Iterator for Merged<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let attack_first = match (self.innocent.peek(), self.attack.peek()) {
            (Some(innocent), Some(attack)) => attack.arrival() < innocent.arrival(),
            (None, Some(_)) => true,
            (_, None) => false,
        };
        let input = if attack_first { self.attack.next() } else { self.innocent.next() };
        let mut input = input.filter(|input| input.arrival() <= self.until)?;
        input.set_flow(input.flow().wrapping_mul(2) | u32::from(attack_first));
        Some(input)
    }
}

impl<T: Input> Source for Merged<T> {
    fn next_packet(&mut self) -> Option<Packet> {
        let input = self.next()?;
        let id = self.next_id;
        self.next_id += 1;
        Some(Packet {
            arrival: input.arrival(),
            size_bytes: input.size_bytes(),
            processing: input.told(),
            flow: FlowId(input.flow()),
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
    use crate::attack::jobs::Job;
    use crate::attack::traffic::{Arrival, Stream, Traffic, is_attack};

    fn at(times: &[u64]) -> Stream {
        let job = Job { size_bytes: 100, work: Duration::from_ns(1), estimate: Duration::from_ns(7) };
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
        assert_eq!(packets.iter().filter(|packet| is_attack(packet.flow)).count(), 3);
        assert!(packets.iter().all(|packet| packet.processing == Duration::from_ns(7)), "the estimate");
    }

    #[test]
    fn what_arrives_after_the_end_ends_the_traffic() {
        let mut traffic = Traffic::new(at(&[1, 200, 300]), Some(at(&[150])), Time::from_ns(100));
        assert!(traffic.next_packet().is_some());
        assert_eq!(traffic.next_packet(), None);
    }
}
