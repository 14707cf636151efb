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

/// What a metric of a frame is, in words.
pub(crate) fn meaning(in_this_frame: &str) -> Option<&'static str> {
    let is_it = |name: &str| {
        in_frame(name).metric == in_this_frame || in_frame_of_cache(name).as_deref() == Some(in_this_frame)
    };
    METRICS.iter().find(|metric| is_it(metric.name)).map(|metric| metric.meaning)
}

/// `mean_latency` is `latency:mean`.
fn in_frame_of_cache(name: &str) -> Option<String> {
    let (prefix, statistic) = latency_of(name)?;
    Some(format!("{prefix}latency:{statistic}"))
}

/// `classical_mean_latency` as `classical_` and `mean`, `latency_p99` as nothing and `p99`; nothing of other numbers.
pub(super) fn latency_of(name: &str) -> Option<(&str, &str)> {
    if let Some(statistic) = name.strip_prefix("latency_") {
        return Some(("", statistic));
    }
    let before = name.strip_suffix("_latency")?;
    match before.rsplit_once('_') {
        Some((_, statistic)) => Some((&before[..before.len() - statistic.len()], statistic)),
        None => Some(("", before)),
    }
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
    fn metrics_have_a_meaning() {
        for (name, word) in [("fct:p99", "99th"), ("latency:mean", "Mean latency"), ("drop_share", "dropped")] {
            assert!(meaning(name).is_some_and(|meaning| meaning.contains(word)), "{name}");
        }
        assert_eq!(meaning("fct:p12"), None);
    }

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
