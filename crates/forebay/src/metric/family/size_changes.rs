//! Requests that find their object with another size.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Requests for an object that is in the cache, or in flight, with another size. `size_change` says whether they are hits",
    better: Better::Neither,
    cost: FREE,
    source: None,
    metrics: &[metric(
        "size_changes",
        Unit::Counted("requests"),
        "Requests that found their object with another size",
        &[Of::Cache(|point| Some(point.numbers()?.size_changes as f64))],
    )],
};
