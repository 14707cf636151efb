//! The segments of a flow that wait for earlier segments.
//!
//! The model is a linked list, but the implementation is a sorted array with binary search, which finds the position and the number of
//! nodes before it at once. The test suite compares the array with a real linked list.

use std::collections::VecDeque;

/// The list of one flow: ranges of sequence numbers that do not overlap, in order, all beyond the next one expected.
///
/// Adjacent ranges stay separate nodes (figure 3.10), since each node represents a stored packet. Data that has arrived is kept: an
/// overlapping segment adds only its missing bytes, with one node for each gap that it fills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutOfOrder {
    /// The sequence number that is expected next, without wrapping around. Its lower 32 bits are the packets' sequence numbers.
    expected: u64,
    /// First byte, and the one after the last.
    waiting: VecDeque<(u64, u64)>,
    /// The sum of the bytes of all ranges.
    bytes: u64,
}

/// The position of a segment among the waiting ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// The number of nodes before the insertion.
    pub nodes: usize,
    /// The number of nodes before the segment.
    pub before: usize,
    /// The number of nodes that the segment overlaps with or releases.
    pub touched: usize,
    /// Whether all bytes of the segment were released before, so that no node was visited.
    pub is_old: bool,
}

/// The offset of sequence numbers, so that numbers a little before the first are not negative.
const FIRST_LAP: u64 = 1 << 32;

impl OutOfOrder {
    /// Creates a flow whose first expected byte is `sequence`.
    #[must_use]
    pub fn new(sequence: u32) -> Self {
        Self { expected: FIRST_LAP + u64::from(sequence), waiting: VecDeque::new(), bytes: 0 }
    }

    /// The number of nodes in the list.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The number of waiting bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether no segments wait.
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

    /// Adds the segment of `bytes` bytes from `sequence` on: stores it, or releases it and all segments that waited for it. Returns its
    /// position. Returns `None` and changes nothing if the segment ends more than `window` bytes beyond the expected byte.
    pub fn place(&mut self, sequence: u32, bytes: u32, window: u32) -> Option<Placed> {
        let ahead = sequence.wrapping_sub(self.expected()).cast_signed();
        let start = self.expected.saturating_add_signed(ahead.into());
        let end = start + u64::from(bytes);
        if end > self.expected + u64::from(window) {
            return None;
        }
        let (start, nodes) = (start.max(self.expected), self.waiting.len());
        let old = Placed { nodes, before: 0, touched: 0, is_old: true };
        Some(if start >= end {
            old
        } else if start == self.expected {
            Placed { touched: self.release(end), is_old: false, ..old }
        } else {
            let (before, touched) = self.keep(start, end);
            Placed { before, touched, is_old: false, ..old }
        })
    }

    /// Everything up to `end` has arrived. Gives the number of nodes that are released with it.
    fn release(&mut self, end: u64) -> usize {
        let len = self.waiting.len();
        self.expected = end;
        while let Some(&(start, end)) = self.waiting.front().filter(|(start, _)| *start <= self.expected) {
            self.expected = self.expected.max(end);
            self.bytes -= end - start;
            self.waiting.pop_front();
        }
        len - self.waiting.len()
    }

    /// Adds the missing bytes between `start` and `end`. Returns the number of nodes before them, and the number of overlapping nodes.
    fn keep(&mut self, start: u64, end: u64) -> (usize, usize) {
        let before = self.waiting.partition_point(|node| node.1 <= start);
        let until = self.waiting.partition_point(|node| node.0 < end);
        // The gaps around the nodes that overlap, the last one first, so that places stay right.
        let mut gap_end = end;
        for place in (before..until).rev() {
            let node = self.waiting[place];
            if node.1 < gap_end {
                self.add(place + 1, (node.1, gap_end));
            }
            gap_end = gap_end.min(node.0);
        }
        if start < gap_end {
            self.add(before, (start, gap_end));
        }
        (before, until - before)
    }

    fn add(&mut self, place: usize, node: (u64, u64)) {
        self.waiting.insert(place, node);
        self.bytes += node.1 - node.0;
    }

    /// Whether everything before `sequence` has been released.
    pub(super) fn has_released(&self, sequence: u32) -> bool {
        sequence.wrapping_sub(self.expected()).cast_signed() <= 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::applications::tcp::Structure;

    const WINDOW: u32 = 16_384;

    /// Nodes of the list that are looked at for a segment.
    fn followed(list: &mut OutOfOrder, sequence: u32, bytes: u32) -> Option<usize> {
        list.place(sequence, bytes, WINDOW).map(|placed| Structure::List.looked(placed))
    }

    fn nodes(list: &OutOfOrder) -> Vec<(u64, u64)> {
        list.waiting.iter().map(|&(start, end)| (start - FIRST_LAP, end - FIRST_LAP)).collect()
    }

    fn flow(expected: u32, ranges: &[(u32, u32)]) -> OutOfOrder {
        let mut list = OutOfOrder::new(expected);
        for &(start, end) in ranges {
            followed(&mut list, start, end - start);
        }
        list
    }

    #[test]
    fn traversals_are_counted_as_in_the_figures() {
        let mut figure_3_10 = flow(5, &[(10, 20), (20, 30), (50, 90)]);
        assert_eq!(followed(&mut figure_3_10, 35, 15), Some(3));
        assert_eq!(nodes(&figure_3_10), [(10, 20), (20, 30), (35, 50), (50, 90)]);
        let mut flow_b = flow(80, &[(85, 87), (88, 90), (91, 93), (94, 96)]);
        assert_eq!(followed(&mut flow_b, 97, 2), Some(4));
        assert_eq!(flow_b.len(), 5);
    }

    #[test]
    fn a_filled_gap_releases_what_waited() {
        let mut list = flow(5, &[(10, 20), (20, 30), (50, 90)]);
        assert_eq!(followed(&mut list, 5, 5), Some(3), "two are released, the third is looked at");
        assert_eq!((list.expected(), nodes(&list)), (30, vec![(50, 90)]));
        assert_eq!(followed(&mut list, 30, 100), Some(1));
        assert_eq!((list.expected(), list.is_empty()), (130, true));
        assert_eq!(followed(&mut list, 130, 1), Some(0));
    }

    #[test]
    fn of_an_overlap_what_is_missing_is_added() {
        let mut list = flow(5, &[(10, 20), (30, 40)]);
        assert_eq!(followed(&mut list, 8, 50), Some(2));
        assert_eq!(nodes(&list), [(8, 10), (10, 20), (20, 30), (30, 40), (40, 58)]);
        assert_eq!(followed(&mut list, 12, 20), Some(5), "all of it is there");
        assert_eq!(list.len(), 5);
        assert_eq!(followed(&mut list, 1, 3), Some(0), "released before");
        assert_eq!(followed(&mut list, 1, 6), Some(1), "its end is new");
        assert_eq!(list.expected(), 7);
    }

    #[test]
    fn sequence_numbers_wrap_around() {
        let mut list = OutOfOrder::new(u32::MAX - 1);
        assert_eq!(followed(&mut list, 2, 3), Some(0));
        assert_eq!(followed(&mut list, u32::MAX, 1), Some(1));
        assert_eq!(followed(&mut list, u32::MAX - 1, 1), Some(2));
        assert_eq!((list.expected(), list.len()), (0, 1));
        assert_eq!(followed(&mut list, 0, 2), Some(1));
        assert_eq!(list.expected(), 5);
        assert!(list.has_released(5) && !list.has_released(6));
    }

    #[test]
    fn the_window_ends_a_fixed_distance_beyond_the_expected_byte() {
        let mut list = OutOfOrder::new(100);
        assert_eq!(followed(&mut list, 90 + WINDOW, 11), None);
        assert_eq!(followed(&mut list, 90 + WINDOW, 10), Some(0));
    }
}
