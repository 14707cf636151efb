//! When a port of an egress may begin its next packet.
//!
//! The pace counts from the start of packets (`docs/openqueue-semantics.md`, 1.3). A switch wakes up a little late. So a packet
//! that already waited is taken to have started when the link became free, up to [`CATCH_UP`] ago. The average rate is then
//! exact.

use forebay_core::{Duration, Rate, Time};
use forebay_engine::Pace;
use forebay_lang::ir::PortRate;

/// How far a late switch catches up with the pace.
const CATCH_UP: Duration = Duration::from_ms(2);

/// The pace of a port.
pub(super) struct Pacing {
    link_rate: Option<Rate>,
    pace: Option<Pace>,
    /// When the last packet was begun, and its bytes.
    last: Option<(Time, u32)>,
    /// When the next packet may be begun.
    free_at: Time,
    /// Since when something waits.
    waits_since: Time,
}

impl Pacing {
    /// Of a port that has sent nothing, and whose policy is not known yet.
    pub(super) fn new(link_rate: Option<Rate>) -> Self {
        Self { link_rate, pace: None, last: None, free_at: Time::ZERO, waits_since: Time::ZERO }
    }

    /// From now on the port has this rate.
    pub(super) fn follow(&mut self, rate: PortRate) {
        self.pace = pace(rate, self.link_rate);
        self.reckon();
    }

    /// The first packet waits.
    pub(super) fn waits(&mut self, since: Time) {
        self.waits_since = since;
    }

    /// A packet is begun.
    pub(super) fn begins(&mut self, now: Time, bytes: u32) {
        let punctual = self.free_at.max(self.waits_since);
        let begun = if now.since(punctual) <= CATCH_UP { punctual } else { now };
        self.last = Some((begun, bytes));
        self.reckon();
    }

    /// Finds when the next packet may be begun.
    fn reckon(&mut self) {
        self.free_at = match (self.pace, self.last) {
            (Some(pace), Some((begun, bytes))) => begun + pace.duration(bytes),
            _ => Time::ZERO,
        };
    }

    /// When the next packet may be begun.
    pub(super) fn free_at(&self) -> Time {
        self.free_at
    }

    /// How fast the link is, if it is said.
    pub(super) fn link_rate(&self) -> Option<Rate> {
        self.link_rate
    }
}

/// The pace of a policy's port. Without a rate of the link, only a port that has a rate of its own has a pace.
fn pace(port: PortRate, link: Option<Rate>) -> Option<Pace> {
    let fastest = Rate::from_bits_per_second(u64::MAX)?;
    // A port that is as fast as its link has the pace of the link, since the interface may be faster.
    Pace::of(port, link.unwrap_or(fastest)).or_else(|| Pace::of(PortRate::Rate(link?), fastest))
}
