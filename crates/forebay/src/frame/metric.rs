//! How the numbers of reports are called in a frame, and in which unit.

use crate::metrics::METRICS;

/// A metric of a frame.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct InFrame {
    /// With its statistic, like `fct:p99`.
    pub(super) metric: String,
    pub(super) unit: &'static str,
    /// What a number of the report is multiplied by, and then divided by: both are exact.
    pub(super) scale: (f64, f64),
}

/// Statistics that end the names of reports.
const STATISTICS: [&str; 7] = ["mean", "p50", "p90", "p99", "p999", "min", "max"];

/// Of a number that reports call `name`.
pub(super) fn in_frame(name: &str) -> InFrame {
    let (base, statistic) = match name.rsplit_once('_') {
        // `mean_wait_ns` ends in its unit, `fct_ns_p99` and `slowdown_p99` in a statistic.
        Some((base, last)) if STATISTICS.contains(&last) => (base, Some(last)),
        _ => (name, None),
    };
    let (base, unit, scale) = if let Some(base) = base.strip_suffix("_ns") {
        (base, "s", (1.0, 1e9))
    } else if let Some(base) = base.strip_suffix("_bps") {
        (base, "bit/s", (1.0, 1.0))
    } else if let Some(base) = base.strip_suffix("_gbps") {
        (base, "bit/s", (1e9, 1.0))
    } else {
        (base, unit_of(name), (1.0, 1.0))
    };
    let metric = statistic.map_or_else(|| base.to_owned(), |statistic| format!("{base}:{statistic}"));
    InFrame { metric, unit, scale }
}

/// The unit of a metric that is in no need of conversion.
fn unit_of(name: &str) -> &'static str {
    match METRICS.iter().find(|metric| metric.name == name).map(|metric| metric.unit) {
        Some("share" | "ratio") | None => "1",
        Some(unit) => unit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_si_and_statistics_stand_behind_a_colon() {
        for (name, metric, unit, scale) in [
            ("fct_ns_p99", "fct:p99", "s", (1.0, 1e9)),
            ("fct_at_least_ns_mean", "fct_at_least:mean", "s", (1.0, 1e9)),
            ("slowdown_max", "slowdown:max", "1", (1.0, 1.0)),
            ("mean_wait_ns", "mean_wait", "s", (1.0, 1e9)),
            ("throughput_bps", "throughput", "bit/s", (1.0, 1.0)),
            ("goodput_gbps", "goodput", "bit/s", (1e9, 1.0)),
            ("mean_queue_bytes", "mean_queue_bytes", "bytes", (1.0, 1.0)),
            ("drop_share", "drop_share", "1", (1.0, 1.0)),
            ("packets_in", "packets_in", "packets", (1.0, 1.0)),
        ] {
            assert_eq!(in_frame(name), InFrame { metric: metric.to_owned(), unit, scale });
        }
    }
}
