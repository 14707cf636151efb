//! The value of packets that depart, and of packets that are dropped.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Sum of the values of packets, if the traffic gives them a `value`: the objective of competitive \
                 analysis",
    better: Better::Higher,
    cost: FREE,
    source: Some("weighted throughput: OpenQueue, ToN 2020, section II-C"),
    metrics: &[
        metric(
            "value_out",
            Unit::Counted("value"),
            "Sum of the values of packets that departed",
            &[Of::Packets(|counts| (counts.value_in > 0).then_some(counts.value_out as f64))],
        ),
        metric(
            "value_share",
            Unit::Share,
            "Value of packets that departed over that of packets that arrived",
            &[Of::Packets(|counts| (counts.value_in > 0).then(|| counts.value_out as f64 / counts.value_in as f64))],
        ),
    ],
};
