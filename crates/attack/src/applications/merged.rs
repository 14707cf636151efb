//! Innocent and attack inputs on one link.

use super::{Input, Inputs};
use forebay_core::{Field, Fields, FlowId, Packet, Source, Time};
use std::iter::Peekable;

/// Inputs of innocents and attackers, merged by time; innocent ones come first where both arrive at once. Flows are
/// numbered as [`Traffic`](crate::Traffic) does.
///
/// As a source of packets it leaves their work open: a [`Running`](super::Running) application, which must be given an
/// equal one, says it.
pub struct Merged<T> {
    innocent: Peekable<Inputs<T>>,
    attack: Peekable<Inputs<T>>,
    until: Time,
    next_id: u64,
}

impl<T: Input + Send + 'static> Merged<T> {
    /// Merges two streams; nothing arrives after `until`.
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
        let flow = FlowId(input.flow());
        Some(Packet { arrival: input.arrival(), size_bytes: input.size_bytes(), flow, id, ..Packet::default() })
    }

    fn fields(&self) -> Fields {
        Fields::NONE.with(Field::Processing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::is_attack;
    use forebay_traces::{TcpFlags, TcpSegment};

    fn at(ns: &[u64]) -> Inputs<TcpSegment> {
        let one = |(&ns, flow)| TcpSegment {
            arrival: Time::from_ns(ns),
            flow: FlowId(flow),
            sequence: 0,
            payload_bytes: 71,
            size_bytes: 125,
            flags: TcpFlags::default(),
        };
        Box::new(ns.iter().zip(0..).map(one).collect::<Vec<_>>().into_iter())
    }

    #[test]
    fn streams_merge_by_time_and_keep_their_flows_apart() {
        let merged = || Merged::new(at(&[1, 3, 900]), Some(at(&[2, 3, 9])), Time::from_ns(100));
        let seen: Vec<_> = merged().map(|one| (one.arrival.as_ps() / 1_000, one.flow.0)).collect();
        assert_eq!(seen, [(1, 0), (2, 1), (3, 2), (3, 3), (9, 5)]);
        let mut source = merged();
        let packets: Vec<Packet> = std::iter::from_fn(|| source.next_packet()).collect();
        assert_eq!(packets.iter().map(|packet| packet.id).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(packets.iter().filter(|packet| is_attack(packet.flow)).count(), 3);
    }
}
