//! The receiving end of a connection: RFC 5681, section 4.2.

use super::sack_blocks::Reported;
use super::{Echo, TcpOptions};
use crate::net::endpoint::{Actions, Endpoint};
use crate::net::received_bytes::Received;
use crate::net::segment::{Flags, Segment};
use forebay_core::Time;
use std::sync::Arc;

/// Acknowledges data that arrives. Data that is out of order, repeated or fills a gap is acknowledged at once, and so is the last byte of
/// the flow (as closing the connection would). Data in order is acknowledged after a number of segments or a delay.
///
/// Where it says which data caused an acknowledgement and when that was sent, it is the first of several.
#[derive(Debug)]
pub(crate) struct Receiver<E> {
    /// The options, shared by all connections, so that a connection fits fewer cache lines.
    options: Arc<TcpOptions>,
    echo: E,
    received: Received,
    total: u64,
    /// Segments that are not acknowledged yet; where the first of them begins, and when it was sent.
    held: u32,
    first_held: (u64, Time),
    /// The blocks of the last acknowledgements, with selective acknowledgements.
    reported: Option<Box<Reported>>,
}

impl<E: Echo> Receiver<E> {
    /// Waits for a flow of `total` bytes.
    pub(crate) fn new(options: &Arc<TcpOptions>, echo: E, total: u64) -> Self {
        Self {
            options: Arc::clone(options),
            echo,
            received: Received::default(),
            total,
            held: 0,
            first_held: (0, Time::ZERO),
            reported: options.sack.then(Box::default),
        }
    }

    #[inline]
    fn answer(&self, (seq, timestamp): (u64, Time), flags: Flags) -> Segment {
        Segment {
            seq,
            ack: self.received.next(),
            timestamp,
            header_bytes: self.options.header_bytes,
            flags,
            ..Segment::default()
        }
    }

    #[inline]
    fn acknowledge(&mut self, actions: &mut Actions) {
        let flags = if self.echo.echoes() { Flags::ACK.with(Flags::ECHO) } else { Flags::ACK };
        actions.segments.push(self.answer(self.first_held, flags));
        self.held = 0;
        if self.options.ack_every > 1 {
            actions.timer = Some(None);
        }
    }
}

impl<E: Echo> Receiver<E> {
    /// Adds blocks to the acknowledgement of a segment that has arrived out of order; `again`: not for the first time.
    fn report(&mut self, arrived: &Segment, again: bool, actions: &mut Actions) {
        let (Some(reported), Some(answer)) = (&mut self.reported, actions.segments.last_mut()) else { return };
        let bytes = arrived.seq..arrived.seq + u64::from(arrived.payload_bytes);
        answer.sack = reported.report(&self.received, bytes, again);
        if !answer.sack.is_empty() {
            answer.flags = answer.flags.with(Flags::SACK);
        }
    }
}

impl<E: Echo> Endpoint for Receiver<E> {
    fn start(&mut self, _: Time, _: &mut Actions) {}

    fn receive(&mut self, now: Time, segment: &Segment, actions: &mut Actions) {
        if segment.flags.has(Flags::SYN) {
            actions.segments.push(self.answer((segment.seq, segment.timestamp), Flags::SYN.with(Flags::ACK)));
        }
        if segment.payload_bytes == 0 {
            return;
        }
        if self.held > 0 && self.echo.separates(segment.flags) {
            self.acknowledge(actions);
        }
        self.echo.arrived(segment.flags);
        let had_gap = self.received.has_gap();
        let before = self.received.next();
        let added = self.received.insert(segment.seq, segment.seq + u64::from(segment.payload_bytes));
        let next = self.received.next();
        let in_order = next > before && !had_gap;
        let complete = next == self.total;
        actions.finished = complete && before < next;
        if self.held == 0 {
            self.first_held = (segment.seq, segment.timestamp);
        }
        self.held += 1;
        if self.held >= self.options.ack_every || !in_order || complete {
            self.acknowledge(actions);
            if !in_order {
                self.report(segment, added == 0, actions);
            }
        } else if self.held == 1 {
            actions.timer = Some(Some(now + self.options.ack_delay));
        }
    }

    fn received_bytes(&self) -> u64 {
        self.received.bytes()
    }

    fn timer(&mut self, _: Time, actions: &mut Actions) {
        if self.held > 0 {
            self.acknowledge(actions);
        }
    }
}
