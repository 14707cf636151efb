//! A cache that is told of packets before these have come to the node that tells.

use super::SeerCache;
use crate::arrivals::Expected;
use crate::fpm::Fpm;
use forebay_core::Time;

impl SeerCache {
    /// Forecasts have come in on a port: of packets that have yet to come to the node that tells, of which each will be told
    /// again when it has.
    pub fn forecast(&mut self, now: Time, port: usize, fpms: &[Fpm]) {
        self.catch_up(now);
        self.lose_patience(now, port);
        for fpm in fpms {
            self.counts.fpms.forecasts += 1;
            let told = self.arrivals.forecast(now, port, fpm);
            self.was_told(now, fpm.id, told);
        }
    }

    /// A notification comes in place of a forecast, if there is one. Says since when its packet is known.
    pub(super) fn replace(&mut self, now: Time, port: usize, fpm: &Fpm) -> Time {
        let taken = self.arrivals.take_of(port, fpm.id, false);
        let Some(forecast) = self.is_forgotten(now, taken) else { return now };
        let arrival = now + fpm.delay;
        let error = arrival.since(forecast.arrival).max(forecast.arrival.since(arrival));
        self.counts.fpms.replaced += 1;
        self.counts.fpms.forecast_errors_ps += u128::from(error.as_ps());
        forecast.told
    }

    /// A packet has come and is expected no longer: the earliest that was told of where it waited, or else the earliest
    /// forecast.
    pub(super) fn forget_surest(&mut self, now: Time, port: usize, key: u64) -> Option<Expected> {
        let firm = self.arrivals.take_of(port, key, true);
        if firm.is_some() {
            return self.is_forgotten(now, firm);
        }
        let forecast = self.forget(now, port, key);
        self.counts.fpms.forecasts_used += u64::from(forecast.is_some());
        forecast
    }
}
