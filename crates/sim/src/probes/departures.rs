//! A fingerprint of the sent packets and their times: two policies with the same fingerprint sent the same packets at the same times.

use crate::probe::Probe;
use forebay_core::{Packet, Time};
use std::fmt;

/// Collects the fingerprint: a hash like FNV-1a, by words, over the number of each sent packet and the time of its last bit, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Departures(u64);

impl Departures {
    const PRIME: u64 = 0x0000_0100_0000_01b3;

    fn add(&mut self, number: u64) {
        // The shift lets high bits reach low ones, which a product alone does not.
        self.0 = (self.0 ^ number).wrapping_mul(Self::PRIME);
        self.0 ^= self.0 >> 29;
    }
}

impl Default for Departures {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Probe for Departures {
    fn sent(&mut self, now: Time, packet: &Packet) {
        self.add(packet.id);
        self.add(now.as_ps());
    }
}

impl fmt::Display for Departures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sent: &[(u64, u64)]) -> Departures {
        let mut departures = Departures::default();
        for &(time, id) in sent {
            departures.sent(Time::from_ps(time), &Packet { id, ..Packet::default() });
        }
        departures
    }

    #[test]
    fn packets_order_and_times_count() {
        let one = of(&[(1, 10), (2, 11)]);
        assert_eq!(one, of(&[(1, 10), (2, 11)]));
        for other in [of(&[(1, 10)]), of(&[(1, 11), (2, 10)]), of(&[(1, 10), (3, 11)]), of(&[(1, 10), (2, 12)])] {
            assert_ne!(one, other);
        }
        let high = 1 << 63;
        assert_ne!(of(&[(high, 1), (2, 2)]), of(&[(1, 1), (2, 2)]));
    }
}
