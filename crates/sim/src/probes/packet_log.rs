//! A log of every packet with its times and its fate.

use crate::probe::Probe;
use forebay_core::{Packet, Time};
use rustc_hash::FxHashMap;

/// The fate of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The last bit of the packet has left, or the work on it has ended.
    Sent,
    /// The packet was dropped on arrival.
    Dropped,
    /// The packet was pushed out after it had waited.
    PushedOut,
    /// The packet was in the port when the run ended.
    Waiting,
}

/// A packet at the end of its path through a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoggedPacket {
    /// The packet with its rank.
    pub packet: Packet,
    /// The time at which its transmission began, if it did.
    pub start: Option<Time>,
    /// The time at which its last bit left, or at which it was dropped.
    pub end: Option<Time>,
    /// The fate of the packet.
    pub fate: Fate,
}

/// Reports each packet when its fate is known. Memory grows with the number of waiting packets, not with the number of all packets.
#[derive(Debug)]
pub struct PacketLog<F> {
    take: F,
    /// Packets that are there by number, with the beginning of their transmissions.
    there: FxHashMap<u64, (Packet, Option<Time>)>,
}

impl<F: FnMut(&LoggedPacket)> PacketLog<F> {
    /// Creates a log that passes each packet to `take`.
    pub fn new(take: F) -> Self {
        Self { take, there: FxHashMap::default() }
    }

    /// Reports the packets that are still in the port, in the order of their numbers.
    pub fn finish(mut self) {
        let mut left: Vec<(Packet, Option<Time>)> = self.there.into_values().collect();
        left.sort_unstable_by_key(|(packet, _)| packet.id);
        for (packet, start) in left {
            (self.take)(&LoggedPacket { packet, start, end: None, fate: Fate::Waiting });
        }
    }

    fn ended(&mut self, now: Time, packet: &Packet, fate: Fate) {
        let start = self.there.remove(&packet.id).and_then(|(_, start)| start);
        (self.take)(&LoggedPacket { packet: *packet, start, end: Some(now), fate });
    }
}

impl<F: FnMut(&LoggedPacket)> Probe for PacketLog<F> {
    fn queued(&mut self, _: Time, packet: &Packet, _: usize) {
        self.there.insert(packet.id, (*packet, None));
    }

    fn refused(&mut self, now: Time, packet: &Packet) {
        self.ended(now, packet, Fate::Dropped);
    }

    fn evicted(&mut self, now: Time, packet: &Packet) {
        self.ended(now, packet, Fate::PushedOut);
    }

    fn dequeued(&mut self, now: Time, packet: &Packet, _: usize) {
        self.there.insert(packet.id, (*packet, Some(now)));
    }

    fn sent(&mut self, now: Time, packet: &Packet) {
        self.ended(now, packet, Fate::Sent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_packet_is_given_once_with_its_times() {
        let packet = |id| Packet { id, ..Packet::default() };
        let at = Time::from_ps;
        let mut given = Vec::new();
        let mut log = PacketLog::new(|logged| given.push((logged.packet.id, logged.start, logged.end, logged.fate)));
        for id in [0, 1, 2, 3] {
            log.queued(at(id), &packet(id), 1);
        }
        log.refused(at(4), &packet(4));
        log.dequeued(at(5), &packet(3), 3);
        log.evicted(at(6), &packet(2));
        log.sent(at(9), &packet(3));
        log.dequeued(at(9), &packet(1), 1);
        log.finish();
        let expected = [
            (4, None, Some(at(4)), Fate::Dropped),
            (2, None, Some(at(6)), Fate::PushedOut),
            (3, Some(at(5)), Some(at(9)), Fate::Sent),
            (0, None, None, Fate::Waiting),
            (1, Some(at(9)), None, Fate::Waiting),
        ];
        assert_eq!(given, expected);
    }
}
