//! Differences between the arrival times of packets and the times in notifications.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Difference between the time at which a packet was expected after its notification and that of its arrival",
    better: Better::Lower,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "mistimed",
            Unit::Counted("packets"),
            "Packets that arrived at another time than expected",
            &[Of::States(|state| Some(state.told?.mistimed as f64))],
        ),
        metric(
            "mean_error_ns",
            Unit::Nanoseconds,
            "Mean difference between expected and real arrival of mistimed packets",
            &[Of::States(|state| state.told?.mean_error_ns())],
        )
        .in_table("mean_error"),
        metric(
            "max_error_ns",
            Unit::Nanoseconds,
            "Largest difference between expected and real arrival",
            &[Of::States(|state| Some(state.told?.greatest_error_ns))],
        )
        .in_table("max_error"),
    ],
};
