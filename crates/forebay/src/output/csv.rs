//! A report as CSV: one line per policy and class, `all` for all classes.
//!
//! ```
//! let rows = [["fifo", "120"], ["\"shortest\" first", "7"]].map(|row| row.map(str::to_owned).to_vec());
//! let text = forebay::output::csv::lines(&["policy", "drops"], rows.into_iter());
//! assert_eq!(text, "policy,drops\nfifo,120\n\"\"\"shortest\"\" first\",7\n"); // quoted as RFC 4180 says
//! ```

use crate::report::{Counts, Report};

const HEADER: [&str; 17] = [
    "policy",
    "class",
    "packets_in",
    "packets_out",
    "packets_dropped",
    "packets_queued",
    "bytes_in",
    "bytes_out",
    "bytes_dropped",
    "throughput_bps",
    "delay_ns_mean",
    "delay_ns_p50",
    "delay_ns_p99",
    "delay_ns_max",
    "inversions",
    "overtaken",
    "packets_marked",
];

/// The whole table with its header.
pub(crate) fn report(report: &Report) -> String {
    let rows = report.results.iter().flat_map(|result| {
        let all = row(&result.policy, "all", &result.counts);
        let classes = result.classes.iter().map(|class| row(&result.policy, &class.class.to_string(), &class.counts));
        std::iter::once(all).chain(classes)
    });
    lines(&HEADER, rows)
}

fn row(policy: &str, class: &str, counts: &Counts) -> Vec<String> {
    let or_empty = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let delay = counts.delay_ns;
    vec![
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
        or_empty(delay.mean),
        or_empty(delay.p50),
        or_empty(delay.p99),
        or_empty(delay.max),
        counts.inversions.to_string(),
        counts.overtaken.to_string(),
        counts.packets_marked.to_string(),
    ]
}

/// A header and rows of fields.
pub fn lines(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
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
