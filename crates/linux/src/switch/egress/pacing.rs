//! Computes when a port of an egress may begin its next packet.
//!
//! The pace counts from the start of packets (`docs/openqueue-semantics.md`, 1.3). A switch wakes up a little late. So a packet
//! that already waited is taken to have started when the link became free, up to [`CATCH_UP`] ago. The average rate is then
//! exact.

use forebay_core::{Duration, Rate, Time};
use forebay_engine::Pace;
use forebay_lang::ir::PortRate;

/// The furthest that a late switch catches up with the pace.
const CATCH_UP: Duration = Duration::from_ms(2);

/// The pace of a port.
pub(super) struct Pacing {
    link_rate: Option<Rate>,
    pace: Option<Pace>,
    /// The start and the bytes of the last packet.
    last: Option<(Time, u32)>,
    /// The time from which the next packet may begin.
    free_at: Time,
    /// The time since which a packet has been waiting.
    waits_since: Time,
}

impl Pacing {
    /// Creates the pace of a port that has sent nothing, and whose policy is not known yet.
    pub(super) fn new(link_rate: Option<Rate>) -> Self {
        Self { link_rate, pace: None, last: None, free_at: Time::ZERO, waits_since: Time::ZERO }
    }

    /// Adopts a new rate of the policy's port.
    pub(super) fn follow(&mut self, rate: PortRate) {
        self.pace = pace(rate, self.link_rate);
        self.reckon();
    }

    /// Records that the first packet waits.
    pub(super) fn waits(&mut self, since: Time) {
        self.waits_since = since;
    }

    /// Records that a packet begins.
    pub(super) fn begins(&mut self, now: Time, bytes: u32) {
        let punctual = self.free_at.max(self.waits_since);
        let begun = if now.since(punctual) <= CATCH_UP { punctual } else { now };
        self.last = Some((begun, bytes));
        self.reckon();
    }

    /// Computes `free_at`.
    fn reckon(&mut self) {
        self.free_at = match (self.pace, self.last) {
            (Some(pace), Some((begun, bytes))) => begun + pace.duration(bytes),
            _ => Time::ZERO,
        };
    }

    /// Returns the time from which the next packet may begin.
    pub(super) fn free_at(&self) -> Time {
        self.free_at
    }

    /// Returns the link's rate, if it was given.
    pub(super) fn link_rate(&self) -> Option<Rate> {
        self.link_rate
    }
}

/// Computes the pace of a policy's port. If the link has no rate, only a port with its own rate has a pace.
fn pace(port: PortRate, link: Option<Rate>) -> Option<Pace> {
    let fastest = Rate::from_bits_per_second(u64::MAX)?;
    // A port that is as fast as its link has the pace of the link, since the interface may be faster.
    Pace::of(port, link.unwrap_or(fastest)).or_else(|| Pace::of(PortRate::Rate(link?), fastest))
}
