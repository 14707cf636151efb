//! The counts of a node with states.

use super::notifying_port::Announcing;
use forebay_cache::StateCounts;
use forebay_cache::seer::SeerCounts;
use forebay_core::Time;

/// The counts of a node with states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StateNodeCounts {
    /// The outcomes of accesses, and their waits. The waits include those of accesses whose packet was dropped and did not wait.
    pub cache: StateCounts,
    /// Fetches that began before a packet's lookup.
    pub prefetches: u64,
    /// The notifications of neighbours, if they notify.
    pub told: ToldCounts,
    /// Picoseconds that packets waited for these states; at the first application of a node also for those before them on
    /// their link.
    pub waited_ps: u128,
    /// Packets that were to wait and found no room: for these states first, or behind others, at the first application.
    pub packets_dropped: u64,
    /// Most packets that waited at a time, at the node.
    pub most_waiting: u32,
}

/// The notifications that ports sent to a node with states, and their effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ToldCounts {
    /// Prefetched states that a packet looked up, at last.
    pub prefetches_used: u64,
    /// Of these, those whose fetch had not ended at the first lookup.
    pub prefetches_late: u64,
    /// Prefetched states that were evicted before any lookup.
    pub prefetches_unused: u64,
    /// Notifications that ports made.
    pub made: u64,
    /// Of these, forecasts of packets that had yet to arrive at their port.
    pub forecasts: u64,
    /// Of these, corrections of earlier notifications.
    pub corrections: u64,
    /// Those that they sent.
    pub sent: u64,
    /// Those that found no room, at the port or in the list of the node.
    pub dropped: u64,
    /// Those that were not sent before their packets began to depart, and forecasts that were not sent before their packets arrived.
    pub stale: u64,
    /// Those that were lost on links.
    pub lost: u64,
    /// Those that reached nodes without a cache, to be passed on.
    pub ended: u64,
    /// Forecasts that the notification of the same packet replaced.
    pub replaced: u64,
    /// How far these were from it, added up, in picoseconds.
    pub forecast_errors_ps: u128,
    /// Those whose packet arrived.
    pub used: u64,
    /// Of these, those whose packet arrived at another time than expected.
    pub mistimed: u64,
    /// How far these were from their times, added up, in picoseconds.
    pub errors_ps: u128,
    /// The greatest of these, in the whole run.
    pub greatest_error_ps: u64,
    /// Those that the node gave up.
    pub expired: u64,
    /// Those whose packet was pushed out, as a correction said.
    pub cancelled: u64,
    /// The most that waited at one port at a time, in the whole run.
    pub max_waiting: usize,
    /// The most that the list of one port of the cache held at a time, in the whole run.
    pub max_expected: usize,
    /// Control packets.
    pub control_packets: u64,
    /// Picoseconds of links that they took.
    pub control_ps: u64,
    /// Picoseconds from notifications to their packets.
    pub lead_ps: u128,
    /// For each packet with a notification, the number of packets that were expected when it arrived.
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
    /// What was counted after `earlier`; the most that waited is that of the whole run.
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
