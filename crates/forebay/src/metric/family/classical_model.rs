//! Results of the classical model for the same cache, and their error.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "The same cache in the classical model, in which a missed object is in the cache at once, so there are \
                 no delayed hits",
    better: Better::Neither,
    cost: FREE,
    source: Some("thesis, section 2.2.1, equation 2.1 and Figure 2.3"),
    metrics: &[
        metric(
            "classical_hits",
            Unit::Counted("requests"),
            "Hits in the classical model, where a missed object arrives at once",
            &[Of::Cache(|point| Some(point.beside()?.hits as f64))],
        )
        .better(Better::Higher),
        metric(
            "classical_misses",
            Unit::Counted("requests"),
            "Misses in the classical model",
            &[Of::Cache(|point| Some(point.beside()?.misses as f64))],
        )
        .better(Better::Lower),
        metric(
            "classical_miss_ratio",
            Unit::Share,
            "Misses over requests in the classical model",
            &[Of::Cache(|point| Some(point.beside()?.miss_ratio))],
        )
        .better(Better::Lower),
        metric(
            "classical_mean_latency",
            Unit::Ticks,
            "Mean latency in the classical model",
            &[Of::Cache(|point| Some(point.beside()?.mean_latency))],
        )
        .in_table("classical_latency:mean")
        .better(Better::Lower),
        metric(
            "classical_error",
            Unit::Share,
            "Error of the classical mean latency, as a share of the real one",
            &[Of::Cache(|point| point.classical_error())],
        ),
    ],
};
