//! Lookups that begin a fetch.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Lookups that began a fetch, and their share of requests and bytes",
    better: Better::Lower,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "misses",
            Unit::Counted("lookups"),
            "Lookups that began a fetch",
            &[
                Of::States(|state| Some(state.misses as f64)),
                Of::Cache(|point| Some(point.numbers()?.misses as f64)),
                Of::BestSchedule(|schedule| Some(schedule.0.misses as f64)),
            ],
        ),
        metric(
            "miss_ratio",
            Unit::Share,
            "Misses over requests",
            &[Of::Cache(|point| Some(point.numbers()?.miss_ratio))],
        ),
        metric(
            "miss_share",
            Unit::Share,
            "Misses over lookups",
            &[Of::States(|state| state.per_access(state.misses as f64))],
        ),
        metric(
            "miss_bytes",
            Unit::Counted("bytes"),
            "Bytes of requests that missed",
            &[Of::Cache(|point| Some(point.numbers()?.miss_bytes as f64))],
        ),
        metric(
            "byte_miss_ratio",
            Unit::Share,
            "Bytes that misses fetch over bytes of requests",
            &[Of::Cache(|point| Some(point.numbers()?.byte_miss_ratio))],
        ),
    ],
};
