//! Entries that are evicted from caches, or not inserted.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Entries that are evicted for lack of room, and fetched entries that are not inserted",
    better: Better::Neither,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "evictions",
            Unit::Counted("entries"),
            "Entries that were evicted",
            &[
                Of::States(|state| Some(state.evictions as f64)),
                Of::Cache(|point| Some(point.numbers()?.evictions as f64)),
            ],
        ),
        metric(
            "refused",
            Unit::Counted("entries"),
            "Fetched entries that were not inserted",
            &[Of::States(|state| Some(state.refused as f64)), Of::Cache(|point| Some(point.numbers()?.refused as f64))],
        ),
    ],
};
