//! The sending end of a connection with selective acknowledgements.
//!
//! The sender knows for each segment whether it has arrived ([`Scoreboard`]), so that many losses of one window are repaired in few round
//! trips and without a timeout. Losses are found by time ([`Rack`], RFC 8985) or by counting (RFC 6675, section 5). [`Prr`] limits the
//! sending rate during the repair (RFC 6937). [`TailProbe`] sends a probe when no acknowledgement arrives. The congestion control sets the
//! window.
//!
//! It differs from RFC 6675 in one point: a retransmission replaces its original once the original counts as lost. The receiver never
//! discards data that it has reported, so a timeout keeps the scoreboard.

use super::TcpOptions;
mod sending;

use self::sending::Next;
use super::prr::Prr;
use super::rack::Rack;
use super::rtt::Rtt;
use super::scoreboard::{Outstanding, Scoreboard};
use super::tail_probe::TailProbe;
use crate::net::congestion::{Acked, Congestion, CongestionControl};
use crate::net::endpoint::{Actions, Endpoint};
use crate::net::segment::{Flags, Segment};
use crate::net::transport_counts::TransportCounts;
use forebay_core::{Duration, Time};
use std::sync::Arc;

/// Sends a flow, and sends lost segments again. While anything is in flight, a timer runs.
#[derive(Debug)]
pub(crate) struct SackSender<C> {
    options: Arc<TcpOptions>,
    control: C,
    total: u64,
    opening: bool,
    /// First byte that has never been sent.
    sent: u64,
    board: Scoreboard,
    state: State,
    /// What had been sent when the repair or the timeout began: either is over when all of that is acknowledged.
    recover: u64,
    /// Bytes that the last acknowledgement lets go while losses are repaired.
    budget: u64,
    /// The position at which the search for possibly lost segments continues, and the end of the sent data at the last rescue (RFC 6675,
    /// section 4, rules 3 and 4).
    doubtful_from: u64,
    rescued: Option<u64>,
    rack: Rack,
    probe: TailProbe,
    /// When segments are overdue that were sent before one that has arrived.
    overdue: Option<Time>,
    /// Something new was sent or acknowledged in this call.
    has_news: bool,
    /// The timer has expired, and nothing more has been acknowledged since.
    timed_out: bool,
    /// What had been sent when the window was last reduced: echoes count only when more than that is acknowledged.
    reduced_at: Option<u64>,
    say_reduced: bool,
    rtt: Rtt,
    /// The time at which the retransmission timer expires, while it runs.
    expires: Option<Time>,
    /// The time at which the next data may leave, if the control paces it.
    leaves: Time,
    counts: TransportCounts,
}

#[derive(Debug, Clone, Copy)]
enum State {
    /// No segment is lost.
    Open,
    /// Losses are repaired.
    Repair(Prr),
    /// The timer has expired: slow start, with lost segments first.
    TimedOut,
}

impl<C: CongestionControl> SackSender<C> {
    /// Will send a flow of `total` bytes.
    pub(crate) fn new(options: &Arc<TcpOptions>, control: C, total: u64) -> Self {
        Self {
            options: Arc::clone(options),
            control,
            total,
            opening: options.handshake,
            sent: 0,
            board: Scoreboard::new(options.mss),
            state: State::Open,
            recover: 0,
            budget: 0,
            doubtful_from: 0,
            rescued: None,
            rack: Rack::default(),
            probe: TailProbe::default(),
            overdue: None,
            has_news: false,
            timed_out: false,
            reduced_at: None,
            say_reduced: false,
            rtt: Rtt::new(options.initial_rto, options.min_rto, options.max_rto),
            expires: None,
            leaves: Time::ZERO,
            counts: TransportCounts::default(),
        }
    }

    fn flight(&self) -> u64 {
        self.sent - self.board.acknowledged()
    }

    /// Returns the bytes in flight that the window allowed, without the bytes that are in flight because blocks reported arrivals.
    fn limited_flight(&self) -> u64 {
        self.flight().min(self.control.window_bytes())
    }

    fn send_bare(&self, flags: Flags, now: Time, actions: &mut Actions) {
        let header_bytes = self.options.header_bytes;
        actions.segments.push(Segment { timestamp: now, header_bytes, flags, ..Segment::default() });
    }

    fn acknowledged(&mut self, now: Time, segment: &Segment, actions: &mut Actions) {
        debug_assert!(segment.ack <= self.sent, "what was never sent cannot be acknowledged");
        let advances = segment.ack > self.board.acknowledged();
        let (board, rack) = (&mut self.board, &mut self.rack);
        let mut delivered = |arrived: &Outstanding| rack.delivered(now, arrived, segment.timestamp);
        let mut bytes = board.deliver(segment.ack, 0..0, &mut delivered);
        for block in segment.sack.near(segment.ack) {
            bytes += board.deliver(segment.ack, block, &mut delivered);
        }
        let duplicate = reports_duplicate(segment);
        if duplicate {
            self.rack.duplicate(self.board.acknowledged(), self.sent);
        }
        if self.board.acknowledged() == self.total {
            actions.timer = Some(None);
            actions.finished = true;
            return;
        }
        let rtt = now.since(segment.timestamp);
        if advances {
            self.rtt.sample(rtt);
            self.timed_out = false;
            self.has_news = true;
            self.expires = Some(now + self.rtt.timeout());
        }
        let echo = segment.flags.has(Flags::ECHO);
        if bytes > 0 {
            let acked = Acked {
                bytes,
                marked_bytes: if echo { bytes } else { 0 },
                acknowledged: self.board.acknowledged(),
                sent: self.sent,
                in_flight: self.board.in_flight(),
                rtt: advances.then_some(rtt),
                recovering: matches!(self.state, State::Repair(_)),
                app_limited: self.sent == self.total,
            };
            self.control.on_ack(now, &acked);
        }
        let probe_repaired = self.probe.answered(self.board.acknowledged(), duplicate);
        self.find_lost(now);
        self.go_on(now, bytes);
        if matches!(self.state, State::Open) && (echo || probe_repaired) {
            self.reduce(now, if echo { Congestion::Mark } else { Congestion::Loss });
        }
        self.send_allowed(now, false, actions);
        self.set_timer(now, actions);
    }

    fn find_lost(&mut self, now: Time) {
        let threshold = u64::from(self.options.dupack_threshold);
        if self.options.rack {
            let window = self.reordering_window();
            self.overdue = self.rack.find_lost(now, window, &mut self.board);
        } else {
            self.board.lose_by_count(threshold);
        }
    }

    fn reordering_window(&self) -> Duration {
        let many_arrived = self.board.sacked() >= u64::from(self.options.dupack_threshold);
        let repairs = !matches!(self.state, State::Open);
        self.rack.window(repairs, many_arrived, self.rtt.smoothed().unwrap_or_default())
    }

    /// Begins, goes on with or ends a repair, now that `bytes` more have arrived.
    fn go_on(&mut self, now: Time, bytes: u64) {
        let (in_flight, mss) = (self.board.in_flight(), u64::from(self.options.mss));
        let is_over = self.board.acknowledged() >= self.recover;
        match &mut self.state {
            State::Repair(prr) if !is_over => self.budget = prr.delivered(bytes, in_flight, mss),
            State::Repair(_) => {
                self.state = State::Open;
                self.control.on_recovered(now, in_flight);
                self.rack.recovered();
            }
            State::TimedOut if is_over => {
                self.state = State::Open;
                self.rack.recovered();
            }
            State::TimedOut | State::Open => {}
        }
        if matches!(self.state, State::Open) && self.board.lost() > 0 {
            self.counts.fast_retransmits += 1;
            let (flight, limited) = (self.flight(), self.limited_flight());
            self.control.on_congestion(now, Congestion::Loss, limited);
            self.note_reduction();
            self.recover = self.sent;
            self.doubtful_from = self.board.first();
            self.rescued = None;
            let mut prr = Prr::new(self.control.window_bytes(), flight);
            // The first retransmission goes in any case (RFC 6675, section 5, step 4.3).
            self.budget = prr.delivered(bytes, in_flight, mss).max(mss);
            self.state = State::Repair(prr);
        }
    }

    fn note_reduction(&mut self) {
        self.reduced_at = Some(self.sent);
        self.say_reduced = true;
    }

    /// Reduces the window, at most once for the same data in flight, or at every mark if the control asks for that.
    fn reduce(&mut self, now: Time, why: Congestion) {
        let acknowledged = self.board.acknowledged();
        let is_new = self.reduced_at.is_none_or(|reduced_at| acknowledged > reduced_at);
        if is_new || why == Congestion::Mark && self.control.reduces_at_every_mark() {
            self.control.on_congestion(now, why, self.limited_flight());
            self.note_reduction();
        }
    }

    fn send_probe(&mut self, now: Time, actions: &mut Actions) {
        let again = !self.has_new();
        let next = if again { self.board.last_missing().map(Next::Again) } else { Some(Next::New) };
        if let Some(next) = next {
            self.send(next, now, actions);
        }
        self.probe.sent(self.sent, again);
        self.expires = Some(now + self.rtt.timeout());
    }

    fn time_out(&mut self, now: Time, actions: &mut Actions) {
        self.counts.timeouts += 1;
        self.rtt.back_off();
        self.expires = Some(now + self.rtt.timeout());
        let window = self.reordering_window();
        self.control.on_timeout(now, (!self.timed_out).then(|| self.limited_flight()));
        self.timed_out = true;
        self.state = State::TimedOut;
        self.recover = self.sent;
        self.note_reduction();
        self.probe.time_out();
        self.overdue = None;
        if self.options.rack {
            self.rack.time_out(now, window, &mut self.board);
        } else {
            self.board.lose_all();
        }
        self.send_allowed(now, true, actions);
    }

    /// Sets the one timer to the earliest deadline.
    fn set_timer(&mut self, now: Time, actions: &mut Actions) {
        let is_quiet = matches!(self.state, State::Open) && self.board.sacked() == 0 && self.board.lost() == 0;
        let has_news = std::mem::take(&mut self.has_news);
        if self.board.len() == 0 {
            self.expires = None;
        }
        match self.expires {
            Some(expires) if self.options.rack && is_quiet => {
                if has_news {
                    let is_held_back = self.board.len() == 1 && self.options.ack_every > 1;
                    let one_delay = if is_held_back { self.options.ack_delay } else { Duration::ZERO };
                    self.probe.schedule(now, self.rtt.smoothed(), one_delay, expires);
                }
            }
            _ => self.probe.due = None,
        }
        let leaves = if self.is_held(now) {
            let next = self.next();
            next.filter(|next| self.lets(self.bytes(*next))).map(|_| self.leaves)
        } else {
            None
        };
        let first = [self.expires, self.overdue, self.probe.due, leaves].into_iter().flatten().min();
        actions.timer = Some(first.map(|time| time.max(now)));
    }
}

/// Whether the first block is of data that had arrived before (RFC 2883, section 4).
fn reports_duplicate(segment: &Segment) -> bool {
    let mut blocks = segment.sack.near(segment.ack);
    let Some(first) = blocks.next() else { return false };
    let within = |second: std::ops::Range<u64>| second.start <= first.start && first.end <= second.end;
    first.start < segment.ack || blocks.next().is_some_and(within)
}

impl<C: CongestionControl> Endpoint for SackSender<C> {
    fn start(&mut self, now: Time, actions: &mut Actions) {
        if self.opening {
            self.send_bare(Flags::SYN, now, actions);
            actions.timer = Some(Some(now + self.rtt.timeout()));
        } else {
            self.send_allowed(now, false, actions);
            self.set_timer(now, actions);
        }
    }

    fn receive(&mut self, now: Time, segment: &Segment, actions: &mut Actions) {
        if !segment.flags.has(Flags::SYN) {
            if self.board.acknowledged() < self.total {
                self.acknowledged(now, segment, actions);
            }
        } else if std::mem::take(&mut self.opening) {
            self.rtt.restart();
            if self.options.handshake_sample {
                self.rtt.sample(now.since(segment.timestamp));
            }
            self.send_bare(Flags::ACK, now, actions);
            self.send_allowed(now, false, actions);
            self.set_timer(now, actions);
        }
    }

    fn timer(&mut self, now: Time, actions: &mut Actions) {
        if self.opening {
            self.counts.timeouts += 1;
            self.counts.handshake_timeouts += 1;
            self.rtt.back_off();
            self.send_bare(Flags::SYN, now, actions);
            actions.timer = Some(Some(now + self.rtt.timeout()));
            return;
        }
        let is_due = |time: Option<Time>| time.is_some_and(|time| time <= now);
        if is_due(self.overdue) {
            self.find_lost(now);
            self.go_on(now, 0);
        }
        if is_due(self.probe.due) {
            self.send_probe(now, actions);
        } else if is_due(self.expires) {
            self.time_out(now, actions);
        }
        self.send_allowed(now, false, actions);
        self.set_timer(now, actions);
    }

    fn counts(&self) -> TransportCounts {
        self.counts
    }

    fn window_bytes(&self) -> Option<u64> {
        Some(match self.state {
            State::Repair(_) => self.board.in_flight() + self.budget,
            State::Open | State::TimedOut => self.control.window_bytes(),
        })
    }
}
