//! Length of a simulation.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Duration of a simulation",
    better: Better::Neither,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "end_ns",
            Unit::Nanoseconds,
            "Time at which the run ended",
            &[Of::PortRun(|run| Some(run.end_ns)), Of::Network(|run| Some(run.end_ns))],
        )
        .in_table("end")
        .at_axis("end of the run"),
        metric(
            "events",
            Unit::Counted("events"),
            "Events of the whole run",
            &[Of::Network(|run| Some(run.events as f64))],
        ),
    ],
};
