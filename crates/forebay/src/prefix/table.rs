//! The result as a table for people.

use super::report::{Bounds, Gap, PrefixReport, Row};
use crate::output::table::{ns, percent, plain_table};

/// Returns the table, with notes for its readers.
pub fn table(report: &PrefixReport) -> String {
    let trace = &report.trace;
    let mut out = format!(
        "{}: {} prompts, {} tokens in {:.0} s; {} blocks of {} tokens, {} of them different\n\
         server: {}, {:.0} tokens/s each at the start of a prompt{}; the first prompt finds an empty cache\n\n",
        trace.name,
        trace.prompts,
        trace.tokens,
        trace.seconds,
        trace.blocks,
        trace.block_tokens,
        trace.distinct_blocks,
        if report.workers == 1 { "1 worker".to_owned() } else { format!("{} workers", report.workers) },
        1e12 / report.token_ps as f64,
        miss(report),
    );
    let header = ["policy", "blocks", "block hits", "token hits", "delayed", "work", "load", "TTFT p50", "p90", "p99"];
    let capacities = report.results.iter().map(|row| row.capacity_blocks);
    let mut rows = Vec::new();
    let mut shown = None;
    for (row, capacity) in report.results.iter().zip(capacities) {
        if shown.is_some_and(|shown| shown != capacity) {
            rows.extend(bound_row(report, shown));
        }
        shown = Some(capacity);
        rows.push(cells(row));
    }
    rows.extend(bound_row(report, shown));
    out.push_str(&plain_table(header.map(str::to_owned).into(), rows));
    out + &notes(report)
}

fn miss(report: &PrefixReport) -> String {
    let attention = (report.pair_fs > 0)
        .then(|| format!(", half of it at position {:.0}", report.token_ps as f64 * 1000.0 / report.pair_fs as f64));
    let fetch =
        report.fetch_token_ps.map(|ps| format!("; missed blocks are fetched, {:.0} tokens/s", 1e12 / ps.max(1) as f64));
    attention.unwrap_or_default() + &fetch.unwrap_or_default()
}

fn cells(row: &Row) -> Vec<String> {
    let seconds = |seconds: f64| ns(Some(seconds * 1e9));
    vec![
        row.policy.clone() + if row.offline { " (offline)" } else { "" },
        row.capacity_blocks.to_string(),
        percent(row.hit_block_share),
        percent(row.hit_token_share),
        percent(row.delayed_block_share),
        format!("{:.0} s", row.work_seconds),
        percent(row.load),
        short(&seconds, row.ttft_p50_seconds),
        short(&seconds, row.ttft_p90_seconds),
        short(&seconds, row.ttft_p99_seconds),
    ]
}

/// Milliseconds are enough for people.
fn short(text: &impl Fn(f64) -> String, seconds: f64) -> String {
    if seconds >= 0.001 { format!("{seconds:.3} s") } else { text(seconds) }
}

fn bound_row(report: &PrefixReport, capacity: Option<u64>) -> Option<Vec<String>> {
    let bounds = report.bounds.iter().find(|bounds| Some(bounds.capacity_blocks) == capacity)?;
    let share = |part: u64, all: u64| percent(part as f64 / all.max(1) as f64);
    let dash = || "-".to_owned();
    Some(vec![
        "(no policy is better)".to_owned(),
        bounds.capacity_blocks.to_string(),
        share(bounds.hit_blocks_most, report.trace.blocks),
        share(bounds.hit_tokens_most, report.trace.tokens),
        dash(),
        format!("{:.0} s", bounds.work_seconds_least),
        dash(),
        dash(),
        dash(),
        dash(),
    ])
}

fn notes(report: &PrefixReport) -> String {
    let mut notes: Vec<String> = report.bounds.iter().map(gaps).collect();
    notes.push(
        "hits: blocks that are there after hits only; delayed: blocks computed twice, since another worker was computing them"
            .to_owned(),
    );
    notes.push("TTFT: time to the first token, from the arrival to the end of the prefill".to_owned());
    notes.extend(report.warnings.iter().map(|warning| format!("warning: {warning}")));
    format!("\n{}\n", notes.join("\n"))
}

fn gaps(bounds: &Bounds) -> String {
    let gap = |gap: &Gap| if gap.exact { "none".to_owned() } else { format!("{:.4} %", gap.gap * 100.0) };
    format!(
        "{} blocks: gap between the bound on misses and the best schedule found: blocks {}, tokens {}, work {}",
        bounds.capacity_blocks,
        gap(&bounds.blocks),
        gap(&bounds.tokens),
        gap(&bounds.work)
    )
}
