//! Inversions: they measure how far the order of service is from the order of ranks.
//!
//! Two counts, both when a packet leaves the queue:
//!
//! - *inversions*: the packet counts once if any packet left behind has a lower rank (SP-PIFO, NSDI'20, section 4.2);
//! - *overtaken*: the packets left behind that have a lower rank, every one of them.
//!
//! Both are charged to the class of the packet that leaves too early. Packets neither cause nor suffer inversions after they have been
//! dropped.

use crate::probe::Probe;
use crate::rank_multiset::RankMultiset;
use forebay_core::{Packet, Time};

/// The counts of one class, or of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InversionCount {
    /// The number of packets that left while a packet of lower rank waited.
    pub inversions: u64,
    /// The number of waiting packets of lower rank that these packets overtook.
    pub overtaken: u64,
}

/// The waiting ranks, to count the packets that a departure overtakes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Waiting(RankMultiset);

impl Waiting {
    /// A packet of this rank waits from now on.
    pub(crate) fn add(&mut self, rank: u64) {
        self.0.insert(rank);
    }

    /// A packet of this rank leaves: how many of lower rank are left behind, of
    /// `queue_len` in all?
    pub(crate) fn overtaken_by(&mut self, rank: u64, queue_len: usize) -> u64 {
        self.remove(rank);
        if queue_len == 0 { 0 } else { self.0.count_below(rank) }
    }

    /// Whether a packet of higher rank waits.
    pub(crate) fn is_any_worse_than(&self, rank: u64) -> bool {
        self.0.greatest().is_some_and(|greatest| greatest > rank)
    }

    /// A packet of this rank has left the queue or was dropped.
    pub(crate) fn remove(&mut self, rank: u64) {
        let was_waiting = self.0.remove(rank);
        debug_assert!(was_waiting, "a packet leaves with the rank with which it was queued");
    }
}

/// Counts inversions per class.
#[derive(Debug, Clone)]
pub struct Inversions {
    /// The ranks that wait in each group of classes.
    waiting: Vec<Waiting>,
    group_of_class: [usize; 256],
    by_class: Vec<InversionCount>,
}

impl Default for Inversions {
    /// All ranks can be compared.
    fn default() -> Self {
        Self::among([0; 256])
    }
}

impl Inversions {
    /// Creates a probe that compares only ranks of classes in the same group. This is for disciplines that rank some classes by one measure
    /// and some by another.
    #[must_use]
    pub fn among(group_of_class: [usize; 256]) -> Self {
        let groups = group_of_class.iter().max().map_or(1, |last| last + 1);
        Self {
            waiting: vec![Waiting::default(); groups],
            group_of_class,
            by_class: vec![InversionCount::default(); 256],
        }
    }

    /// The counts of `class`.
    #[must_use]
    pub fn of_class(&self, class: u8) -> InversionCount {
        self.by_class[usize::from(class)]
    }

    /// Returns the waiting ranks that can be compared with the rank of `packet`.
    fn waiting_with(&mut self, packet: &Packet) -> &mut Waiting {
        &mut self.waiting[self.group_of_class[usize::from(packet.class.0)]]
    }
}

impl Probe for Inversions {
    fn queued(&mut self, _: Time, packet: &Packet, _: usize) {
        self.waiting_with(packet).add(packet.rank);
    }

    fn evicted(&mut self, _: Time, packet: &Packet) {
        self.waiting_with(packet).remove(packet.rank);
    }

    fn dequeued(&mut self, _: Time, packet: &Packet, queue_len: usize) {
        let overtaken = self.waiting_with(packet).overtaken_by(packet.rank, queue_len);
        let class = &mut self.by_class[usize::from(packet.class.0)];
        class.inversions += u64::from(overtaken > 0);
        class.overtaken += overtaken;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::ClassId;

    #[test]
    fn a_departure_counts_once_however_many_it_overtakes() {
        let mut probe = Inversions::default();
        let packet = |rank| Packet { rank, ..Packet::default() };
        for rank in [5, 1, 1, 9, 5] {
            probe.queued(Time::ZERO, &packet(rank), 0);
        }
        probe.dequeued(Time::ZERO, &packet(5), 4);
        assert_eq!(probe.of_class(0), InversionCount { inversions: 1, overtaken: 2 });
        probe.evicted(Time::ZERO, &packet(1));
        probe.dequeued(Time::ZERO, &packet(9), 2);
        assert_eq!(probe.of_class(0), InversionCount { inversions: 2, overtaken: 4 });
        probe.dequeued(Time::ZERO, &packet(1), 1);
        assert_eq!(probe.of_class(0), InversionCount { inversions: 2, overtaken: 4 });
    }

    #[test]
    fn ranks_of_different_groups_are_not_compared() {
        let mut group_of_class = [0; 256];
        group_of_class[46] = 2;
        let mut probe = Inversions::among(group_of_class);
        let packet = |class, rank| Packet { class: ClassId(class), rank, ..Packet::default() };
        for packet in [packet(0, 5), packet(46, 1), packet(46, 9)] {
            probe.queued(Time::ZERO, &packet, 0);
        }
        probe.dequeued(Time::ZERO, &packet(0, 5), 2);
        probe.dequeued(Time::ZERO, &packet(46, 9), 1);
        assert_eq!(probe.of_class(0), InversionCount::default());
        assert_eq!(probe.of_class(46), InversionCount { inversions: 1, overtaken: 1 });
    }
}
