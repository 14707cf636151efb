//! Useful bits per second.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

/// Bits per second in results of attacks.
const GBPS: f64 = 1e9;

pub(crate) const ENTRY: Family = Family {
    definition: "Useful bits per second: in a network, the bits of applications, each counted once; under attack, the \
                 bits of innocent packets whose work was done",
    better: Better::Higher,
    cost: FREE,
    source: Some("RFC 2647, section 3.7; under attack SurgeProtector (thesis), section 3.3.3"),
    metrics: &[
        metric(
            "goodput_bps",
            Unit::BitsPerSecond,
            "Bits of applications in completed flows per second",
            &[Of::Network(|run| run.goodput_bps)],
        )
        .in_table("goodput"),
        metric(
            "goodput_gbps",
            Unit::GigabitsPerSecond,
            "Innocent bits of packets whose work was done per second, under attack",
            &[Of::Attack(|attacked| Some(attacked.goodput_bps / GBPS))],
        )
        .in_table("goodput"),
        metric(
            "baseline_gbps",
            Unit::GigabitsPerSecond,
            "The same goodput without an attack, with the same packets",
            &[Of::Attack(|attacked| Some(attacked.baseline_bps / GBPS))],
        )
        .in_table("baseline"),
        metric(
            "bytes_completed",
            Unit::Counted("bytes"),
            "Bytes of applications in flows that were completed",
            &[Of::Flows(|group| Some(group.bytes_completed as f64))],
        ),
    ],
};
