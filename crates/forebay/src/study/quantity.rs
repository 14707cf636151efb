//! What a study measures, with the names that results and plots have for it.

use forebay_sim::probes::{ClassTraffic, RankBin};

/// A quantity of a whole repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Packets that left while one of lower rank waited.
    Inversions,
    /// The same, over the packets sent.
    InversionsPerPacket,
    /// Inversions over those of the baseline with the same packets.
    InversionsVsBaseline,
    /// Over all departures, how many waiting packets had a lower rank.
    Overtaken,
    /// Packets sent.
    PacketsOut,
    /// Packets dropped.
    PacketsDropped,
    /// The same, over the packets that arrived.
    DropShare,
    /// Packets dropped while one of higher rank waited.
    DropInversions,
    /// Bits sent over the bits that the link could have sent.
    Utilisation,
    /// Bits sent per second.
    ThroughputBps,
    /// Mean delay in nanoseconds.
    DelayMean,
    /// 99th percentile of the delay in nanoseconds.
    DelayP99,
}

impl Quantity {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 12] = [
        Self::Inversions,
        Self::InversionsPerPacket,
        Self::InversionsVsBaseline,
        Self::Overtaken,
        Self::PacketsOut,
        Self::PacketsDropped,
        Self::DropShare,
        Self::DropInversions,
        Self::Utilisation,
        Self::ThroughputBps,
        Self::DelayMean,
        Self::DelayP99,
    ];

    /// Its name in JSON and CSV.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inversions => "inversions",
            Self::InversionsPerPacket => "inversions_per_packet",
            Self::InversionsVsBaseline => "inversions_vs_baseline",
            Self::Overtaken => "overtaken",
            Self::PacketsOut => "packets_out",
            Self::PacketsDropped => "packets_dropped",
            Self::DropShare => "drop_share",
            Self::DropInversions => "drop_inversions",
            Self::Utilisation => "utilisation",
            Self::ThroughputBps => "throughput_bps",
            Self::DelayMean => "delay_ns_mean",
            Self::DelayP99 => "delay_ns_p99",
        }
    }
}

/// A quantity of each rank, or bin of ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankQuantity {
    /// Packets that arrived.
    PacketsIn,
    /// Packets that left while one of lower rank waited.
    Inversions,
    /// Packets of lower rank that they left behind.
    Overtaken,
    /// Packets dropped.
    PacketsDropped,
    /// The same, over the packets that arrived.
    DropShare,
    /// Packets dropped while one of higher rank waited.
    DropInversions,
    /// Mean delay in nanoseconds.
    DelayMean,
    /// 99th percentile of the delay in nanoseconds.
    DelayP99,
}

impl RankQuantity {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 8] = [
        Self::PacketsIn,
        Self::Inversions,
        Self::Overtaken,
        Self::PacketsDropped,
        Self::DropShare,
        Self::DropInversions,
        Self::DelayMean,
        Self::DelayP99,
    ];

    /// Its name in JSON and CSV.
    pub fn name(self) -> &'static str {
        match self {
            Self::PacketsIn => "packets_in",
            Self::Inversions => "inversions",
            Self::Overtaken => "overtaken",
            Self::PacketsDropped => "packets_dropped",
            Self::DropShare => "drop_share",
            Self::DropInversions => "drop_inversions",
            Self::DelayMean => "delay_ns_mean",
            Self::DelayP99 => "delay_ns_p99",
        }
    }

    /// Its value in a bin; `None` where it has none.
    pub fn of(self, bin: &RankBin) -> Option<f64> {
        match self {
            Self::PacketsIn => Some(bin.packets_in as f64),
            Self::Inversions => Some(bin.inversions as f64),
            Self::Overtaken => Some(bin.overtaken as f64),
            Self::PacketsDropped => Some(bin.packets_dropped as f64),
            Self::DropShare => (bin.packets_in > 0).then(|| bin.packets_dropped as f64 / bin.packets_in as f64),
            Self::DropInversions => Some(bin.drop_inversions as f64),
            Self::DelayMean => bin.mean_delay_ns(),
            Self::DelayP99 => bin.delay_quantile_ns(0.99),
        }
    }
}

/// What the probes of one repetition have seen.
#[derive(Debug)]
pub struct Seen<'a> {
    pub traffic: &'a ClassTraffic,
    pub bins: &'a [RankBin],
    /// How long it took, in seconds of simulated time.
    pub seconds: f64,
    pub rate_bps: f64,
}

impl Quantity {
    /// Its value in one repetition; `None` where it has none, or needs another
    /// queue's.
    pub fn of(self, seen: &Seen<'_>) -> Option<f64> {
        let Seen { traffic, bins, seconds, rate_bps } = seen;
        let over = |value: f64, whole: f64| (whole > 0.0).then(|| value / whole);
        let inversions = || bins.iter().map(|bin| bin.inversions).sum::<u64>() as f64;
        let bits_out = traffic.bytes_out as f64 * 8.0;
        match self {
            Self::Inversions => Some(inversions()),
            Self::InversionsPerPacket => over(inversions(), traffic.packets_out as f64),
            Self::InversionsVsBaseline => None,
            Self::Overtaken => Some(bins.iter().map(|bin| bin.overtaken).sum::<u64>() as f64),
            Self::PacketsOut => Some(traffic.packets_out as f64),
            Self::PacketsDropped => Some(traffic.packets_dropped as f64),
            Self::DropShare => over(traffic.packets_dropped as f64, traffic.packets_in as f64),
            Self::DropInversions => Some(bins.iter().map(|bin| bin.drop_inversions).sum::<u64>() as f64),
            Self::Utilisation => over(bits_out, seconds * rate_bps),
            Self::ThroughputBps => over(bits_out, *seconds),
            Self::DelayMean => traffic.delay().mean,
            Self::DelayP99 => traffic.delay().p99,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_listed_in_the_order_of_their_declaration() {
        assert!(Quantity::ALL.iter().enumerate().all(|(place, &quantity)| quantity as usize == place));
        assert!(RankQuantity::ALL.iter().enumerate().all(|(place, &quantity)| quantity as usize == place));
    }
}
