//! Distance of a latency from the lowest that any cache could reach.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Gap between a latency and the lowest that any cache could reach on the trace, which lies between two \
                 certified bounds",
    better: Better::Lower,
    cost: FREE,
    source: Some("belatedly: Atre et al.: Caching with Delayed Hits, SIGCOMM 2020; docs/caches.md"),
    metrics: &[
        metric(
            "above_lower_bound",
            Unit::Share,
            "Mean latency above the lower bound, as a share of the bound",
            &[Of::BesideBound(|beside| beside.limits?.above_lower(beside.mean_latency?))],
        ),
        metric(
            "gap",
            Unit::Share,
            "Latency of the best schedule above the lower bound, as a share of the schedule's",
            &[Of::BestSchedule(|schedule| Some(schedule.0.gap))],
        ),
    ],
};
