//! Packets that are lost, whatever the cause.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Packets that are lost: on arrival, after they have waited, or on a link",
    better: Better::Lower,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "packets_dropped",
            Unit::Counted("packets"),
            "Packets that were dropped or pushed out",
            &[
                Of::Packets(|counts| Some(counts.packets_dropped as f64)),
                Of::RankBin(|bin| Some(bin.packets_dropped as f64)),
            ],
        ),
        metric(
            "bytes_dropped",
            Unit::Counted("bytes"),
            "Bytes that were dropped or pushed out",
            &[Of::Packets(|counts| Some(counts.bytes_dropped as f64))],
        ),
        metric(
            "value_dropped",
            Unit::Counted("value"),
            "Sum of the values of packets that were dropped or pushed out",
            &[Of::Packets(|counts| (counts.value_in > 0).then_some(counts.value_dropped as f64))],
        ),
        metric(
            "drops",
            Unit::Counted("packets"),
            "Packets that did not leave a port or did not arrive",
            &[Of::Network(|run| Some(run.dropped() as f64))],
        ),
        metric(
            "drop_share",
            Unit::Share,
            "Packets dropped over packets that arrived, or that hosts sent",
            &[
                Of::Packets(|counts| (counts.packets_in > 0).then(|| counts.drop_share())),
                Of::RankBin(|bin| (bin.packets_in > 0).then(|| bin.packets_dropped as f64 / bin.packets_in as f64)),
                Of::Network(|run| {
                    let injected = run.cards.packets_offered as f64;
                    (injected > 0.0).then(|| run.dropped() as f64 / injected)
                }),
            ],
        ),
    ],
};
