//! RACK: a segment is lost if a segment that was sent later has arrived, and a reordering window has passed (RFC 8985, section 6).
//!
//! So lost retransmissions are detected as well, and reordering within the window does not count as loss. The window is a quarter of the
//! shortest round trip; it grows when duplicates show that it was too short. O(1) for each segment that arrives; the search for losses
//! looks at segments in the order in which they were sent.

use super::scoreboard::{Outstanding, Scoreboard};
use forebay_core::{Duration, Time};

/// Recoveries after which the reordering window is as small as at first.
const PERSIST: u32 = 16;

/// The state of RACK for a connection.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rack {
    /// When the segment was sent that was sent last of all that have arrived, and where it ends.
    sent: Option<(Time, u64)>,
    /// The round-trip time of this segment.
    rtt: Duration,
    least_rtt: Option<Duration>,
    /// The highest byte that has arrived ends here.
    forward: u64,
    has_reordering: bool,
    /// Quarters of the shortest round trip, less one.
    more: u64,
    persist: u32,
    /// While it lasts, duplicates are of a round trip that has been counted.
    duplicates_until: Option<u64>,
}

impl Rack {
    /// Steps 1 to 3: a segment has arrived. The acknowledgement came at `now` and echoes a transmission at `echo`.
    pub(crate) fn delivered(&mut self, now: Time, segment: &Outstanding, echo: Time) {
        let rtt = now.since(segment.at);
        // An acknowledgement of an earlier copy says nothing about the last one.
        let is_ambiguous = segment.again && (echo < segment.at || self.least_rtt.is_some_and(|least| rtt < least));
        if !segment.again {
            self.least_rtt = Some(self.least_rtt.map_or(rtt, |least| least.min(rtt)));
            self.has_reordering |= segment.end < self.forward;
        }
        self.forward = self.forward.max(segment.end);
        if !is_ambiguous && self.sent.is_none_or(|sent| (segment.at, segment.end) > sent) {
            self.sent = Some((segment.at, segment.end));
            self.rtt = rtt;
        }
    }

    /// Step 4: a duplicate was reported. All before `acknowledged` has arrived, and nothing was sent from `sent` on.
    pub(crate) fn duplicate(&mut self, acknowledged: u64, sent: u64) {
        if self.duplicates_until.is_none_or(|until| acknowledged >= until) {
            self.duplicates_until = Some(sent);
            self.more += 1;
            self.persist = PERSIST;
        }
    }

    /// Step 4: a recovery is over.
    pub(crate) fn recovered(&mut self) {
        self.persist = self.persist.saturating_sub(1);
        if self.persist == 0 {
            self.more = 0;
        }
    }

    /// Step 4: how much later than expected a segment may arrive.
    pub(crate) fn window(&self, repairs: bool, many_arrived: bool, smoothed_rtt: Duration) -> Duration {
        if !self.has_reordering && (repairs || many_arrived) {
            return Duration::ZERO;
        }
        let quarter = self.least_rtt.unwrap_or_default().as_ps() / 4;
        Duration::from_ps(quarter.saturating_mul(self.more + 1)).min(smoothed_rtt)
    }

    /// Step 5: takes a segment for lost if it was sent before the newest segment that has arrived, and is overdue. Returns when the last of
    /// the others will be overdue.
    pub(crate) fn find_lost(&self, now: Time, window: Duration, board: &mut Scoreboard) -> Option<Time> {
        let newest = self.sent?;
        let patience = self.rtt + window;
        let mut due = None;
        let mut lost = Vec::new();
        for (number, segment) in board.in_order_sent().take_while(|(_, segment)| (segment.at, segment.end) < newest) {
            let overdue = segment.at + patience;
            if overdue <= now {
                lost.push(number);
            } else {
                due = Some(overdue);
            }
        }
        lost.into_iter().for_each(|number| board.lose(number));
        due
    }

    /// Section 6.3: after a timeout, the first segment is lost, and others only if they are overdue.
    pub(crate) fn time_out(&self, now: Time, window: Duration, board: &mut Scoreboard) {
        let patience = self.rtt + window;
        let first = board.first();
        let overdue = |number: u64, segment: &Outstanding| number == first || segment.at + patience <= now;
        let sent = board.in_order_sent().filter(|(number, segment)| overdue(*number, segment));
        let lost: Vec<u64> = sent.map(|(number, _)| number).collect();
        lost.into_iter().for_each(|number| board.lose(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: fn(u64) -> Time = |us| Time::from_ns(us * 1_000);

    /// Ten segments of 100 bytes, sent a microsecond apart.
    fn board() -> Scoreboard {
        let mut board = Scoreboard::new(100);
        (0..10).for_each(|number| board.send_new(US(number), (number + 1) * 100, 100));
        board
    }

    fn arrives(rack: &mut Rack, board: &mut Scoreboard, now: Time, number: u64, echo: Time) {
        board.deliver(0, number * 100..(number + 1) * 100, &mut |segment| rack.delivered(now, segment, echo));
    }

    #[test]
    fn what_was_sent_before_is_lost_after_a_quarter_of_a_round_trip() {
        let (mut rack, mut board) = (Rack::default(), board());
        arrives(&mut rack, &mut board, US(40), 0, US(0));
        // Segment 3 took 40 us; segments 1 and 2 are missing.
        arrives(&mut rack, &mut board, US(43), 3, US(3));
        let window = rack.window(false, false, Duration::from_us(40));
        assert_eq!(window, Duration::from_us(10));
        assert_eq!((rack.find_lost(US(43), window, &mut board), board.lost()), (Some(US(52)), 0));
        assert_eq!((rack.find_lost(US(51), window, &mut board), board.lost()), (Some(US(52)), 1));
        assert_eq!((rack.find_lost(US(52), window, &mut board), board.lost()), (None, 2));
        // What was sent later is not: nothing behind it has arrived.
        assert_eq!(board.in_flight(), 600);
    }

    #[test]
    fn without_reordering_three_arrivals_suffice() {
        let (mut rack, mut board) = (Rack::default(), board());
        (3..6).for_each(|number| arrives(&mut rack, &mut board, US(40 + number), number, US(number)));
        let window = rack.window(false, true, Duration::from_us(40));
        assert_eq!(window, Duration::ZERO);
        assert_eq!((rack.find_lost(US(45), window, &mut board), board.lost()), (None, 3));
        // Segment 1 arrives after all: there is reordering, and the window stays open.
        arrives(&mut rack, &mut board, US(46), 1, US(1));
        assert_eq!(rack.window(true, true, Duration::from_us(40)), Duration::from_us(10));
    }

    #[test]
    fn a_lost_retransmission_is_found() {
        let (mut rack, mut board) = (Rack::default(), board());
        (1..4).for_each(|number| arrives(&mut rack, &mut board, US(40 + number), number, US(number)));
        rack.find_lost(US(43), Duration::ZERO, &mut board);
        assert_eq!(board.first_lost(), Some(0));
        board.send_again(US(43), 0);
        board.send_new(US(44), 1_100, 100);
        // The new segment arrives, and the retransmission does not.
        arrives(&mut rack, &mut board, US(84), 10, US(44));
        rack.find_lost(US(84), Duration::ZERO, &mut board);
        assert_eq!(board.first_lost(), Some(0));
    }

    #[test]
    fn an_ambiguous_acknowledgement_says_nothing() {
        let (mut rack, mut board) = (Rack::default(), board());
        arrives(&mut rack, &mut board, US(40), 1, US(1));
        board.lose(0);
        board.send_again(US(41), 0);
        let before = rack.sent;
        // The first copy arrives late.
        board.deliver(100, 0..0, &mut |segment| rack.delivered(US(50), segment, US(0)));
        assert_eq!(rack.sent, before);
    }

    #[test]
    fn duplicates_widen_the_window_once_in_a_round_trip() {
        let (mut rack, mut board) = (Rack::default(), board());
        arrives(&mut rack, &mut board, US(40), 0, US(0));
        let window = |rack: &Rack| rack.window(false, false, Duration::from_us(30));
        rack.duplicate(0, 1_000);
        rack.duplicate(500, 1_000);
        assert_eq!(window(&rack), Duration::from_us(20));
        rack.duplicate(1_000, 2_000);
        assert_eq!(window(&rack), Duration::from_us(30), "not more than a round trip");
        (0..PERSIST).for_each(|_| rack.recovered());
        assert_eq!(window(&rack), Duration::from_us(10));
    }
}
