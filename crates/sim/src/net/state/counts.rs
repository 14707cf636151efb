//! The counts of a node with states.

use super::notifying_port::Announcing;
use forebay_cache::StateCounts;
use forebay_cache::seer::SeerCounts;
use forebay_core::Time;

/// The counts of a node with states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StateNodeCounts {
    /// The outcomes of accesses, and their waits. The waits include those of accesses whose packet was dropped.
    pub cache: StateCounts,
    /// The number of fetches that began before a packet's lookup.
    pub prefetches: u64,
    /// The notifications of neighbours, if they notify.
    pub told: ToldCounts,
    /// The time that packets waited for these states, in picoseconds. At the first application of a node, this includes waits behind other
    /// packets of the link.
    pub waited_ps: u128,
    /// The number of packets that had to wait and found no room. The first application of a node also counts packets that had to wait
    /// behind others.
    pub packets_dropped: u64,
    /// The most packets that waited at the node at a time.
    pub most_waiting: u32,
}

/// The notifications that ports sent to a node with states, and their effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ToldCounts {
    /// The number of prefetched states that a packet looked up later.
    pub prefetches_used: u64,
    /// The number of these whose fetch had not ended at the first lookup.
    pub prefetches_late: u64,
    /// The number of prefetched states that were evicted before any lookup.
    pub prefetches_unused: u64,
    /// The number of notifications that ports made.
    pub made: u64,
    /// The number of these that were forecasts of packets that had yet to arrive at their port.
    pub forecasts: u64,
    /// The number of these that corrected earlier notifications.
    pub corrections: u64,
    /// The number of notifications that ports sent.
    pub sent: u64,
    /// The number of notifications that found no room, at the port or in the list of the node.
    pub dropped: u64,
    /// The number of notifications that were not sent before their packets began to depart, and of forecasts that were not sent before
    /// their packets arrived.
    pub stale: u64,
    /// The number of notifications that were lost on links.
    pub lost: u64,
    /// The number of notifications that reached nodes without a cache, to be relayed.
    pub ended: u64,
    /// The number of forecasts that a notification of the same packet replaced.
    pub replaced: u64,
    /// The sum of the differences between these forecasts and the notifications, in picoseconds.
    pub forecast_errors_ps: u128,
    /// The number of notifications whose packet arrived.
    pub used: u64,
    /// The number of these whose packet arrived at another time than notified.
    pub mistimed: u64,
    /// The sum of these time differences, in picoseconds.
    pub errors_ps: u128,
    /// The greatest time difference in the whole run.
    pub greatest_error_ps: u64,
    /// The number of notifications that the node discarded as too old.
    pub expired: u64,
    /// The number of notifications whose packet was pushed out, according to a correction.
    pub cancelled: u64,
    /// The most notifications that waited at one port at a time, in the whole run.
    pub max_waiting: usize,
    /// The most notifications that the list of one port of the cache held at a time, in the whole run.
    pub max_expected: usize,
    /// The number of control packets.
    pub control_packets: u64,
    /// The time that links spent on control packets, in picoseconds.
    pub control_ps: u64,
    /// The sum of the times from notifications to their packets, in picoseconds.
    pub lead_ps: u128,
    /// The sum, over packets with a notification, of the number of expected packets at the packet's arrival.
    pub known: u128,
}

impl ToldCounts {
    /// The counts of the cache of the application at `place`, and by `now` those of the ports that notify it, or neighbours for it, each
    /// with its link.
    pub(super) fn of<'a>(
        cache: &SeerCounts,
        place: usize,
        telling: impl Iterator<Item = (usize, &'a Announcing)>,
        now: Time,
    ) -> Self {
        let counts = Self {
            prefetches_used: cache.prefetches_used,
            prefetches_late: cache.prefetches_late,
            prefetches_unused: cache.prefetches_evicted,
            dropped: cache.fpms.full,
            used: cache.fpms.used,
            mistimed: cache.fpms.mistimed,
            expired: cache.fpms.expired,
            cancelled: cache.fpms.cancelled,
            replaced: cache.fpms.replaced,
            errors_ps: cache.fpms.errors_ps,
            max_expected: cache.fpms.max_expected,
            greatest_error_ps: cache.fpms.greatest_error.as_ps(),
            forecast_errors_ps: cache.fpms.forecast_errors_ps,
            lead_ps: cache.visibility.lead_ps,
            known: cache.visibility.known,
            ..Self::default()
        };
        telling.fold(counts, |sum, (link, port)| {
            let counts = port.counts(link, place);
            Self {
                made: sum.made + counts.announcer.made,
                forecasts: sum.forecasts + counts.announcer.forecasts,
                corrections: sum.corrections + counts.announcer.corrections,
                ended: sum.ended + counts.ended,
                sent: sum.sent + counts.announcer.sent(),
                dropped: sum.dropped + counts.announcer.dropped_full,
                stale: sum.stale + counts.announcer.stale,
                lost: sum.lost + counts.lost,
                max_waiting: sum.max_waiting.max(counts.announcer.max_waiting),
                control_packets: sum.control_packets + counts.announcer.control_packets,
                control_ps: sum.control_ps + port.control_ps(now),
                ..sum
            }
        })
    }

    fn since(&self, earlier: &Self) -> Self {
        Self {
            prefetches_used: self.prefetches_used - earlier.prefetches_used,
            prefetches_late: self.prefetches_late - earlier.prefetches_late,
            prefetches_unused: self.prefetches_unused - earlier.prefetches_unused,
            made: self.made - earlier.made,
            forecasts: self.forecasts - earlier.forecasts,
            corrections: self.corrections - earlier.corrections,
            sent: self.sent - earlier.sent,
            dropped: self.dropped - earlier.dropped,
            stale: self.stale - earlier.stale,
            lost: self.lost - earlier.lost,
            ended: self.ended - earlier.ended,
            replaced: self.replaced - earlier.replaced,
            forecast_errors_ps: self.forecast_errors_ps - earlier.forecast_errors_ps,
            used: self.used - earlier.used,
            mistimed: self.mistimed - earlier.mistimed,
            errors_ps: self.errors_ps - earlier.errors_ps,
            greatest_error_ps: self.greatest_error_ps,
            max_waiting: self.max_waiting,
            max_expected: self.max_expected,
            expired: self.expired - earlier.expired,
            cancelled: self.cancelled - earlier.cancelled,
            control_packets: self.control_packets - earlier.control_packets,
            control_ps: self.control_ps - earlier.control_ps,
            lead_ps: self.lead_ps - earlier.lead_ps,
            known: self.known - earlier.known,
        }
    }
}

impl StateNodeCounts {
    /// Returns the counts since `earlier`; maxima are those of the whole run.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            cache: self.cache.since(&earlier.cache),
            prefetches: self.prefetches - earlier.prefetches,
            told: self.told.since(&earlier.told),
            waited_ps: self.waited_ps - earlier.waited_ps,
            packets_dropped: self.packets_dropped - earlier.packets_dropped,
            most_waiting: self.most_waiting,
        }
    }
}
