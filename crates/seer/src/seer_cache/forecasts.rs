//! A cache that is told of packets before these have come to the node that tells.

use super::SeerCache;
use crate::arrivals::Expected;
use crate::fpm::Fpm;
use forebay_core::Time;

impl SeerCache {
    /// Forecasts have come in on a port: of packets that have yet to come to the node that tells, of which each will be told
    /// again when it has.
    pub fn forecast(&mut self, now: Time, port: usize, fpms: &[Fpm]) {
        self.land(now);
        self.lose_patience(now, port);
        for fpm in fpms {
            self.counts.fpms.forecasts += 1;
            let told = self.arrivals.forecast(now, port, fpm);
            self.was_told(now, told);
        }
    }

    /// A notification comes in place of a forecast, if there is one. Says since when its packet is known.
    pub(super) fn replace(&mut self, now: Time, port: usize, fpm: &Fpm) -> Time {
        let Some(forecast) = self.arrivals.earliest_of(port, fpm.id, false) else { return now };
        let arrival = now + fpm.delay;
        let error = arrival.since(forecast.arrival).max(forecast.arrival.since(arrival));
        self.counts.fpms.replaced += 1;
        self.counts.fpms.forecast_errors_ps += u128::from(error.as_ps());
        self.forget(now, &forecast);
        forecast.told
    }

    /// The packet that has come: the earliest that was told of where it waited, or else the earliest forecast.
    pub(super) fn surest(&mut self, port: usize, key: u64) -> Option<Expected> {
        let firm = self.arrivals.earliest_of(port, key, true);
        let forecast = if firm.is_none() { self.arrivals.earliest(port, key) } else { None };
        self.counts.fpms.forecasts_used += u64::from(forecast.is_some());
        firm.or(forecast)
    }
}
