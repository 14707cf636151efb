//! Lower bounds of flow completion times, unfinished flows included.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

const AXIS: &str = "flow completion time, at least";

pub(crate) const ENTRY: Family = Family {
    definition: "Flow completion time that includes unfinished flows as if they had ended with the run. It does not \
                 favour a policy that starves flows",
    better: Better::Lower,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "fct_at_least_ns_mean",
            Unit::Nanoseconds,
            "Mean completion time if unfinished flows had ended with the run",
            &[Of::Flows(|group| group.fct_at_least_ns.mean)],
        )
        .in_table("fct_at_least:mean")
        .at_axis(AXIS),
        metric(
            "fct_at_least_ns_p99",
            Unit::Nanoseconds,
            "99th percentile of completion times if unfinished flows had ended with the run",
            &[Of::Flows(|group| group.fct_at_least_ns.p99)],
        )
        .in_table("fct_at_least:p99")
        .at_axis(AXIS),
    ],
};
