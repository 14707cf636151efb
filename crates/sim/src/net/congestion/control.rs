//! Congestion control of one flow: the reports that it gets from a sender, and the window and the pacing rate that it sets.
//!
//! The trait has the inputs of public QUIC implementations (RFC 9002, section 7; RFC 5681): sent and acknowledged bytes, a sample of the
//! round-trip time, marks, losses, timeouts, idle times. A control keeps no list of packets and detects no losses: the endpoint does both,
//! so all controls share the same loss repair.
//!
//! Units: bytes of the flow, without headers; [`Time`] is an argument, in picoseconds. Each call costs O(1) and allocates nothing.
//!
//! # Contract
//!
//! `cargo test -p forebay-sim --test congestion` checks these statements for every entry of the registry:
//!
//! - The window has at least one segment and at most [`Limits::max_window_bytes`].
//! - A timeout leaves a window of one segment (RFC 5681, section 3.1).
//! - A loss or a mark does not make the window larger. A loss makes a window of more than two segments smaller.
//! - Without losses and marks the window never falls, and it grows while the flow uses it.
//! - The answers follow from the calls alone: a clone that gets the same calls gives the same answers.

use forebay_core::{Duration, Rate, Time};
use std::fmt;

/// The facts about a flow that a control knows before the flow starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The bytes of the flow in a full segment; at least 1.
    pub segment_bytes: u64,
    /// The first window.
    pub initial_window_bytes: u64,
    /// The window at which the first slow start ends; the greatest number if only a loss ends it.
    pub initial_threshold_bytes: u64,
    /// The most bytes in flight that the receiver allows; at least one segment.
    pub max_window_bytes: u64,
}

/// An acknowledgement of new bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Acked {
    /// The number of bytes that no earlier acknowledgement covered; at least 1.
    pub bytes: u64,
    /// The number of these bytes that met congestion, as far as the receiver reports it (ECN echo).
    pub marked_bytes: u64,
    /// The first byte that is not acknowledged: all earlier bytes of the flow are.
    pub acknowledged: u64,
    /// The first byte that has not been sent. A round trip is over when `acknowledged` exceeds the `sent` of its beginning.
    pub sent: u64,
    /// The bytes in flight after this acknowledgement.
    pub in_flight: u64,
    /// The time since the data that caused the acknowledgement was sent.
    pub rtt: Option<Duration>,
    /// Whether a loss is being repaired: the window must not grow now.
    pub recovering: bool,
    /// Whether the application, and not the window, limits the bytes in flight (RFC 9438, section 5.8).
    pub app_limited: bool,
}

/// The sign of congestion in the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Congestion {
    /// Data was lost.
    Loss,
    /// The receiver echoed a mark (RFC 3168, section 6.1.2).
    Mark,
}

/// The marks that a control needs, and the receiver's way to echo them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ecn {
    /// None: switches drop instead.
    Off,
    /// As losses: the receiver echoes from a mark until it hears of the reduction. Data that is sent again cannot be marked
    /// (RFC 3168, section 6.1).
    Classic,
    /// Byte by byte: the receiver echoes each mark. All data can be marked (RFC 8257).
    Exact,
}

impl Ecn {
    /// Whether data may be marked. `again` says whether the data is a retransmission.
    #[inline]
    #[must_use]
    pub fn marks(self, again: bool) -> bool {
        match self {
            Self::Off => false,
            Self::Classic => !again,
            Self::Exact => true,
        }
    }
}

/// The congestion control of one flow. It reads no clock and draws no random numbers.
pub trait CongestionControl: fmt::Debug {
    /// The flow sends `bytes` bytes, and `in_flight` bytes are in flight then. Controls that work on rates use it.
    fn on_sent(&mut self, _now: Time, _bytes: u64, _in_flight: u64) {}

    /// Data was acknowledged. Comes before the [`on_congestion`](Self::on_congestion) that the same acknowledgement may cause.
    fn on_ack(&mut self, now: Time, acked: &Acked);

    /// The network is congested; `in_flight` bytes were in flight when this was noticed. The endpoint calls this at most once in a window
    /// of data ([`reduces_at_every_mark`](Self::reduces_at_every_mark) aside), and never while a loss is being repaired.
    fn on_congestion(&mut self, now: Time, congestion: Congestion, in_flight: u64);

    /// All lost data has arrived, and `in_flight` bytes are in flight. The window must not allow a burst.
    fn on_recovered(&mut self, now: Time, in_flight: u64);

    /// The retransmission timer expired while `in_flight` bytes were in flight. [`None`] if these already counted as lost, since no
    /// acknowledgement has arrived since the last timeout.
    fn on_timeout(&mut self, now: Time, in_flight: Option<u64>);

    /// The flow sends again after an idle time longer than the retransmission timeout (RFC 5681, section 4.1). Flows of this
    /// crate's TCP have data until they end and are never idle.
    fn on_idle(&mut self, now: Time);

    /// Bytes that may be in flight now.
    fn window_bytes(&self) -> u64;

    /// The rate at which data may leave, in bits of the flow per second; [`None`]: as fast as the window lets it.
    fn pacing_rate(&self) -> Option<Rate> {
        None
    }

    /// The marks that it asks for; always the same.
    fn ecn(&self) -> Ecn {
        Ecn::Off
    }

    /// Whether it hears of every marked acknowledgement outside of repairs, and not of one in a window of data; always the
    /// same.
    fn reduces_at_every_mark(&self) -> bool {
        false
    }
}
