//! The choice and the amount of the data that a sender with selective acknowledgements sends next (RFC 6675, section 4; RFC 6937, section
//! 3).

use super::{SackSender, State};
use crate::net::congestion::CongestionControl;
use crate::net::endpoint::Actions;
use crate::net::segment::{Flags, Segment};
use forebay_core::Time;

/// The segment that may be sent next.
#[derive(Debug, Clone, Copy)]
pub(super) enum Next {
    New,
    Again(u64),
    Rescue(u64),
}

impl<C: CongestionControl> SackSender<C> {
    fn new_bytes(&self) -> u32 {
        u32::try_from(self.total - self.sent).map_or(self.options.mss, |left| left.min(self.options.mss))
    }

    /// Whether there is new data for which the receiver has room.
    pub(super) fn has_new(&self) -> bool {
        self.sent < self.total && self.flight() + u64::from(self.new_bytes()) <= self.options.max_window_bytes
    }

    /// NextSeg of RFC 6675, section 4. RACK replaces rules 3 and 4.
    pub(super) fn next(&mut self) -> Option<Next> {
        if let Some(number) = self.board.first_lost() {
            return Some(Next::Again(number));
        }
        if self.has_new() {
            return Some(Next::New);
        }
        if self.options.rack || !matches!(self.state, State::Repair(_)) {
            return None;
        }
        if let Some(number) = self.board.first_doubtful(self.doubtful_from) {
            self.doubtful_from = number;
            return Some(Next::Again(number));
        }
        let may_rescue = self.rescued.is_none_or(|rescued| self.board.acknowledged() > rescued);
        self.board.last_missing().filter(|_| may_rescue).map(Next::Rescue)
    }

    pub(super) fn is_held(&self, now: Time) -> bool {
        self.control.pacing_rate().is_some() && self.leaves > now
    }

    pub(super) fn lets(&self, bytes: u32) -> bool {
        match self.state {
            State::Repair(_) => u64::from(bytes) <= self.budget,
            State::Open | State::TimedOut => self.board.in_flight() + u64::from(bytes) <= self.control.window_bytes(),
        }
    }

    pub(super) fn bytes(&self, next: Next) -> u32 {
        match next {
            Next::New => self.new_bytes(),
            Next::Again(number) | Next::Rescue(number) => self.board.get(number).bytes,
        }
    }

    /// Sends the segments that may leave; with `one_free`, it sends the first segment in any case.
    pub(super) fn send_allowed(&mut self, now: Time, mut one_free: bool, actions: &mut Actions) {
        while one_free || !self.is_held(now) {
            let Some(next) = self.next() else { return };
            if !one_free && !self.lets(self.bytes(next)) {
                return;
            }
            one_free = false;
            self.send(next, now, actions);
        }
    }

    pub(super) fn send(&mut self, next: Next, now: Time, actions: &mut Actions) {
        let payload_bytes = self.bytes(next);
        let (seq, again) = match next {
            Next::New => (self.sent, false),
            Next::Again(number) | Next::Rescue(number) => (number * u64::from(self.options.mss), true),
        };
        let mut flags = Flags::NONE;
        if self.control.ecn().marks(again) {
            flags = Flags::ECN_CAPABLE;
            if !again && std::mem::take(&mut self.say_reduced) {
                flags = flags.with(Flags::REDUCED);
            }
        }
        let remaining = self.options.announced(self.total, self.board.acknowledged(), self.sent);
        let header_bytes = self.options.header_bytes;
        let data = Segment { seq, remaining, timestamp: now, payload_bytes, header_bytes, flags, ..Segment::default() };
        actions.segments.push(data);
        self.counts.data_segments += 1;
        self.counts.retransmissions += u64::from(again);
        match next {
            Next::New => {
                self.sent += u64::from(payload_bytes);
                self.board.send_new(now, self.sent, payload_bytes);
                self.has_news = true;
            }
            Next::Again(number) => self.board.send_again(now, number),
            Next::Rescue(number) => {
                self.board.send_again(now, number);
                self.rescued = Some(self.sent);
            }
        }
        if let State::Repair(prr) = &mut self.state {
            prr.sent(u64::from(payload_bytes));
            self.budget = self.budget.saturating_sub(u64::from(payload_bytes));
        }
        self.control.on_sent(now, u64::from(payload_bytes), self.board.in_flight());
        if let Some(rate) = self.control.pacing_rate() {
            self.leaves = self.leaves.max(now) + rate.transmission_time(payload_bytes);
        }
        if self.expires.is_none() {
            self.expires = Some(now + self.rtt.timeout());
        }
    }
}
