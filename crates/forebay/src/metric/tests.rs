//! Tests of the registry of metrics as a whole: names, meanings, the pages of the manual.

use super::*;

#[test]
fn names_in_the_long_table_have_no_units_and_statistics_behind_a_colon() {
    const STATISTICS: [&str; 7] = ["mean", "p50", "p90", "p99", "p999", "max", "total"];
    for Metric { name, in_table, unit, .. } in all() {
        let (base, statistic) = in_table.split_once(':').unwrap_or((in_table, ""));
        assert!(statistic.is_empty() || STATISTICS.contains(&statistic), "{in_table}");
        let unit = match unit {
            Unit::Nanoseconds => "_ns",
            Unit::BitsPerSecond => "_bps",
            Unit::GigabitsPerSecond => "_gbps",
            _ => "",
        };
        // `fct_ns_p99` and `latency_p99`, and `mean_latency`.
        let behind = if statistic.is_empty() { String::new() } else { format!("_{statistic}") };
        let (prefix, last) = base.rsplit_once('_').map_or(("", base), |(prefix, last)| (prefix, last));
        let before =
            [prefix, statistic, last].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_");
        assert!([format!("{base}{unit}{behind}"), format!("{before}{unit}")].iter().any(|own| own == name), "{name}");
    }
}

#[test]
fn names_are_unique_and_every_metric_is_of_some_result() {
    let mut names: Vec<&str> = all().map(|metric| metric.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(all().all(|metric| !metric.of.is_empty()));
}

#[test]
fn metrics_of_one_name_in_the_long_table_are_of_different_results() {
    for (place, metric) in all().enumerate() {
        for other in all().skip(place + 1).filter(|other| other.in_table == metric.in_table) {
            assert!(metric.of.iter().all(|of| !other.is_of(of.kind())), "{} and {}", metric.name, other.name);
        }
    }
}

#[test]
fn metrics_have_a_meaning() {
    for (name, word) in [("fct:p99", "99th"), ("latency:mean", "Mean latency"), ("drop_share", "dropped")] {
        assert!(meaning(name).is_some_and(|meaning| meaning.contains(word)), "{name}");
    }
    assert_eq!(meaning("fct:p12"), None);
}

#[test]
fn pages_name_every_metric_of_their_results() {
    let pages = [
        ("docs/result.md", include_str!("../../../../docs/result.md")),
        ("docs/caches.md", include_str!("../../../../docs/caches.md")),
    ];
    for metric in all() {
        // `fct_ns_mean`, `_p50`: the rest of a name stands for all of it. `classical` has the fields of a row.
        let rest = metric.name.rsplit_once('_').map_or("", |(_, rest)| rest);
        let within = metric.name.strip_prefix("classical_").unwrap_or(metric.name);
        let is_named = |page: &str| {
            [metric.name, within, &format!("_{rest}")].iter().any(|name| page.contains(&format!("`{name}`")))
        };
        for of in metric.of {
            let (name, text) = pages.iter().find(|(name, _)| *name == of.kind().page()).unwrap();
            assert!(is_named(text), "{} is not on {name}", metric.name);
        }
    }
}
