//! Lookups that find their entry.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Lookups that found the object or state in the cache, and their share of requests and bytes",
    better: Better::Higher,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "hits",
            Unit::Counted("lookups"),
            "Lookups that found the object or state in the cache",
            &[
                Of::States(|state| Some(state.hits as f64)),
                Of::Cache(|point| Some(point.numbers()?.hits as f64)),
                Of::BestSchedule(|schedule| Some(schedule.0.hits as f64)),
            ],
        ),
        metric("hit_ratio", Unit::Share, "Hits over requests", &[Of::Cache(|point| Some(point.numbers()?.hit_ratio))]),
        metric(
            "byte_hit_ratio",
            Unit::Share,
            "Bytes of hits over bytes of requests",
            &[Of::Cache(|point| Some(point.spread.as_ref()?.byte_hit_ratio))],
        ),
    ],
};
