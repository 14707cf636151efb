//! Load of the store behind caches.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Load of caches on the origin or the store behind them",
    better: Better::Lower,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "origin_fetches_per_s",
            Unit::Counted("1/s"),
            "Fetches from the origin in a second of the trace",
            &[Of::Cache(|point| point.spread.as_ref()?.origin_fetches_per_s)],
        ),
        metric(
            "origin_bytes_per_s",
            Unit::Counted("bytes/s"),
            "Bytes fetched from the origin in a second of the trace",
            &[Of::Cache(|point| point.spread.as_ref()?.origin_bytes_per_s)],
        ),
        metric(
            "fetches",
            Unit::Counted("fetches"),
            "Reads of the store: misses and prefetches",
            &[Of::States(|state| Some(state.fetches() as f64))],
        ),
    ],
};
