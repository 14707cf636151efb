//! What a cache that is told the future counts.

use forebay_cache::StateCounts;
use forebay_core::Duration;

/// Counts of a [`SeerCache`](crate::SeerCache).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeerCounts {
    /// Accesses, and who left for want of room.
    pub cache: StateCounts,
    /// Fetches that began before anybody asked.
    pub prefetches: u64,
    /// Prefetched entries that a packet asked for, at last.
    pub prefetches_used: u64,
    /// Of these, those whose fetch had not ended when the first packet asked.
    pub prefetches_late: u64,
    /// Prefetched entries that left before anybody asked.
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

impl SeerCounts {
    /// Reads of the backing store.
    #[must_use]
    pub fn fetches(&self) -> u64 {
        self.cache.misses + self.prefetches
    }
}

/// What became of the notifications that came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FpmCounts {
    /// All that came.
    pub received: u64,
    /// Those that found the list of their port full.
    pub full: u64,
    /// Those whose packet came.
    pub used: u64,
    /// Of all that came, forecasts: of packets that had yet to come to the node that told.
    pub forecasts: u64,
    /// Forecasts whose packet came, and nothing else had been told of it.
    pub forecasts_used: u64,
    /// Forecasts in whose place the packet's own notification came.
    pub replaced: u64,
    /// How far these were from it, added up, in picoseconds.
    pub forecast_errors_ps: u128,
    /// Of those that were used, those whose packet came at another time than expected.
    pub mistimed: u64,
    /// The differences between the two times, added up, in picoseconds.
    pub errors_ps: u128,
    /// The greatest of them.
    pub greatest_error: Duration,
    /// Those that were given up: their packet was dropped, or was overdue for too long.
    pub expired: u64,
    /// Those whose packet is still expected.
    pub expected: u64,
}

/// How far ahead packets were known that had been announced, in time and in packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visibility {
    /// Packets that came and had been announced.
    pub packets: u64,
    /// Packets that came and had not.
    pub unannounced: u64,
    /// The sum of the times from the notification to the packet, in picoseconds.
    pub lead_ps: u128,
    /// The longest of them.
    pub longest_lead: Duration,
    /// How many of them were 0 (first), or from 2^(i-1) to 2^i - 1 picoseconds.
    pub leads: [u64; 65],
    /// The sum over the packets of how many were expected, themselves among them, when they came.
    pub known: u128,
    /// The most that were expected when one came.
    pub most_known: u64,
}

impl Default for Visibility {
    fn default() -> Self {
        Self {
            packets: 0,
            unannounced: 0,
            lead_ps: 0,
            longest_lead: Duration::ZERO,
            leads: [0; 65],
            known: 0,
            most_known: 0,
        }
    }
}

impl Visibility {
    /// A packet came that had been announced so long before, when so many were expected.
    pub(crate) fn count(&mut self, lead: Duration, known: usize) {
        let known = u64::try_from(known).unwrap_or(u64::MAX);
        let bits = u64::BITS - lead.as_ps().leading_zeros();
        self.packets += 1;
        self.lead_ps += u128::from(lead.as_ps());
        self.longest_lead = self.longest_lead.max(lead);
        self.leads[bits as usize] += 1;
        self.known += u128::from(known);
        self.most_known = self.most_known.max(known);
    }

    /// The mean time from a notification to its packet.
    #[must_use]
    pub fn mean_lead(&self) -> Duration {
        let mean = self.lead_ps.checked_div(u128::from(self.packets)).unwrap_or(0);
        Duration::from_ps(u64::try_from(mean).unwrap_or(u64::MAX))
    }

    /// The mean number of packets that were expected when one came.
    #[must_use]
    pub fn mean_known(&self) -> f64 {
        self.known as f64 / (self.packets as f64).max(1.0)
    }
}
