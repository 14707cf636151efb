//! A report as CSV: one line per policy and class, `all` for all classes.

use crate::report::{Counts, Report};

/// The whole table with its header.
pub(crate) fn report(report: &Report) -> String {
    let mut out = String::from(
        "policy,class,packets_in,packets_out,packets_dropped,packets_queued,bytes_in,bytes_out,bytes_dropped,\
         throughput_bps,delay_ns_mean,delay_ns_p50,delay_ns_p99,delay_ns_max,inversions,overtaken\n",
    );
    for result in &report.results {
        let policy = quoted(&result.policy);
        out.push_str(&line(&policy, "all", &result.counts));
        for class in &result.classes {
            out.push_str(&line(&policy, &class.class.to_string(), &class.counts));
        }
    }
    out
}

fn line(policy: &str, class: &str, counts: &Counts) -> String {
    let or_empty = |value: Option<String>| value.unwrap_or_default();
    let delay = counts.delay_ns;
    [
        policy.to_owned(),
        class.to_owned(),
        counts.packets_in.to_string(),
        counts.packets_out.to_string(),
        counts.packets_dropped.to_string(),
        counts.packets_queued.to_string(),
        counts.bytes_in.to_string(),
        counts.bytes_out.to_string(),
        counts.bytes_dropped.to_string(),
        counts.throughput_bps.to_string(),
        or_empty(delay.mean.map(|ns| ns.to_string())),
        or_empty(delay.p50.map(|ns| ns.to_string())),
        or_empty(delay.p99.map(|ns| ns.to_string())),
        or_empty(delay.max.map(|ns| ns.to_string())),
        counts.inversions.to_string(),
        counts.overtaken.to_string(),
    ]
    .join(",")
        + "\n"
}

/// A header and rows of fields.
pub(crate) fn lines(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut out = header.join(",") + "\n";
    for row in rows {
        let fields: Vec<String> = row.iter().map(|field| quoted(field)).collect();
        out.push_str(&(fields.join(",") + "\n"));
    }
    out
}

/// A field in quotes if it must be (RFC 4180).
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
