//! Lead of notifications over their packets.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Time by which a cache knows of packets in advance from notifications, and the number of these packets",
    better: Better::Higher,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "mean_lead_ns",
            Unit::Nanoseconds,
            "Mean time from a notification to its packet",
            &[Of::States(|state| state.told.and_then(|told| told.per_used(told.lead_ns)))],
        )
        .in_table("mean_lead"),
        metric(
            "mean_known",
            Unit::Counted("packets"),
            "Mean number of expected packets when one of them arrived",
            &[Of::States(|state| state.told.and_then(|told| told.per_used(told.known)))],
        ),
    ],
};
