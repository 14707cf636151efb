//! Inversions of each rank, in bounded memory for any ranks.
//!
//! SP-PIFO (NSDI'20), figure 5a. Ranks are cut into bins of equal width, from rank 0 on. When a rank is beyond the last
//! bin that there may be, neighbours are merged and bins become twice as wide. So ranks below 128 have a bin each:
//!
//! ```text
//! 3, 100          ->  bins of 1
//! 3, 100, 1000    ->  bins of 8: 0 to 7, ..., 1000 to 1007
//! ```
//!
//! Inversions are counted as [`inversions`](super::inversions) counts them, and charged to the rank of the packet that
//! leaves too early. [`per_rank`](super::per_rank) sees more, and must know the range of ranks before.

use super::inversions::Waiting;
use crate::probe::Probe;
use forebay_core::{Packet, Time};

/// Bins kept at most; a power of two.
const MAX_BINS: u64 = 128;

/// The counts of a bin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RankCount {
    /// The number of packets that left the queue to be sent.
    pub packets_out: u64,
    /// The number of these that left while a packet of lower rank waited.
    pub inversions: u64,
    /// The number of waiting packets of lower rank that these packets overtook.
    pub overtaken: u64,
}

impl RankCount {
    fn plus(self, other: Self) -> Self {
        Self {
            packets_out: self.packets_out + other.packets_out,
            inversions: self.inversions + other.inversions,
            overtaken: self.overtaken + other.overtaken,
        }
    }
}

/// Counts inversions by rank.
#[derive(Debug, Clone, Default)]
pub struct InversionsByRank {
    /// Bins have a width of two to the power of this.
    width_bits: u32,
    /// The bins from rank 0 to the greatest rank that left.
    bins: Vec<RankCount>,
    waiting: Waiting,
}

impl InversionsByRank {
    /// The number of ranks in a bin; a power of two.
    #[must_use]
    pub fn bin_width(&self) -> u64 {
        1 << self.width_bits
    }

    /// The counts of each bin. The first bin begins at rank 0; the last contains the greatest rank that left.
    #[must_use]
    pub fn bins(&self) -> &[RankCount] {
        &self.bins
    }

    /// The counts of all ranks together.
    #[must_use]
    pub fn total(&self) -> RankCount {
        self.bins.iter().fold(RankCount::default(), |sum, bin| sum.plus(*bin))
    }

    /// The bin of `rank`, which there is from now on.
    fn bin(&mut self, rank: u64) -> &mut RankCount {
        while rank >> self.width_bits >= MAX_BINS {
            self.width_bits += 1;
            let of_pair = |pair: &[RankCount]| pair.iter().fold(RankCount::default(), |sum, bin| sum.plus(*bin));
            self.bins = self.bins.chunks(2).map(of_pair).collect();
        }
        let place = usize::try_from(rank >> self.width_bits).expect("less than MAX_BINS");
        if place >= self.bins.len() {
            self.bins.resize(place + 1, RankCount::default());
        }
        &mut self.bins[place]
    }
}

impl Probe for InversionsByRank {
    fn queued(&mut self, _: Time, packet: &Packet, _: usize) {
        self.waiting.add(packet.rank);
    }

    fn evicted(&mut self, _: Time, packet: &Packet) {
        self.waiting.remove(packet.rank);
    }

    fn dequeued(&mut self, _: Time, packet: &Packet, queue_len: usize) {
        let overtaken = self.waiting.overtaken_by(packet.rank, queue_len);
        let bin = self.bin(packet.rank);
        bin.packets_out += 1;
        bin.inversions += u64::from(overtaken > 0);
        bin.overtaken += overtaken;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Inversions;
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt as _;
    use std::collections::BTreeMap;

    fn ranked(rank: u64) -> Packet {
        Packet { rank, ..Packet::default() }
    }

    #[test]
    fn a_departure_counts_for_its_own_rank() {
        let mut probe = InversionsByRank::default();
        for rank in [5, 1, 1, 9, 5] {
            probe.queued(Time::ZERO, &ranked(rank), 0);
        }
        probe.dequeued(Time::ZERO, &ranked(5), 4);
        probe.evicted(Time::ZERO, &ranked(1));
        probe.dequeued(Time::ZERO, &ranked(9), 2);
        probe.dequeued(Time::ZERO, &ranked(1), 1);
        assert_eq!((probe.bin_width(), probe.bins().len()), (1, 10));
        assert_eq!(probe.bins()[5], RankCount { packets_out: 1, inversions: 1, overtaken: 2 });
        assert_eq!(probe.bins()[9], RankCount { packets_out: 1, inversions: 1, overtaken: 2 });
        assert_eq!(probe.bins()[1], RankCount { packets_out: 1, inversions: 0, overtaken: 0 });
        assert_eq!(probe.total(), RankCount { packets_out: 3, inversions: 2, overtaken: 4 });
    }

    #[test]
    fn bins_are_as_narrow_as_the_greatest_rank_allows() {
        for (greatest, width, count) in
            [(3, 1, 4), (100, 1, 101), (127, 1, 128), (128, 2, 65), (1000, 8, 126), (u64::MAX, 1 << 57, 128)]
        {
            let mut probe = InversionsByRank::default();
            for rank in [greatest, 3] {
                probe.queued(Time::ZERO, &ranked(rank), 0);
                probe.dequeued(Time::ZERO, &ranked(rank), 0);
            }
            assert_eq!((probe.bin_width(), probe.bins().len()), (width, count), "{greatest}");
        }
    }

    /// Any packet may leave; ranks reach farther and farther.
    #[test]
    fn bins_are_sums_over_their_ranks_however_they_became_wide() {
        let mut rng = Seed(7).stream("packets");
        for round in 0..50 {
            let (mut probe, mut all) = (InversionsByRank::default(), Inversions::default());
            let mut of_rank: BTreeMap<u64, RankCount> = BTreeMap::new();
            let mut waiting: Vec<u64> = Vec::new();
            for step in 0..400_u64 {
                if waiting.len() < 2 || rng.random_range(0..2) == 0 {
                    let rank = rng.random_range(0..=round * (1 + step / 8));
                    waiting.push(rank);
                    probe.queued(Time::ZERO, &ranked(rank), waiting.len());
                    all.queued(Time::ZERO, &ranked(rank), waiting.len());
                    continue;
                }
                let rank = waiting.swap_remove(rng.random_range(0..waiting.len()));
                let overtaken = waiting.iter().filter(|&&other| other < rank).count() as u64;
                let one = RankCount { packets_out: 1, inversions: u64::from(overtaken > 0), overtaken };
                let bin = of_rank.entry(rank).or_default();
                *bin = bin.plus(one);
                probe.dequeued(Time::ZERO, &ranked(rank), waiting.len());
                all.dequeued(Time::ZERO, &ranked(rank), waiting.len());
            }
            let width = probe.bin_width();
            for (bin, count) in (0..).zip(probe.bins()) {
                let ranks = of_rank.range(bin * width..(bin + 1) * width);
                assert_eq!(*count, ranks.fold(RankCount::default(), |sum, (_, one)| sum.plus(*one)), "{round} {bin}");
            }
            let (total, class) = (probe.total(), all.of_class(0));
            assert_eq!((total.inversions, total.overtaken), (class.inversions, class.overtaken));
        }
    }
}
