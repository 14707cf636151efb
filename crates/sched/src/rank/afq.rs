//! Approximate fair queueing (AFQ): flows take turns by bytes, and a sketch of fixed size counts the bytes of each flow.
//!
//! A round lets every flow send `bytes_per_round`. A packet bids for the next byte of its flow, or for the first byte of the present round
//! if the flow has fallen behind: `bid = max(sketch estimate, round x bytes_per_round)`. Its rank is the round of its bid, and the next
//! byte of its flow is then `bid + size`. The present round is the round of the packet sent last. Source: Sharma et al., Approximating fair
//! queueing on reconfigurable switches, NSDI'18, section 3.
//!
//! With `queue = "calendar"`, where each queue then holds one round, this is AFQ. The calendar drops packets that bid too many rounds
//! ahead. So a flow that offers too much does not fill the buffer. Give each queue of the calendar room for the packets that all flows send
//! in a round (`queue_packets`); otherwise full queues drop the packets that arrive last. An exact queue serves the same rounds, without
//! that limit.
//!
//! Chosen here: a packet belongs to the round of its first byte, so a packet larger than a round counts against the following rounds. Only
//! packets that are queued are charged. A packet that is pushed out later stays charged, since lowering a cell of the sketch would forget
//! bytes of other flows in the same cell; use `drop = "tail"`.
//!
//! Take two flows that always have a packet waiting, are alone in a cell of the sketch and lose no packet to a full queue. The service of
//! the two differs by less than `bytes_per_round` plus the largest packet. At any time each flow has sent all its packets of the rounds
//! before the present round, and no packets of later rounds.

use crate::count_min::CountMin;
use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, Packet, ParamSpec, Seed, Time};

/// The registry's entry for [`Afq`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "afq",
        title: "Approximate fair queueing (AFQ), with queue = \"calendar\": rank = round in which the flow may send",
        exactness: Exactness::NotApplicable,
        hardware: "a count-min sketch in registers and a round number; runs on programmable switches",
        cost: "O(rows); 8 bytes per cell, whatever the number of flows",
        source: "Sharma et al.: Approximating fair queueing on reconfigurable switches, NSDI'18, section 3",
        params: &[
            ParamSpec {
                name: "bytes_per_round",
                kind: ParamKind::Integer { min: 1, max: 1 << 40, default: Some(1_500) },
                meaning: "bytes that each flow may send in a round; it may bid ahead by this times the number of queues",
            },
            ParamSpec {
                name: "rows",
                kind: ParamKind::Integer { min: 1, max: 16, default: Some(2) },
                meaning: "rows of the sketch; a flow is overcharged only if it shares its cell in each of them",
            },
            ParamSpec {
                name: "columns",
                kind: ParamKind::Integer { min: 1, max: 1 << 22, default: Some(16_384) },
                meaning: "cells in each row of the sketch",
            },
            ParamSpec {
                name: "hash_seed",
                kind: ParamKind::Integer { min: 0, max: i64::MAX as u64, default: Some(1) },
                meaning: "number that selects the hash functions, and so which flows share cells",
            },
        ],
    },
    also_known_as: &[],
    needs: None,
    serves: Serves::Otherwise,
    range: RankRange::Rising,
    build: |_, params| {
        let number = |name: &str| params.integer(name).unwrap_or(1);
        // Both are declared to be small.
        let size = |name: &str| usize::try_from(number(name)).unwrap_or(1);
        Ok(Box::new(Afq::new(number("bytes_per_round"), size("rows"), size("columns"), Seed(number("hash_seed")))))
    },
};

/// A rank function that ranks packets by round.
#[derive(Debug, Clone)]
pub struct Afq {
    /// The next byte of each flow.
    stands_at: CountMin,
    bytes_per_round: u64,
    round: u64,
}

impl Afq {
    /// Creates rounds of `bytes_per_round` bytes per flow, with a sketch of `rows` times `columns` cells whose hashes are drawn from
    /// `seed`.
    ///
    /// # Panics
    /// If a round has no bytes or the sketch no cells.
    #[must_use]
    pub fn new(bytes_per_round: u64, rows: usize, columns: usize, seed: Seed) -> Self {
        assert!(bytes_per_round > 0, "a round has bytes");
        Self { stands_at: CountMin::new(rows, columns, &mut seed.stream("afq/sketch")), bytes_per_round, round: 0 }
    }

    /// Returns the first byte that a packet of its flow may have now.
    fn bid(&self, packet: &Packet) -> u64 {
        self.stands_at.estimate(packet.flow).max(self.round * self.bytes_per_round)
    }
}

impl RankFn for Afq {
    fn rank(&mut self, _: Time, packet: &Packet) -> u64 {
        self.bid(packet) / self.bytes_per_round
    }

    fn queued(&mut self, packet: &Packet) {
        // Nothing has changed since the packet was ranked, so this is its bid.
        let bid = self.bid(packet);
        self.stands_at.raise(packet.flow, bid + u64::from(packet.size_bytes));
    }

    fn dequeued(&mut self, _: Time, packet: &mut Packet) {
        // Ranks of an approximate queue may leave out of order; rounds do not.
        self.round = self.round.max(packet.rank);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::FlowId;

    fn offer(afq: &mut Afq, flow: u32, size_bytes: u32) -> u64 {
        let packet = Packet { flow: FlowId(flow), size_bytes, ..Packet::default() };
        let rank = afq.rank(Time::ZERO, &packet);
        assert_eq!(afq.rank(Time::ZERO, &packet), rank, "a packet that is not queued is not charged");
        afq.queued(&Packet { rank, ..packet });
        rank
    }

    #[test]
    fn a_flow_bids_for_the_round_in_which_it_stands() {
        let mut afq = Afq::new(1_000, 2, 1_024, Seed(1));
        let rounds: Vec<u64> = [400, 400, 400, 2_500, 100].map(|size| offer(&mut afq, 0, size)).into();
        assert_eq!(rounds, [0, 0, 0, 1, 3], "the packets start at bytes 0, 400, 800, 1200 and 3700");
        assert_eq!(offer(&mut afq, 7, 100), 0, "another flow does not wait for the first");
        afq.dequeued(Time::ZERO, &mut Packet { rank: 3, ..Packet::default() });
        assert_eq!(offer(&mut afq, 7, 100), 3, "a flow that was idle has saved nothing up");
        assert_eq!(offer(&mut afq, 0, 100), 3, "it stands at byte 3800");
    }
}
