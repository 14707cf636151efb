//! The latency of requests to a cache.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Latency of a request: none for a hit, that of the fetch for a miss, the rest of the fetch for a delayed hit. Percentiles \
                 have three significant digits (HDR histogram)",
    better: Better::Lower,
    cost: FREE,
    source: Some("Atre et al.: Caching with Delayed Hits, SIGCOMM 2020"),
    metrics: &[
        metric(
            "total_latency",
            Unit::Ticks,
            "Latency summed over all requests",
            &[
                Of::Cache(|point| Some(point.numbers()?.total_latency as f64)),
                Of::LowerBound(|bound| Some(bound.0.lower as f64)),
                Of::BestSchedule(|schedule| Some(schedule.0.upper as f64)),
            ],
        )
        .in_table("latency:total"),
        metric(
            "mean_latency",
            Unit::Ticks,
            "Mean latency of a request",
            &[
                Of::Cache(|point| Some(point.numbers()?.mean_latency)),
                Of::LowerBound(|bound| Some(bound.0.lower_mean_latency)),
                Of::BestSchedule(|schedule| Some(schedule.0.upper_mean_latency)),
            ],
        )
        .in_table("latency:mean"),
        metric(
            "latency_p50",
            Unit::Ticks,
            "Median of the latency of requests (HDR histogram, three digits)",
            &[Of::Cache(|point| Some(point.spread.as_ref()?.latency_p50 as f64))],
        )
        .in_table("latency:p50"),
        metric(
            "latency_p90",
            Unit::Ticks,
            "90th percentile of the latency of requests",
            &[Of::Cache(|point| Some(point.spread.as_ref()?.latency_p90 as f64))],
        )
        .in_table("latency:p90"),
        metric(
            "latency_p99",
            Unit::Ticks,
            "99th percentile of the latency of requests",
            &[Of::Cache(|point| Some(point.spread.as_ref()?.latency_p99 as f64))],
        )
        .in_table("latency:p99"),
        metric(
            "latency_p999",
            Unit::Ticks,
            "99.9th percentile of the latency of requests",
            &[Of::Cache(|point| Some(point.spread.as_ref()?.latency_p999 as f64))],
        )
        .in_table("latency:p999"),
        metric(
            "latency_max",
            Unit::Ticks,
            "Greatest latency of a request",
            &[Of::Cache(|point| Some(point.spread.as_ref()?.latency_max as f64))],
        )
        .in_table("latency:max"),
    ],
};
