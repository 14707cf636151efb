//! Lookups of entries that are being fetched.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Lookups during the fetch of the same object or state: they wait for the rest of the fetch, and fetch \
                 nothing",
    better: Better::Lower,
    cost: FREE,
    source: Some("Atre et al.: Caching with Delayed Hits, SIGCOMM 2020"),
    metrics: &[
        metric(
            "delayed_hits",
            Unit::Counted("lookups"),
            "Lookups during the fetch of the same object or state",
            &[
                Of::States(|state| Some(state.delayed_hits as f64)),
                Of::Cache(|point| Some(point.numbers()?.delayed_hits as f64)),
                Of::BestSchedule(|schedule| Some(schedule.0.delayed_hits as f64)),
            ],
        ),
        metric(
            "delayed_hit_ratio",
            Unit::Share,
            "Delayed hits over requests",
            &[Of::Cache(|point| Some(point.numbers()?.delayed_hit_ratio))],
        ),
        metric(
            "delayed_hit_share",
            Unit::Share,
            "Delayed hits over lookups",
            &[Of::States(|state| state.per_access(state.delayed_hits as f64))],
        ),
    ],
};
