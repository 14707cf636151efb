//! The segments of a flow that wait for those before them.
//!
//! The list that is modelled is a linked one. It is kept as a sorted array, searched by halving, which finds the place
//! and the number of nodes before it at once; the test suite holds it against a list that is really followed.

use std::collections::VecDeque;

/// The list of one flow: ranges of sequence numbers that do not overlap, in order, all beyond the next one expected.
///
/// Ranges that touch stay nodes of their own (figure 3.10), since each stands for a packet that is kept. Data that has
/// arrived stays: of a segment that overlaps with it only what is missing is added, one node for each gap that it
/// fills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutOfOrder {
    /// The sequence number that is expected next, without wrapping around: the lower 32 bits are those of the packets.
    expected: u64,
    /// First byte, and the one after the last.
    waiting: VecDeque<(u64, u64)>,
}

/// So that numbers a little before the first one are not negative.
const FIRST_LAP: u64 = 1 << 32;

impl OutOfOrder {
    /// A flow of which the byte `sequence` is expected first.
    #[must_use]
    pub fn new(sequence: u32) -> Self {
        Self { expected: FIRST_LAP + u64::from(sequence), waiting: VecDeque::new() }
    }

    /// Nodes of the list.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The sequence number that is expected next.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the lower bits are meant")]
    pub fn expected(&self) -> u32 {
        self.expected as u32
    }

    /// Takes the `bytes` from `sequence` on: keeps them, or releases them and all that waited for them. Gives the nodes
    /// that were looked at; `None`, and nothing is changed, if the segment ends more than `window` bytes beyond the
    /// expected one.
    ///
    /// Those are the nodes that the segment passes, overlaps with or releases, and the next one, which ends the search.
    /// Nothing is looked at for data that was released before.
    pub fn place(&mut self, sequence: u32, bytes: u32, window: u32) -> Option<usize> {
        let ahead = sequence.wrapping_sub(self.expected()).cast_signed();
        let start = self.expected.saturating_add_signed(ahead.into());
        let end = start + u64::from(bytes);
        if end > self.expected + u64::from(window) {
            return None;
        }
        let start = start.max(self.expected);
        let len = self.waiting.len();
        let passed = if start >= end {
            return Some(0);
        } else if start == self.expected {
            self.release(end)
        } else {
            self.keep(start, end)
        };
        Some(len.min(passed + 1))
    }

    /// Everything up to `end` has arrived. Gives the number of nodes that are released with it.
    fn release(&mut self, end: u64) -> usize {
        let len = self.waiting.len();
        self.expected = end;
        while let Some(&(_, end)) = self.waiting.front().filter(|(start, _)| *start <= self.expected) {
            self.expected = self.expected.max(end);
            self.waiting.pop_front();
        }
        len - self.waiting.len()
    }

    /// Adds what is missing between `start` and `end`. Gives the number of nodes that begin before the end.
    fn keep(&mut self, start: u64, end: u64) -> usize {
        let before = self.waiting.partition_point(|node| node.1 <= start);
        let until = self.waiting.partition_point(|node| node.0 < end);
        if before == until {
            self.waiting.insert(before, (start, end));
            return until;
        }
        // The gaps around the nodes that overlap, the last one first, so that places stay right.
        let mut gap_end = end;
        for place in (before..until).rev() {
            let node = self.waiting[place];
            if node.1 < gap_end {
                self.waiting.insert(place + 1, (node.1, gap_end));
            }
            gap_end = gap_end.min(node.0);
        }
        if start < gap_end {
            self.waiting.insert(before, (start, gap_end));
        }
        until
    }

    /// Whether everything before `sequence` has been released.
    pub(super) fn has_released(&self, sequence: u32) -> bool {
        sequence.wrapping_sub(self.expected()).cast_signed() <= 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: u32 = 16_384;

    fn nodes(list: &OutOfOrder) -> Vec<(u64, u64)> {
        list.waiting.iter().map(|&(start, end)| (start - FIRST_LAP, end - FIRST_LAP)).collect()
    }

    fn flow(expected: u32, ranges: &[(u32, u32)]) -> OutOfOrder {
        let mut list = OutOfOrder::new(expected);
        for &(start, end) in ranges {
            list.place(start, end - start, WINDOW);
        }
        list
    }

    #[test]
    fn traversals_are_counted_as_in_the_figures() {
        let mut figure_3_10 = flow(5, &[(10, 20), (20, 30), (50, 90)]);
        assert_eq!(figure_3_10.place(35, 15, WINDOW), Some(3));
        assert_eq!(nodes(&figure_3_10), [(10, 20), (20, 30), (35, 50), (50, 90)]);
        let mut flow_b = flow(80, &[(85, 87), (88, 90), (91, 93), (94, 96)]);
        assert_eq!(flow_b.place(97, 2, WINDOW), Some(4));
        assert_eq!(flow_b.len(), 5);
    }

    #[test]
    fn a_filled_gap_releases_what_waited() {
        let mut list = flow(5, &[(10, 20), (20, 30), (50, 90)]);
        assert_eq!(list.place(5, 5, WINDOW), Some(3), "two are released, the third is looked at");
        assert_eq!((list.expected(), nodes(&list)), (30, vec![(50, 90)]));
        assert_eq!(list.place(30, 100, WINDOW), Some(1));
        assert_eq!((list.expected(), list.is_empty()), (130, true));
        assert_eq!(list.place(130, 1, WINDOW), Some(0));
    }

    #[test]
    fn of_an_overlap_what_is_missing_is_added() {
        let mut list = flow(5, &[(10, 20), (30, 40)]);
        assert_eq!(list.place(8, 50, WINDOW), Some(2));
        assert_eq!(nodes(&list), [(8, 10), (10, 20), (20, 30), (30, 40), (40, 58)]);
        assert_eq!(list.place(12, 20, WINDOW), Some(5), "all of it is there");
        assert_eq!(list.len(), 5);
        assert_eq!(list.place(1, 3, WINDOW), Some(0), "released before");
        assert_eq!(list.place(1, 6, WINDOW), Some(1), "its end is new");
        assert_eq!(list.expected(), 7);
    }

    #[test]
    fn sequence_numbers_wrap_around() {
        let mut list = OutOfOrder::new(u32::MAX - 1);
        assert_eq!(list.place(2, 3, WINDOW), Some(0));
        assert_eq!(list.place(u32::MAX, 1, WINDOW), Some(1));
        assert_eq!(list.place(u32::MAX - 1, 1, WINDOW), Some(2));
        assert_eq!((list.expected(), list.len()), (0, 1));
        assert_eq!(list.place(0, 2, WINDOW), Some(1));
        assert_eq!(list.expected(), 5);
        assert!(list.has_released(5) && !list.has_released(6));
    }

    #[test]
    fn the_window_ends_a_fixed_distance_beyond_the_expected_byte() {
        let mut list = OutOfOrder::new(100);
        assert_eq!(list.place(90 + WINDOW, 11, WINDOW), None);
        assert_eq!(list.place(90 + WINDOW, 10, WINDOW), Some(0));
    }
}
