//! Counts per rank: arrivals, inversions, drops and delays.
//!
//! The figures of SP-PIFO (NSDI'20, figures 5 and 6) show these counts. A wide range of ranks is cut into bins of equal width. Inversions
//! are counted as [`inversions`](super::inversions) counts them, and charged to the rank of the packet that leaves too early. A drop
//! inversion is a drop that a sorted queue that pushes out its worst packet would not make: a packet of higher rank waits.

use super::inversions::Waiting;
use crate::probe::Probe;
use forebay_core::{Packet, Time, convert};
use hdrhistogram::Histogram;

/// Significant digits of the delay histograms: there is one for every bin.
const DIGITS: u8 = 2;

/// Bins of equal width for ranks; the last bin may be narrower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankBins {
    least: u64,
    width: u64,
    count: usize,
}

impl RankBins {
    /// Creates bins for the ranks from `least` to `greatest`: at most `max_bins` bins, each as narrow as possible.
    ///
    /// # Panics
    /// If `greatest` is below `least`, or `max_bins` is less than 2.
    #[must_use]
    pub fn new(least: u64, greatest: u64, max_bins: u32) -> Self {
        assert!(greatest >= least && max_bins > 1, "there is at least one rank, and room for two bins");
        let span = greatest - least;
        let width = span / u64::from(max_bins) + 1;
        let count = usize::try_from(span / width + 1).expect("not more than max_bins");
        Self { least, width, count }
    }

    /// The number of ranks in a bin.
    #[must_use]
    pub fn width(self) -> u64 {
        self.width
    }

    /// The lowest rank of each bin.
    pub fn lowest_ranks(self) -> impl Iterator<Item = u64> {
        (0..self.count as u64).map(move |bin| self.least + bin * self.width)
    }

    /// The bin of `rank`; ranks outside the range belong to the bin nearest to it.
    #[inline]
    fn of(self, rank: u64) -> usize {
        let offset = rank.saturating_sub(self.least);
        let bin = if self.width == 1 { offset } else { offset / self.width };
        convert::saturate::<usize>(bin).min(self.count - 1)
    }
}

/// The counts of one bin.
#[derive(Debug, Clone)]
pub struct RankBin {
    /// The number of packets that arrived.
    pub packets_in: u64,
    /// The number of packets dropped, on arrival or later.
    pub packets_dropped: u64,
    /// The number of packets dropped, on arrival or later, while a packet of higher rank waited.
    pub drop_inversions: u64,
    /// The number of packets whose last bit has left.
    pub packets_out: u64,
    /// The number of packets that left while a packet of lower rank waited.
    pub inversions: u64,
    /// The number of waiting packets of lower rank that these packets overtook.
    pub overtaken: u64,
    delay_ps_sum: u128,
    delays_ps: Histogram<u32>,
}

impl RankBin {
    fn empty() -> Self {
        Self {
            packets_in: 0,
            packets_dropped: 0,
            drop_inversions: 0,
            packets_out: 0,
            inversions: 0,
            overtaken: 0,
            delay_ps_sum: 0,
            delays_ps: Histogram::new(DIGITS).expect("the number of digits is valid"),
        }
    }

    /// Mean delay in nanoseconds, exact; `None` if nothing was sent.
    #[must_use]
    pub fn mean_delay_ns(&self) -> Option<f64> {
        (self.packets_out > 0).then(|| self.delay_ps_sum as f64 / self.packets_out as f64 / 1e3)
    }

    /// The delay in nanoseconds below which the share `q` of packets lies, to two
    /// digits; `None` if nothing was sent.
    #[must_use]
    pub fn delay_quantile_ns(&self, q: f64) -> Option<f64> {
        (self.packets_out > 0).then(|| self.delays_ps.value_at_quantile(q) as f64 / 1e3)
    }
}

/// Counts the packets of each rank.
#[derive(Debug, Clone)]
pub struct PerRank {
    bins: RankBins,
    counts: Vec<RankBin>,
    waiting: Waiting,
}

impl PerRank {
    /// Creates a probe without counts.
    #[must_use]
    pub fn new(bins: RankBins) -> Self {
        Self { bins, counts: vec![RankBin::empty(); bins.count], waiting: Waiting::default() }
    }

    /// The counts of each bin, in order of ranks.
    #[must_use]
    pub fn bins(&self) -> &[RankBin] {
        &self.counts
    }

    /// Counts a packet that no longer waits.
    fn drop(&mut self, packet: &Packet) {
        let is_inversion = self.waiting.is_any_worse_than(packet.rank);
        let bin = self.bin(packet);
        bin.packets_dropped += 1;
        bin.drop_inversions += u64::from(is_inversion);
    }

    #[inline]
    fn bin(&mut self, packet: &Packet) -> &mut RankBin {
        let bin = self.bins.of(packet.rank);
        &mut self.counts[bin]
    }
}

impl Probe for PerRank {
    fn queued(&mut self, _: Time, packet: &Packet, _: usize) {
        self.bin(packet).packets_in += 1;
        self.waiting.add(packet.rank);
    }

    fn refused(&mut self, _: Time, packet: &Packet) {
        self.bin(packet).packets_in += 1;
        self.drop(packet);
    }

    fn evicted(&mut self, _: Time, packet: &Packet) {
        self.waiting.remove(packet.rank);
        self.drop(packet);
    }

    fn dequeued(&mut self, _: Time, packet: &Packet, queue_len: usize) {
        let overtaken = self.waiting.overtaken_by(packet.rank, queue_len);
        let bin = self.bin(packet);
        bin.inversions += u64::from(overtaken > 0);
        bin.overtaken += overtaken;
    }

    fn sent(&mut self, now: Time, packet: &Packet) {
        let delay_ps = now.since(packet.arrival).as_ps();
        let bin = self.bin(packet);
        bin.packets_out += 1;
        bin.delay_ps_sum += u128::from(delay_ps);
        let recorded = bin.delays_ps.record(delay_ps);
        debug_assert!(recorded.is_ok(), "the histogram grows as it must");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(rank: u64) -> Packet {
        Packet { rank, ..Packet::default() }
    }

    #[test]
    fn bins_cover_the_range_and_are_as_narrow_as_their_number_allows() {
        for (least, greatest, max_bins, width, count) in [
            (0, 100, 128, 1, 101),
            (5, 5, 128, 1, 1),
            (0, 127, 128, 1, 128),
            (0, 128, 128, 2, 65),
            (7, 1006, 128, 8, 125),
        ] {
            let bins = RankBins::new(least, greatest, max_bins);
            assert_eq!((bins.width(), bins.lowest_ranks().count()), (width, count), "{least} {greatest}");
            let places: Vec<usize> = (least..=greatest).map(|rank| bins.of(rank)).collect();
            assert!(places.is_sorted() && places.first() == Some(&0) && places.last() == Some(&(count - 1)));
            assert!(bins.lowest_ranks().enumerate().all(|(bin, rank)| bins.of(rank) == bin));
        }
        assert_eq!(RankBins::new(0, u64::MAX, 2).of(u64::MAX), 1);
        assert_eq!(RankBins::new(10, 20, 128).of(5), 0, "outside the range");
        assert_eq!(RankBins::new(10, 20, 128).of(99), 10);
    }

    #[test]
    fn every_event_counts_for_the_rank_of_its_packet() {
        let mut probe = PerRank::new(RankBins::new(0, 9, 128));
        for rank in [5, 1, 9, 1] {
            probe.queued(Time::ZERO, &ranked(rank), 0);
        }
        probe.refused(Time::ZERO, &ranked(7));
        probe.dequeued(Time::ZERO, &ranked(5), 3);
        probe.sent(Time::from_ns(10), &ranked(5));
        probe.evicted(Time::ZERO, &ranked(1));
        probe.dequeued(Time::ZERO, &ranked(9), 1);
        probe.sent(Time::from_ns(30), &ranked(9));
        let counts = |rank: usize| {
            let bin = &probe.bins()[rank];
            (bin.packets_in, bin.packets_dropped, bin.packets_out, bin.inversions, bin.overtaken)
        };
        assert_eq!(counts(5), (1, 0, 1, 1, 2));
        assert_eq!(counts(1), (2, 1, 0, 0, 0));
        assert_eq!(counts(9), (1, 0, 1, 1, 1));
        assert_eq!(counts(7), (1, 1, 0, 0, 0));
        assert_eq!(probe.bins()[7].drop_inversions, 1, "9 waits while 7 is dropped");
        assert_eq!(probe.bins()[1].drop_inversions, 1, "9 waits while 1 is pushed out");
        probe.refused(Time::ZERO, &ranked(7));
        assert_eq!(probe.bins()[7].drop_inversions, 1, "only 1 waits now");
        assert_eq!(probe.bins()[9].mean_delay_ns(), Some(30.0));
        assert_eq!(probe.bins()[7].mean_delay_ns(), None);
        let p99 = probe.bins()[9].delay_quantile_ns(0.99).unwrap();
        assert!((p99 / 30.0 - 1.0).abs() < 0.01, "{p99}");
    }
}
