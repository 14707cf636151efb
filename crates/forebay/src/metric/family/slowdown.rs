//! Flow completion times over the least possible ones.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Flow completion time, divided by that of the same flow alone in the network, sent without pause; 1 is \
                 the minimum",
    better: Better::Lower,
    cost: FREE,
    source: Some("normalised flow completion time: Alizadeh et al.: pFabric, SIGCOMM'13, section 5"),
    metrics: &[
        metric(
            "slowdown_mean",
            Unit::Ratio,
            "Mean of completion times over those of the same flows alone in the network",
            &[Of::Flows(|group| group.slowdown.mean)],
        )
        .in_table("slowdown:mean"),
        metric("slowdown_p50", Unit::Ratio, "Median slowdown", &[Of::Flows(|group| group.slowdown.p50)])
            .in_table("slowdown:p50"),
        metric(
            "slowdown_p99",
            Unit::Ratio,
            "99th percentile of the slowdown",
            &[Of::Flows(|group| group.slowdown.p99)],
        )
        .in_table("slowdown:p99"),
        metric(
            "slowdown_p999",
            Unit::Ratio,
            "99.9th percentile of the slowdown",
            &[Of::Flows(|group| group.slowdown.p999)],
        )
        .in_table("slowdown:p999"),
        metric("slowdown_max", Unit::Ratio, "Largest slowdown", &[Of::Flows(|group| group.slowdown.max)])
            .in_table("slowdown:max"),
    ],
};
