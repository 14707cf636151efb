//! Flow completion times.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

const AXIS: &str = "flow completion time";

pub(crate) const ENTRY: Family = Family {
    definition: "Flow completion time: from the start of a flow until its receiver has every byte, or until its sender knows that \
                 (`completion`). Percentiles are values that occurred (nearest rank)",
    better: Better::Lower,
    cost: FREE,
    source: Some(
        "Dukkipati and McKeown: Why flow-completion time is the right metric for congestion control, CCR 36(1), 2006",
    ),
    metrics: &[
        metric(
            "fct_ns_mean",
            Unit::Nanoseconds,
            "Mean completion time of completed flows",
            &[Of::Flows(|group| group.fct_ns.mean)],
        )
        .in_table("fct:mean")
        .at_axis(AXIS),
        metric(
            "fct_ns_p50",
            Unit::Nanoseconds,
            "Median completion time (nearest rank)",
            &[Of::Flows(|group| group.fct_ns.p50)],
        )
        .in_table("fct:p50")
        .at_axis(AXIS),
        metric(
            "fct_ns_p90",
            Unit::Nanoseconds,
            "90th percentile of completion times (nearest rank)",
            &[Of::Flows(|group| group.fct_ns.p90)],
        )
        .in_table("fct:p90")
        .at_axis(AXIS),
        metric(
            "fct_ns_p99",
            Unit::Nanoseconds,
            "99th percentile of completion times (nearest rank)",
            &[Of::Flows(|group| group.fct_ns.p99)],
        )
        .in_table("fct:p99")
        .at_axis(AXIS),
        metric(
            "fct_ns_p999",
            Unit::Nanoseconds,
            "99.9th percentile of completion times (nearest rank)",
            &[Of::Flows(|group| group.fct_ns.p999)],
        )
        .in_table("fct:p999")
        .at_axis(AXIS),
        metric("fct_ns_max", Unit::Nanoseconds, "Longest completion time", &[Of::Flows(|group| group.fct_ns.max)])
            .in_table("fct:max")
            .at_axis(AXIS),
    ],
};
