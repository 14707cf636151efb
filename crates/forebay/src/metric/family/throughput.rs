//! Bits that are delivered per second.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Bits on the wire that get through per second, including retransmitted bits",
    better: Better::Higher,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "throughput_bps",
            Unit::BitsPerSecond,
            "Bits that departed per second",
            &[Of::Packets(|counts| Some(counts.throughput_bps))],
        )
        .in_table("throughput"),
        metric(
            "delivered_bps",
            Unit::BitsPerSecond,
            "Bits on the wire that arrived at hosts per second",
            &[Of::Network(|run| run.delivered_bps)],
        )
        .in_table("delivered"),
    ],
};
