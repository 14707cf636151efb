//! The sending end of a connection: RFC 5681 and RFC 6582, section 3.2.

use super::TcpOptions;
use super::inflation::Inflation;
use super::rtt::Rtt;
use crate::net::congestion::{Acked, Congestion, CongestionControl};
use crate::net::endpoint::{Actions, Endpoint};
use crate::net::sack::SackBlocks;
use crate::net::segment::{Flags, Segment};
use crate::net::transport_counts::TransportCounts;
use forebay_core::Time;
use std::sync::Arc;

/// Sends a flow, and sends lost segments again.
///
/// While anything is in flight, a timer runs; so the sender never waits for an acknowledgement that does not arrive. The remaining flow
/// that each segment reports counts from the first byte that is not acknowledged.
#[derive(Debug)]
pub(crate) struct Sender<C> {
    /// The options, shared by all connections, so that a connection fits fewer cache lines.
    options: Arc<TcpOptions>,
    control: C,
    total: u64,
    opening: bool,
    /// First byte that is not acknowledged.
    acknowledged: u64,
    /// First byte that is to be sent next; after a timeout it goes back.
    next: u64,
    /// First byte that has never been sent.
    sent: u64,
    /// The window while a loss is being repaired.
    inflation: Inflation,
    /// A loss is being repaired, and the first acknowledgement that did not repair all has come.
    recovery: Option<Recovery>,
    /// The end of the data that had been sent when the last loss was found. Duplicates count only when more than that is acknowledged,
    /// since needless retransmissions after a timeout cause duplicates as well (RFC 6582, section 3.2, step 2).
    recover: Option<u64>,
    duplicates: u32,
    /// Bytes that the first duplicates have sent: not part of the flight that a loss halves.
    limited_bytes: u64,
    /// The timer has expired, and nothing more has been acknowledged since.
    timed_out: bool,
    /// What had been sent when the window was last reduced: echoes count only when more than that is acknowledged.
    reduced_at: Option<u64>,
    /// The next segment has to report that the window was reduced.
    say_reduced: bool,
    rtt: Rtt,
    timer_runs: bool,
    /// The time at which the retransmission timer expires, while it runs.
    expires: Time,
    /// The time at which the next data may leave, if the control paces it.
    leaves: Time,
    counts: TransportCounts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recovery {
    /// No lost byte has been acknowledged.
    Entered,
    /// Some of it has.
    Partial,
}

impl<C: CongestionControl> Sender<C> {
    /// Will send a flow of `total` bytes.
    pub(crate) fn new(options: &Arc<TcpOptions>, control: C, total: u64) -> Self {
        Self {
            options: Arc::clone(options),
            control,
            total,
            opening: options.handshake,
            acknowledged: 0,
            next: 0,
            sent: 0,
            inflation: Inflation::new(0, 0, u64::from(options.mss)),
            recovery: None,
            recover: None,
            duplicates: 0,
            limited_bytes: 0,
            timed_out: false,
            reduced_at: None,
            say_reduced: false,
            rtt: Rtt::new(options.initial_rto, options.min_rto, options.max_rto),
            timer_runs: false,
            expires: Time::MAX,
            leaves: Time::ZERO,
            counts: TransportCounts::default(),
        }
    }

    /// Bytes that may be in flight.
    #[inline]
    fn window(&self) -> u64 {
        match self.recovery {
            Some(_) => self.inflation.bytes().min(self.options.max_window_bytes),
            None => self.control.window_bytes(),
        }
    }

    fn flight(&self) -> u64 {
        self.next - self.acknowledged
    }

    fn restart_timer(&mut self, now: Time, actions: &mut Actions) {
        self.timer_runs = true;
        self.expires = now + self.rtt.timeout();
        actions.timer = Some(Some(self.expires));
    }

    /// Whether the control holds the next data back for the moment.
    #[inline]
    fn is_held(&self, now: Time) -> bool {
        self.control.pacing_rate().is_some() && self.leaves > now
    }

    /// Has the timer call when held data may leave, if that is before the retransmission timer expires.
    #[inline]
    fn wait_to_leave(&self, now: Time, actions: &mut Actions) {
        if self.is_held(now) && self.fits(self.window()) {
            let expires = if self.timer_runs { self.expires } else { Time::MAX };
            actions.timer = Some(Some(expires.min(self.leaves)));
        }
    }

    /// Whether a window of `window` bytes lets the next data go.
    #[inline]
    fn fits(&self, window: u64) -> bool {
        self.next < self.total && self.flight() + u64::from(self.length(self.next)) <= window
    }

    fn send_bare(&self, flags: Flags, now: Time, actions: &mut Actions) {
        let header_bytes = self.options.header_bytes;
        actions.segments.push(Segment { timestamp: now, header_bytes, flags, ..Segment::default() });
    }

    /// Sends the segment that begins at `seq` and returns its end.
    #[inline]
    fn send(&mut self, seq: u64, now: Time, actions: &mut Actions) -> u64 {
        let payload_bytes = self.length(seq);
        let again = seq < self.sent;
        let mut flags = Flags::NONE;
        if self.control.ecn().marks(again) {
            flags = Flags::ECN_CAPABLE;
            if self.say_reduced && !again {
                self.say_reduced = false;
                flags = flags.with(Flags::REDUCED);
            }
        }
        actions.segments.push(Segment {
            seq,
            ack: 0,
            remaining: self.options.announced(self.total, self.acknowledged, self.sent),
            timestamp: now,
            payload_bytes,
            header_bytes: self.options.header_bytes,
            flags,
            sack: SackBlocks::NONE,
        });
        self.counts.data_segments += 1;
        self.counts.retransmissions += u64::from(again);
        let end = seq + u64::from(payload_bytes);
        self.sent = self.sent.max(end);
        self.control.on_sent(now, u64::from(payload_bytes), self.next.max(end) - self.acknowledged);
        if let Some(rate) = self.control.pacing_rate() {
            self.leaves = self.leaves.max(now) + rate.transmission_time(payload_bytes);
        }
        if !self.timer_runs {
            self.restart_timer(now, actions);
        }
        end
    }

    /// Bytes of the segment that begins at `seq`.
    fn length(&self, seq: u64) -> u32 {
        u32::try_from(self.total - seq).map_or(self.options.mss, |left| left.min(self.options.mss))
    }

    /// Sends the segments that a window of `window` bytes allows.
    #[inline]
    fn send_within(&mut self, window: u64, now: Time, actions: &mut Actions) {
        while self.fits(window) && !self.is_held(now) {
            self.next = self.send(self.next, now, actions);
        }
    }

    fn more_acknowledged(&mut self, now: Time, segment: &Segment, actions: &mut Actions) {
        debug_assert!(segment.ack <= self.sent, "what was never sent cannot be acknowledged");
        let bytes = segment.ack - self.acknowledged;
        let echo = segment.flags.has(Flags::ECHO);
        let rtt = now.since(segment.timestamp);
        self.rtt.sample(rtt);
        self.acknowledged = segment.ack;
        self.next = self.next.max(segment.ack);
        self.duplicates = 0;
        self.limited_bytes = 0;
        self.timed_out = false;
        if segment.ack == self.total {
            self.timer_runs = false;
            actions.timer = Some(None);
            actions.finished = true;
            return;
        }
        self.control.on_ack(
            now,
            &Acked {
                bytes,
                marked_bytes: if echo { bytes } else { 0 },
                acknowledged: segment.ack,
                sent: self.sent,
                in_flight: self.flight(),
                rtt: Some(rtt),
                recovering: self.recovery.is_some(),
                app_limited: self.next == self.total,
            },
        );
        match self.recovery {
            Some(progress) if self.recover.is_some_and(|recover| segment.ack < recover) => {
                self.inflation.deflate(bytes);
                self.send(segment.ack, now, actions);
                // Only once: many losses in a window are better repaired by a timeout than one in each round trip.
                if progress == Recovery::Entered {
                    self.recovery = Some(Recovery::Partial);
                    self.restart_timer(now, actions);
                }
            }
            Some(_) => {
                self.recovery = None;
                self.control.on_recovered(now, self.flight());
                self.restart_timer(now, actions);
            }
            None => {
                self.restart_timer(now, actions);
                if echo {
                    self.reduce(now, segment.ack);
                }
            }
        }
        self.send_within(self.window(), now, actions);
    }

    /// The acknowledgement of all before `acknowledged` is an echo, be it a duplicate or not.
    fn reduce(&mut self, now: Time, acknowledged: u64) {
        let is_new = self.reduced_at.is_none_or(|reduced_at| acknowledged > reduced_at);
        if self.recovery.is_none() && (is_new || self.control.reduces_at_every_mark()) {
            self.control.on_congestion(now, Congestion::Mark, self.flight());
            self.reduced_at = Some(self.sent);
            self.say_reduced = true;
        }
    }

    fn duplicate(&mut self, now: Time, actions: &mut Actions) {
        self.duplicates = self.duplicates.saturating_add(1);
        if self.recovery.is_some() {
            self.inflation.inflate();
            self.send_within(self.window(), now, actions);
        } else if self.duplicates == self.options.dupack_threshold {
            if !self.options.careful || self.recover.is_none_or(|recover| self.acknowledged > recover) {
                self.enter_recovery(now, actions);
            }
        } else if self.duplicates < self.options.dupack_threshold
            && self.options.limited_transmit
            && self.next == self.sent
        {
            let two_more = self.window() + 2 * u64::from(self.options.mss);
            let end = self.next + u64::from(if self.next < self.total { self.length(self.next) } else { 0 });
            if end > self.next && end - self.acknowledged <= two_more.min(self.options.max_window_bytes) {
                self.limited_bytes += end - self.next;
                self.next = self.send(self.next, now, actions);
            }
        }
    }

    fn enter_recovery(&mut self, now: Time, actions: &mut Actions) {
        self.counts.fast_retransmits += 1;
        self.recovery = Some(Recovery::Entered);
        self.recover = Some(self.sent);
        self.reduced_at = Some(self.sent);
        let lost_in = self.flight() - self.limited_bytes;
        self.control.on_congestion(now, Congestion::Loss, lost_in);
        let (mss, duplicates) = (u64::from(self.options.mss), self.options.dupack_threshold);
        self.inflation = Inflation::new(self.control.window_bytes(), duplicates, mss);
        self.say_reduced = true;
        self.send(self.acknowledged, now, actions);
        self.send_within(self.window(), now, actions);
    }
}

impl<C: CongestionControl> Endpoint for Sender<C> {
    fn start(&mut self, now: Time, actions: &mut Actions) {
        if self.opening {
            self.send_bare(Flags::SYN, now, actions);
            self.restart_timer(now, actions);
        } else {
            self.send_within(self.window(), now, actions);
            self.wait_to_leave(now, actions);
        }
    }

    fn receive(&mut self, now: Time, segment: &Segment, actions: &mut Actions) {
        if segment.flags.has(Flags::SYN) {
            // A second answer, to a SYN that was sent again, says nothing more.
            if self.opening {
                self.opening = false;
                self.rtt.restart();
                if self.options.handshake_sample {
                    self.rtt.sample(now.since(segment.timestamp));
                }
                self.send_bare(Flags::ACK, now, actions);
                self.restart_timer(now, actions);
                self.send_within(self.window(), now, actions);
            }
        } else if segment.ack > self.acknowledged {
            self.more_acknowledged(now, segment, actions);
        } else if segment.ack == self.acknowledged && self.acknowledged < self.sent {
            if segment.flags.has(Flags::ECHO) {
                self.reduce(now, segment.ack);
            }
            self.duplicate(now, actions);
        }
        self.wait_to_leave(now, actions);
    }

    fn timer(&mut self, now: Time, actions: &mut Actions) {
        if self.timer_runs && now < self.expires {
            // Held data may leave, and the retransmission timer goes on.
            actions.timer = Some(Some(self.expires));
            self.send_within(self.window(), now, actions);
            self.wait_to_leave(now, actions);
            return;
        }
        self.counts.timeouts += 1;
        self.rtt.back_off();
        self.restart_timer(now, actions);
        if self.opening {
            self.counts.handshake_timeouts += 1;
            self.send_bare(Flags::SYN, now, actions);
            return;
        }
        let found_lost = (!self.timed_out).then(|| self.flight() - self.limited_bytes);
        self.control.on_timeout(now, found_lost);
        self.timed_out = true;
        self.recovery = None;
        self.recover = Some(self.sent);
        self.reduced_at = Some(self.sent);
        self.say_reduced = true;
        self.duplicates = 0;
        self.limited_bytes = 0;
        self.next = self.acknowledged;
        self.send_within(self.window(), now, actions);
        self.wait_to_leave(now, actions);
    }

    fn counts(&self) -> TransportCounts {
        self.counts
    }

    fn window_bytes(&self) -> Option<u64> {
        Some(self.window())
    }
}
