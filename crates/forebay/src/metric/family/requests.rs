//! Requests to caches.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Requests to caches after the warm-up",
    better: Better::Neither,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "requests",
            Unit::Counted("requests"),
            "Requests that were counted",
            &[
                Of::Cache(|point| Some(point.numbers()?.requests as f64)),
                Of::BestSchedule(|schedule| Some(schedule.0.requests as f64)),
            ],
        ),
        metric(
            "accesses",
            Unit::Counted("lookups"),
            "Packets that needed a state: hits, delayed hits and misses",
            &[Of::States(|state| Some(state.accesses() as f64))],
        ),
        metric(
            "bytes",
            Unit::Counted("bytes"),
            "Bytes of flows that end, or of requests",
            &[Of::Flows(|group| Some(group.bytes as f64)), Of::Cache(|point| Some(point.numbers()?.bytes as f64))],
        ),
    ],
};
