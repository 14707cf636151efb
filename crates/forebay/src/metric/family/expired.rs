//! Requests that find their object too old.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Requests for an object that is in the cache and has outlived its lifetime (`ttl`). Each is a miss, \
                 and the object is removed",
    better: Better::Neither,
    cost: FREE,
    source: None,
    metrics: &[metric(
        "expired",
        Unit::Counted("requests"),
        "Requests that found their object expired",
        &[Of::Cache(|point| Some(point.numbers()?.expired as f64))],
    )],
};
