//! Packets that wait for states in switches and hosts.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Packets that wait in switches and hosts for the fetch of a state",
    better: Better::Lower,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "mean_wait_ns",
            Unit::Nanoseconds,
            "Mean time that packets waited for states, over all lookups",
            &[Of::States(|state| state.per_access(state.waited_ns))],
        )
        .in_table("mean_wait"),
        metric(
            "max_waiting",
            Unit::Counted("packets"),
            "Largest number of packets that waited in a switch or host",
            &[Of::States(|state| Some(state.max_waiting as f64))],
        ),
        metric(
            "dropped",
            Unit::Counted("packets"),
            "Packets that found no room to wait",
            &[Of::States(|state| Some(state.dropped as f64))],
        ),
    ],
};
