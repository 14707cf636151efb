//! The counts of a cache with notifications.

use crate::StateCounts;
use forebay_core::Duration;

/// Counts of a [`SeerCache`](crate::seer::SeerCache).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeerCounts {
    /// Accesses and evictions.
    pub cache: StateCounts,
    /// Fetches that began before a lookup.
    pub prefetches: u64,
    /// Prefetched entries that a packet looked up in the end.
    pub prefetches_used: u64,
    /// Of these, those whose fetch had not ended at the first lookup.
    pub prefetches_late: u64,
    /// Prefetched entries that left before a lookup.
    pub prefetches_evicted: u64,
    /// Fetches that did not begin since nobody could leave (Algorithm 2 failed). A failure is not counted again until
    /// something has changed that could help.
    pub aborted: u64,
    /// Iterations of the manager in which something could change.
    pub iterations: u64,
    /// What became of the notifications.
    pub fpms: FpmCounts,
    /// How far ahead packets were known.
    pub visibility: Visibility,
}

/// The outcomes of the notifications that arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FpmCounts {
    /// All that arrived.
    pub received: u64,
    /// The most that the list of one port held at a time.
    pub max_expected: usize,
    /// Those that found the list of their port full.
    pub full: u64,
    /// Those whose packet arrived.
    pub used: u64,
    /// Of all that arrived, forecasts: of packets that had yet to arrive at the notifying node.
    pub forecasts: u64,
    /// Forecasts whose packet arrived without another notification of it.
    pub forecasts_used: u64,
    /// Forecasts that the packet's own notification replaced.
    pub replaced: u64,
    /// The differences between the times of both, added up, in picoseconds.
    pub forecast_errors_ps: u128,
    /// Of those that were used, those whose packet arrived at another time than expected.
    pub mistimed: u64,
    /// The differences between the two times, added up, in picoseconds.
    pub errors_ps: u128,
    /// The greatest of them.
    pub greatest_error: Duration,
    /// Those that were given up: their packet was dropped, or was overdue for too long.
    pub expired: u64,
    /// Those whose packet was pushed out, as a correction said.
    pub cancelled: u64,
    /// Of all that arrived, corrections.
    pub corrections: u64,
    /// Those whose packet is still expected.
    pub expected: u64,
}

/// How far ahead packets were known, in time and in packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Visibility {
    /// Packets that arrived without a notification.
    pub unannounced: u64,
    /// Of the other packets (see [`FpmCounts::used`]), the sum of the times from the notification to the packet, in
    /// picoseconds.
    pub lead_ps: u128,
    /// The sum over them of the number of expected packets, themselves among them, when they arrived.
    pub known: u128,
}

impl Visibility {
    /// Counts a packet that arrived `lead` after its notification, when `known` packets were expected.
    pub(crate) fn count(&mut self, lead: Duration, known: usize) {
        self.lead_ps += u128::from(lead.as_ps());
        self.known += known as u128;
    }
}
