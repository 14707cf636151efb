//! Notifications to caches, by how they ended.

use forebay_cache::seer::FPM_BITS;
use forebay_sim::net::StateNodeCounts;
use serde::{Deserialize, Serialize};

/// The counts of one cache, or of several caches together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToldResult {
    /// The number of fetches that began before a packet needed their state.
    pub prefetches: u64,
    /// The number of prefetched states whose first packet had to wait.
    pub prefetches_late: u64,
    /// The number of prefetched states that were evicted before a packet needed them.
    pub prefetches_unused: u64,
    /// The number of notifications that ports made.
    pub fpms_made: u64,
    /// The number of these notifications whose packets had yet to reach the port.
    pub forecasts: u64,
    /// The number of these notifications that correct earlier ones.
    pub fpms_corrections: u64,
    /// The number of notifications that ports sent.
    pub fpms_sent: u64,
    /// The number of notifications for which there was no room.
    pub fpms_dropped: u64,
    /// The number of notifications that were not sent before their packets.
    pub fpms_stale: u64,
    /// The number of notifications that were lost on links.
    pub fpms_lost: u64,
    /// The number of notifications that reached a switch without such a cache, to be relayed.
    pub fpms_ended: u64,
    /// The number of forecasts that the packet's own notification replaced.
    pub forecasts_replaced: u64,
    /// The sum of the differences between these forecasts and the notifications that replaced them.
    pub forecast_errors_ns: f64,
    /// The number of notifications whose packet arrived.
    pub fpms_used: u64,
    /// The number of notifications that expired.
    pub fpms_expired: u64,
    /// The number of notifications whose packet was pushed out, as a correction reported.
    pub fpms_cancelled: u64,
    /// The number of packets that arrived at another time than expected.
    pub mistimed: u64,
    /// The sum of the differences between these packets' arrivals and the expected times.
    pub errors_ns: f64,
    /// The greatest of these differences in the whole run.
    pub greatest_error_ns: f64,
    /// The largest number of notifications that waited at one port at a time, in the whole run.
    pub max_fpms_waiting: u64,
    /// The largest number of packets that a cache expected on one port at a time, in the whole run.
    pub max_fpms_expected: u64,
    /// The number of control packets.
    pub control_packets: u64,
    /// The time for which control packets occupied links.
    pub control_ns: f64,
    /// The sum of the times from notifications to their packets.
    pub lead_ns: f64,
    /// The sum, over the arrivals of expected packets, of the number of packets expected at that time.
    pub known: f64,
    /// The sum of the times for which notifying links were counted.
    pub telling_ns: f64,
}

impl ToldResult {
    /// Creates the result; `telling_ns` is the sum of the times for which notifying links were counted.
    pub(super) fn of(counts: &StateNodeCounts, telling_ns: f64) -> Self {
        let told = &counts.told;
        Self {
            prefetches: counts.prefetches,
            prefetches_late: told.prefetches_late,
            prefetches_unused: told.prefetches_unused,
            fpms_made: told.made,
            forecasts: told.forecasts,
            fpms_corrections: told.corrections,
            fpms_sent: told.sent,
            fpms_dropped: told.dropped,
            fpms_stale: told.stale,
            fpms_lost: told.lost,
            fpms_ended: told.ended,
            forecasts_replaced: told.replaced,
            forecast_errors_ns: told.forecast_errors_ps as f64 / 1e3,
            fpms_used: told.used,
            fpms_expired: told.expired,
            fpms_cancelled: told.cancelled,
            mistimed: told.mistimed,
            errors_ns: told.errors_ps as f64 / 1e3,
            greatest_error_ns: told.greatest_error_ps as f64 / 1e3,
            max_fpms_waiting: told.max_waiting as u64,
            max_fpms_expected: told.max_expected as u64,
            control_packets: told.control_packets,
            control_ns: told.control_ps as f64 / 1e3,
            lead_ns: told.lead_ps as f64 / 1e3,
            known: told.known as f64,
            telling_ns,
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            prefetches: self.prefetches + other.prefetches,
            prefetches_late: self.prefetches_late + other.prefetches_late,
            prefetches_unused: self.prefetches_unused + other.prefetches_unused,
            fpms_made: self.fpms_made + other.fpms_made,
            forecasts: self.forecasts + other.forecasts,
            fpms_corrections: self.fpms_corrections + other.fpms_corrections,
            fpms_sent: self.fpms_sent + other.fpms_sent,
            fpms_dropped: self.fpms_dropped + other.fpms_dropped,
            fpms_stale: self.fpms_stale + other.fpms_stale,
            fpms_lost: self.fpms_lost + other.fpms_lost,
            fpms_ended: self.fpms_ended + other.fpms_ended,
            forecasts_replaced: self.forecasts_replaced + other.forecasts_replaced,
            forecast_errors_ns: self.forecast_errors_ns + other.forecast_errors_ns,
            fpms_used: self.fpms_used + other.fpms_used,
            fpms_expired: self.fpms_expired + other.fpms_expired,
            fpms_cancelled: self.fpms_cancelled + other.fpms_cancelled,
            mistimed: self.mistimed + other.mistimed,
            errors_ns: self.errors_ns + other.errors_ns,
            greatest_error_ns: self.greatest_error_ns.max(other.greatest_error_ns),
            max_fpms_waiting: self.max_fpms_waiting.max(other.max_fpms_waiting),
            max_fpms_expected: self.max_fpms_expected.max(other.max_fpms_expected),
            control_packets: self.control_packets + other.control_packets,
            control_ns: self.control_ns + other.control_ns,
            lead_ns: self.lead_ns + other.lead_ns,
            known: self.known + other.known,
            telling_ns: self.telling_ns + other.telling_ns,
        }
    }

    /// Returns the share of the time of links that control packets occupied.
    pub(crate) fn control_share(&self) -> Option<f64> {
        (self.telling_ns > 0.0).then(|| self.control_ns / self.telling_ns)
    }

    /// Returns the bits of notifications per second of a link.
    pub(crate) fn fpm_bps(&self) -> Option<f64> {
        (self.telling_ns > 0.0).then(|| self.fpms_sent as f64 * f64::from(FPM_BITS) / (self.telling_ns / 1e9))
    }

    /// Returns `sum` per packet that had been announced.
    pub(crate) fn per_used(&self, sum: f64) -> Option<f64> {
        (self.fpms_used > 0).then(|| sum / self.fpms_used as f64)
    }

    /// Returns the mean error of the packets that arrived at another time than expected.
    pub(crate) fn mean_error_ns(&self) -> Option<f64> {
        (self.mistimed > 0).then(|| self.errors_ns / self.mistimed as f64)
    }

    /// Returns the mean error of the forecasts that were replaced.
    pub(crate) fn mean_forecast_error_ns(&self) -> Option<f64> {
        (self.forecasts_replaced > 0).then(|| self.forecast_errors_ns / self.forecasts_replaced as f64)
    }
}
