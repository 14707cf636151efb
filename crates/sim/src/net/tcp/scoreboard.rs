//! The state of each segment that is not acknowledged: the scoreboard of RFC 6675, with the times of RFC 8985.
//!
//! All segments but the last have one size, so a segment is known by its number. `in_flight` is the pipe of RFC 6675, section 4: it counts
//! each copy of a segment that has neither arrived nor counts as lost. O(1) for each segment that is sent, arrives or is lost, amortised,
//! and O(log n) with n blocks; 40 bytes for each segment, 16 for each transmission.

use crate::net::received_bytes::Received;
use forebay_core::Time;
use std::collections::VecDeque;
use std::ops::Range;

/// A segment that was sent and is not acknowledged by the cumulative acknowledgement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outstanding {
    /// The time at which the segment was sent last.
    pub(crate) at: Time,
    /// The end of the segment.
    pub(crate) end: u64,
    /// The number of its bytes.
    pub(crate) bytes: u32,
    /// Copies of it that are in flight.
    copies: u32,
    /// A block has reported it.
    sacked: bool,
    /// Whether the segment counts as lost and was not sent again since.
    lost: bool,
    /// Whether the segment was sent more than once.
    pub(crate) again: bool,
}

/// All segments from the first that is not acknowledged to the last that was sent.
#[derive(Debug)]
pub(crate) struct Scoreboard {
    segment_bytes: u64,
    /// The bytes that have arrived, according to acknowledgements.
    arrived: Received,
    /// The number of the first segment below.
    first: u64,
    segments: VecDeque<Outstanding>,
    /// Transmissions in order of time: the time and the segment. A transmission is out of date if its segment has arrived, is lost, or was
    /// sent again.
    transmissions: VecDeque<(Time, u64)>,
    in_flight: u64,
    sacked: u64,
    lost: u64,
    /// No segment before this one is lost.
    lost_from: u64,
    /// The index before which losses by counting have been decided, and the number of sacked segments from it on.
    judged: u64,
    above: u64,
}

impl Scoreboard {
    /// Creates an empty scoreboard; segments have `segment_bytes` bytes.
    pub(crate) fn new(segment_bytes: u32) -> Self {
        Self {
            segment_bytes: u64::from(segment_bytes),
            arrived: Received::default(),
            first: 0,
            segments: VecDeque::new(),
            transmissions: VecDeque::new(),
            in_flight: 0,
            sacked: 0,
            lost: 0,
            lost_from: 0,
            judged: 0,
            above: 0,
        }
    }

    /// Bytes in flight.
    pub(crate) fn in_flight(&self) -> u64 {
        self.in_flight
    }

    /// The first byte that is not acknowledged.
    pub(crate) fn acknowledged(&self) -> u64 {
        self.arrived.next()
    }

    /// The number of segments that blocks have reported.
    pub(crate) fn sacked(&self) -> u64 {
        self.sacked
    }

    /// The number of segments that are lost and were not sent again.
    pub(crate) fn lost(&self) -> u64 {
        self.lost
    }

    /// The number of segments that are not acknowledged.
    pub(crate) fn len(&self) -> usize {
        self.segments.len()
    }

    /// The segment of this number.
    pub(crate) fn get(&self, number: u64) -> &Outstanding {
        &self.segments[self.place(number)]
    }

    fn place(&self, number: u64) -> usize {
        usize::try_from(number - self.first).expect("segments in flight fit the memory")
    }

    fn end(&self) -> u64 {
        self.first + self.segments.len() as u64
    }

    /// The next new segment is sent.
    pub(crate) fn send_new(&mut self, now: Time, end: u64, bytes: u32) {
        self.transmissions.push_back((now, self.end()));
        let new = Outstanding { at: now, end, bytes, copies: 1, sacked: false, lost: false, again: false };
        self.segments.push_back(new);
        self.in_flight += u64::from(bytes);
    }

    /// A segment is sent again.
    pub(crate) fn send_again(&mut self, now: Time, number: u64) {
        let place = self.place(number);
        let segment = &mut self.segments[place];
        self.lost -= u64::from(std::mem::take(&mut segment.lost));
        segment.copies += 1;
        (segment.at, segment.again) = (now, true);
        self.in_flight += u64::from(segment.bytes);
        self.transmissions.push_back((now, number));
    }

    /// Records that all bytes before `ack` and the bytes of `block` have arrived. Calls `delivered` for each segment that was not known to
    /// have arrived, and returns the bytes of these segments.
    pub(crate) fn deliver(&mut self, ack: u64, block: Range<u64>, delivered: &mut dyn FnMut(&Outstanding)) -> u64 {
        let mut bytes = 0;
        while self.segments.front().is_some_and(|segment| segment.end <= ack) {
            if !self.segments[0].sacked {
                bytes += self.arrive(0, delivered);
            }
            self.sacked -= 1;
            self.above -= u64::from(self.first >= self.judged);
            self.segments.pop_front();
            self.first += 1;
        }
        self.arrived.insert(self.arrived.next(), ack);
        self.judged = self.judged.max(self.first);
        let sent = self.segments.back().map_or(0, |last| last.end);
        let end = block.end.min(sent);
        let mut at = self.arrived.missing_from(block.start.max(ack));
        while at < end {
            let place = self.place(at / self.segment_bytes);
            let segment_end = self.segments[place].end;
            if segment_end <= end && at.is_multiple_of(self.segment_bytes) {
                bytes += self.arrive(place, delivered);
                self.arrived.insert(at, segment_end);
            }
            at = self.arrived.missing_from(segment_end);
        }
        self.forget_transmissions();
        bytes
    }

    /// A segment has arrived.
    fn arrive(&mut self, place: usize, delivered: &mut dyn FnMut(&Outstanding)) -> u64 {
        let segment = &mut self.segments[place];
        delivered(segment);
        let bytes = u64::from(segment.bytes);
        self.in_flight -= bytes * u64::from(std::mem::take(&mut segment.copies));
        self.lost -= u64::from(std::mem::take(&mut segment.lost));
        segment.sacked = true;
        self.sacked += 1;
        self.above += u64::from(self.first + place as u64 >= self.judged);
        bytes
    }

    fn is_current(&self, (at, number): (Time, u64)) -> bool {
        number >= self.first && {
            let segment = self.get(number);
            !segment.sacked && !segment.lost && segment.at == at
        }
    }

    fn forget_transmissions(&mut self) {
        while self.transmissions.front().is_some_and(|front| !self.is_current(*front)) {
            self.transmissions.pop_front();
        }
    }

    /// Segments in flight in the order in which they were sent.
    pub(crate) fn in_order_sent(&self) -> impl Iterator<Item = (u64, &Outstanding)> {
        let current = self.transmissions.iter().filter(|sent| self.is_current(**sent));
        current.map(|(_, number)| (*number, self.get(*number)))
    }

    /// A segment is held to be lost.
    pub(crate) fn lose(&mut self, number: u64) {
        let place = self.place(number);
        let segment = &mut self.segments[place];
        debug_assert!(!segment.sacked, "what has arrived is not lost");
        if !segment.lost {
            segment.lost = true;
            self.lost += 1;
            self.in_flight -= u64::from(segment.bytes) * u64::from(std::mem::take(&mut segment.copies));
            self.lost_from = self.lost_from.min(number);
        }
    }

    /// Everything that has not arrived is held to be lost.
    pub(crate) fn lose_all(&mut self) {
        for number in self.first..self.end() {
            if !self.get(number).sacked {
                self.lose(number);
            }
        }
        self.forget_transmissions();
    }

    /// Losses by counting: a segment is lost when `threshold` segments behind it have arrived (RFC 6675, section 4). One that
    /// was sent again is not judged again.
    pub(crate) fn lose_by_count(&mut self, threshold: u64) {
        while self.above >= threshold {
            let number = self.judged;
            let segment = self.get(number);
            let (sacked, again) = (segment.sacked, segment.again);
            if sacked {
                self.above -= 1;
            } else if !again {
                self.lose(number);
            }
            self.judged += 1;
        }
        self.forget_transmissions();
    }

    /// The first segment that is lost and was not sent again.
    pub(crate) fn first_lost(&mut self) -> Option<u64> {
        if self.lost == 0 {
            self.lost_from = self.end();
            return None;
        }
        self.lost_from = self.lost_from.max(self.first);
        while !self.get(self.lost_from).lost {
            self.lost_from += 1;
        }
        Some(self.lost_from)
    }

    /// The first segment from `from` on that was sent once, has not arrived, and has one behind it that has arrived (RFC 6675,
    /// section 4, NextSeg, rule 3).
    pub(crate) fn first_doubtful(&self, from: u64) -> Option<u64> {
        let mut behind = self.sacked - self.sacked_before(from);
        for number in from.max(self.first)..self.end() {
            let segment = self.get(number);
            behind -= u64::from(segment.sacked);
            if behind == 0 {
                return None;
            }
            if !segment.sacked && !segment.again && !segment.lost {
                return Some(number);
            }
        }
        None
    }

    fn sacked_before(&self, number: u64) -> u64 {
        self.segments.iter().take(self.place(number.max(self.first))).filter(|segment| segment.sacked).count() as u64
    }

    /// The last segment that has not arrived.
    pub(crate) fn last_missing(&self) -> Option<u64> {
        (self.first..self.end()).rev().find(|number| !self.get(*number).sacked)
    }

    /// The number of the first segment that is not acknowledged.
    pub(crate) fn first(&self) -> u64 {
        self.first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt;

    /// A reference whose list is searched for copies in flight, arrived, lost and retransmitted segments.
    #[derive(Debug, Clone, Copy, Default)]
    struct Naive {
        copies: u64,
        arrived: bool,
        lost: bool,
        again: bool,
        judged: bool,
    }

    /// RFC 6675, section 4, IsLost, for all segments that were not judged before and were sent once.
    fn lose_by_count(list: &mut [Naive], threshold: usize) {
        for number in 0..list.len() {
            let behind = list[number + 1..].iter().filter(|segment| segment.arrived).count();
            let segment = &mut list[number];
            if behind >= threshold && !segment.judged {
                segment.judged = true;
                if !segment.arrived && !segment.again {
                    *segment = Naive { copies: 0, lost: true, ..*segment };
                }
            }
        }
    }

    #[test]
    fn random_events_give_what_a_list_gives() {
        const SEGMENT: u64 = 100;
        for case in 0..300 {
            let mut rng = Seed(case).stream("scoreboard");
            let mut board = Scoreboard::new(100);
            let mut list: Vec<Naive> = Vec::new();
            for step in 0..200 {
                let now = Time::from_ps(step);
                let first = list.iter().position(|segment| !segment.arrived).unwrap_or(list.len());
                match rng.random_range(0..6) {
                    0 | 1 => {
                        board.send_new(now, (list.len() as u64 + 1) * SEGMENT, 100);
                        list.push(Naive { copies: 1, ..Naive::default() });
                    }
                    2 => {
                        if let Some(number) = board.first_lost() {
                            board.send_again(now, number);
                            let segment = &mut list[usize::try_from(number).unwrap()];
                            *segment = Naive { copies: segment.copies + 1, lost: false, again: true, ..*segment };
                        }
                    }
                    3 if rng.random_bool(0.02) => {
                        board.lose_all();
                        let missing = list.iter_mut().filter(|segment| !segment.arrived);
                        missing.for_each(|segment| (segment.copies, segment.lost) = (0, true));
                    }
                    3 => {
                        board.lose_by_count(3);
                        lose_by_count(&mut list, 3);
                    }
                    _ if first < list.len() => {
                        let from = rng.random_range(first..list.len());
                        let to = rng.random_range(from..(from + 3).min(list.len())) + 1;
                        list[from..to].iter_mut().for_each(|segment| {
                            *segment = Naive { copies: 0, arrived: true, lost: false, ..*segment };
                        });
                        let ack = list.iter().position(|segment| !segment.arrived).unwrap_or(list.len());
                        let block = from as u64 * SEGMENT..to as u64 * SEGMENT;
                        board.deliver(ack as u64 * SEGMENT, block, &mut |_| {});
                    }
                    _ => {}
                }
                let count = |what: fn(&Naive) -> u64| list.iter().map(what).sum::<u64>();
                assert_eq!(board.in_flight(), SEGMENT * count(|segment| segment.copies), "{case} {step}");
                assert_eq!(board.lost(), count(|segment| u64::from(segment.lost)), "{case} {step}");
                let first = list.iter().position(|segment| !segment.arrived).unwrap_or(list.len());
                let arrived = list[first..].iter().filter(|segment| segment.arrived).count();
                assert_eq!((board.first(), board.sacked()), (first as u64, arrived as u64), "{case} {step}");
                let lost = list.iter().position(|segment| segment.lost);
                assert_eq!(board.first_lost(), lost.map(|number| number as u64), "{case} {step}");
                let last = list.iter().rposition(|segment| !segment.arrived);
                assert_eq!(board.last_missing(), last.map(|number| number as u64), "{case} {step}");
                let sent: Vec<u64> = board.in_order_sent().map(|(number, _)| number).collect();
                let times: Vec<Time> = sent.iter().map(|number| board.get(*number).at).collect();
                assert!(times.is_sorted(), "{case} {step}: {times:?}");
                let in_flight = list.iter().filter(|segment| segment.copies > 0).count();
                assert_eq!(sent.len(), in_flight, "{case} {step}");
                let doubtful = (first..list.len()).find(|&number| {
                    let behind = list[number + 1..].iter().any(|segment| segment.arrived);
                    let Naive { arrived, lost, again, .. } = list[number];
                    behind && !arrived && !lost && !again
                });
                assert_eq!(board.first_doubtful(0), doubtful.map(|number| number as u64), "{case} {step}");
            }
        }
    }
}
