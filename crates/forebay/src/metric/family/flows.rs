//! Numbers of flows, by how they ended.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Flows that start in the counted window, by outcome",
    better: Better::Neither,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "flows",
            Unit::Counted("flows"),
            "Flows that count",
            &[Of::Network(|run| Some(run.flows as f64)), Of::Flows(|group| Some(group.flows as f64))],
        ),
        metric(
            "completed",
            Unit::Counted("flows"),
            "Flows that were completed",
            &[Of::Network(|run| Some(run.completed as f64)), Of::Flows(|group| Some(group.completed as f64))],
        )
        .better(Better::Higher),
        metric(
            "unfinished",
            Unit::Counted("flows"),
            "Flows that were still going on when the run ended",
            &[Of::Network(|run| Some(run.unfinished as f64)), Of::Flows(|group| Some(group.unfinished as f64))],
        )
        .better(Better::Lower),
        metric(
            "endless",
            Unit::Counted("flows"),
            "Flows that never end",
            &[Of::Network(|run| Some(run.endless as f64)), Of::Flows(|group| Some(group.endless as f64))],
        ),
    ],
};
