//! Fetches that begin before a request or packet needs them.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Fetches that begin before a lookup needs them, and those that were in vain or late",
    better: Better::Lower,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "prefetches",
            Unit::Counted("fetches"),
            "Fetches that began before a packet or a request needed them",
            &[
                Of::States(|state| Some(state.told?.prefetches as f64)),
                Of::Cache(|point| Some(point.numbers()?.prefetches as f64)),
            ],
        )
        .better(Better::Neither),
        metric(
            "prefetches_late",
            Unit::Counted("fetches"),
            "Prefetches that had not ended when their first packet or request arrived",
            &[
                Of::States(|state| Some(state.told?.prefetches_late as f64)),
                Of::Cache(|point| Some(point.numbers()?.prefetches_late as f64)),
            ],
        ),
        metric(
            "prefetches_used",
            Unit::Counted("fetches"),
            "Prefetched objects that were requested before they were evicted",
            &[Of::Cache(|point| Some(point.numbers()?.prefetches_used as f64))],
        )
        .better(Better::Higher),
        metric(
            "prefetches_unused",
            Unit::Counted("fetches"),
            "Prefetched entries that were evicted before a packet needed them",
            &[Of::States(|state| Some(state.told?.prefetches_unused as f64))],
        ),
    ],
};
