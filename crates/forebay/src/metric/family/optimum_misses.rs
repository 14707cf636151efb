//! The fewest misses that a cache could have.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Misses of Bélády's algorithm on the same lookups: the fewest without prefetches",
    better: Better::Lower,
    cost: FREE,
    source: Some("Belady, IBM Systems Journal 1966"),
    metrics: &[
        metric(
            "optimum_misses",
            Unit::Counted("lookups"),
            "Misses of Bélády's algorithm on the same lookups",
            &[Of::States(|state| Some(state.optimum_misses? as f64))],
        ),
        metric(
            "optimum_miss_share",
            Unit::Share,
            "Misses of Bélády's algorithm over lookups",
            &[Of::States(|state| state.per_access(state.optimum_misses? as f64))],
        ),
    ],
};
