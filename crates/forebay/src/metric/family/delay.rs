//! The delay of packets at a port.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Sojourn time of a packet at a port: from its arrival until its last bit is sent. Mean and maximum are exact; percentiles \
                 have three significant digits (HDR histogram)",
    better: Better::Lower,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "delay_ns_mean",
            Unit::Nanoseconds,
            "Mean delay from arrival to the last bit sent",
            &[Of::Packets(|counts| counts.delay_ns.mean), Of::RankBin(|bin| bin.mean_delay_ns())],
        )
        .in_table("delay:mean"),
        metric("delay_ns_p50", Unit::Nanoseconds, "Median of the delay", &[Of::Packets(|counts| counts.delay_ns.p50)])
            .in_table("delay:p50"),
        metric(
            "delay_ns_p90",
            Unit::Nanoseconds,
            "90th percentile of the delay",
            &[Of::Packets(|counts| counts.delay_ns.p90)],
        )
        .in_table("delay:p90"),
        metric(
            "delay_ns_p99",
            Unit::Nanoseconds,
            "99th percentile of the delay",
            &[Of::Packets(|counts| counts.delay_ns.p99), Of::RankBin(|bin| bin.delay_quantile_ns(0.99))],
        )
        .in_table("delay:p99"),
        metric(
            "delay_ns_p999",
            Unit::Nanoseconds,
            "99.9th percentile of the delay",
            &[Of::Packets(|counts| counts.delay_ns.p999)],
        )
        .in_table("delay:p999"),
        metric("delay_ns_max", Unit::Nanoseconds, "Greatest delay", &[Of::Packets(|counts| counts.delay_ns.max)])
            .in_table("delay:max"),
    ],
};
