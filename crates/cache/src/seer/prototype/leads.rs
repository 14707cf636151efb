//! The time, and the number of packets, between an FPM and its packet.

use forebay_core::Duration;
use hdrhistogram::Histogram;

/// Distributions of the time, and of the number of packets, between the arrival of an FPM and that of its packet. Packets
/// without an FPM are not in them.
#[derive(Debug, Clone)]
pub struct Leads {
    times_ps: Histogram<u64>,
    packets: Histogram<u64>,
    sum_ps: u128,
    sum_packets: u128,
}

impl Default for Leads {
    fn default() -> Self {
        // Three digits; grows as far as it has to.
        let empty = || Histogram::new(3).expect("three digits are allowed");
        Self { times_ps: empty(), packets: empty(), sum_ps: 0, sum_packets: 0 }
    }
}

impl Leads {
    /// A packet has arrived `lead` after its FPM, with `packets` between them.
    pub fn record(&mut self, lead: Duration, packets: u64) {
        let recorded = self.times_ps.record(lead.as_ps()).and_then(|()| self.packets.record(packets));
        debug_assert!(recorded.is_ok(), "the histograms grow as they must");
        self.sum_ps += u128::from(lead.as_ps());
        self.sum_packets += u128::from(packets);
    }

    /// The number of packets with an FPM.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.times_ps.len()
    }

    /// The mean time; 0 without FPMs.
    #[must_use]
    pub fn mean(&self) -> Duration {
        let mean = self.sum_ps.checked_div(u128::from(self.count())).unwrap_or(0);
        Duration::from_ps(u64::try_from(mean).expect("the mean of times of 64 bits"))
    }

    /// The time that a share of `quantile` of the FPMs does not exceed, to three digits.
    #[must_use]
    pub fn quantile(&self, quantile: f64) -> Duration {
        Duration::from_ps(self.times_ps.value_at_quantile(quantile))
    }

    /// The mean number of packets between an FPM and its packet; 0 without FPMs.
    #[must_use]
    pub fn mean_packets(&self) -> f64 {
        if self.count() == 0 { 0.0 } else { self.sum_packets as f64 / self.count() as f64 }
    }

    /// The number of packets in between that a share of `quantile` of the FPMs does not exceed, to three digits.
    #[must_use]
    pub fn quantile_packets(&self, quantile: f64) -> u64 {
        self.packets.value_at_quantile(quantile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_exact_and_quantiles_near() {
        let mut leads = Leads::default();
        assert_eq!((leads.mean(), leads.mean_packets()), (Duration::ZERO, 0.0));
        for index in 1..=1_000 {
            leads.record(Duration::from_us(index), index % 2);
        }
        assert_eq!((leads.count(), leads.mean()), (1_000, Duration::from_ns(500_500)));
        let median = leads.quantile(0.5).as_ns_f64() / 500_000.0;
        assert!((median - 1.0).abs() < 0.001, "{median}");
        assert_eq!((leads.mean_packets(), leads.quantile_packets(0.5), leads.quantile_packets(0.51)), (0.5, 0, 1));
    }
}
