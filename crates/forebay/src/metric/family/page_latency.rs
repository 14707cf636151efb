//! The latency of pages, if requests follow others.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Time from the first request of a page to its last answer. A page is a request that follows no other \
                 one, together with all requests that follow it; single requests are not counted",
    better: Better::Lower,
    cost: FREE,
    source: Some("thesis, section 2.6.3 (chains of serialised requests)"),
    metrics: &[
        metric(
            "pages",
            Unit::Counted("pages"),
            "Pages of two requests or more",
            &[Of::Cache(|point| Some(point.pages?.pages as f64))],
        )
        .better(Better::Neither),
        metric(
            "page_mean_latency",
            Unit::Ticks,
            "Mean latency of a page",
            &[Of::Cache(|point| Some(point.pages?.mean_latency))],
        )
        .in_table("page_latency:mean"),
        metric(
            "page_latency_p50",
            Unit::Ticks,
            "Median of the latency of pages (HDR histogram, three digits)",
            &[Of::Cache(|point| Some(point.pages?.latency_p50 as f64))],
        )
        .in_table("page_latency:p50"),
        metric(
            "page_latency_p99",
            Unit::Ticks,
            "99th percentile of the latency of pages",
            &[Of::Cache(|point| Some(point.pages?.latency_p99 as f64))],
        )
        .in_table("page_latency:p99"),
        metric(
            "page_latency_max",
            Unit::Ticks,
            "Greatest latency of a page",
            &[Of::Cache(|point| Some(point.pages?.latency_max as f64))],
        )
        .in_table("page_latency:max"),
    ],
};
