//! A cache that receives notifications of packets before these have arrived at the notifying node.

use super::SeerCache;
use crate::seer::arrivals::Expected;
use crate::seer::fpm::Fpm;
use forebay_core::Time;

impl SeerCache {
    /// Forecasts have arrived on a port, of packets that have yet to arrive at the notifying node. That node sends another
    /// notification of each packet when it has arrived.
    pub fn forecast(&mut self, now: Time, port: usize, fpms: &[Fpm]) {
        self.catch_up(now);
        for fpm in fpms {
            self.counts.fpms.forecasts += 1;
            let change = self.arrivals.forecast(now, port, fpm);
            self.was_told(now, fpm.id, change);
        }
        self.first_changed(now, port);
    }

    /// A notification arrives in place of a forecast, if there is one. Returns since when its packet is known.
    pub(super) fn replace(&mut self, now: Time, port: usize, fpm: &Fpm) -> Time {
        let taken = self.arrivals.take_of(port, fpm.id, false);
        let Some(forecast) = self.is_forgotten(now, taken) else { return now };
        let arrival = now + fpm.delay;
        let error = arrival.since(forecast.arrival).max(forecast.arrival.since(arrival));
        self.counts.fpms.replaced += 1;
        self.counts.fpms.forecast_errors_ps += u128::from(error.as_ps());
        forecast.told
    }

    /// A packet of a port that wants `key` is no longer expected, if one was. It is the earliest with a notification
    /// from the port where it waited, or else the earliest forecast. Also returns whether it was forecast only.
    #[inline]
    pub(super) fn forget_surest(&mut self, now: Time, port: usize, key: u64) -> Option<(Expected, bool)> {
        if self.arrivals.has_forecasts() {
            let firm = self.arrivals.take_of(port, key, true);
            if firm.is_none() {
                return self.forget(now, port, key).map(|forecast| (forecast, true));
            }
            return self.is_forgotten(now, firm).map(|firm| (firm, false));
        }
        self.forget(now, port, key).map(|firm| (firm, false))
    }
}
