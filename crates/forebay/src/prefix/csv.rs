//! The result as CSV: a line for each capacity and policy, beside the bounds at this capacity.

use super::report::PrefixReport;
use crate::output::csv::lines;

const HEADER: [&str; 19] = [
    "policy",
    "capacity_blocks",
    "offline",
    "hit_blocks",
    "hit_block_share",
    "hit_tokens",
    "hit_token_share",
    "delayed_blocks",
    "delayed_block_share",
    "evictions",
    "work_seconds",
    "load",
    "ttft_p50_seconds",
    "ttft_p90_seconds",
    "ttft_p99_seconds",
    "ttft_mean_seconds",
    "hit_blocks_most",
    "hit_tokens_most",
    "work_seconds_least",
];

/// Returns the whole table with its header. The last three columns are empty without bounds.
pub fn csv(report: &PrefixReport) -> String {
    let row = |row: &super::Row| {
        let bounds = report.bounds.iter().find(|bounds| bounds.capacity_blocks == row.capacity_blocks);
        let bound = |of: &dyn Fn(&super::Bounds) -> String| bounds.map_or_else(String::new, of);
        vec![
            row.policy.clone(),
            row.capacity_blocks.to_string(),
            row.offline.to_string(),
            row.hit_blocks.to_string(),
            row.hit_block_share.to_string(),
            row.hit_tokens.to_string(),
            row.hit_token_share.to_string(),
            row.delayed_blocks.to_string(),
            row.delayed_block_share.to_string(),
            row.evictions.to_string(),
            row.work_seconds.to_string(),
            row.load.to_string(),
            row.ttft_p50_seconds.to_string(),
            row.ttft_p90_seconds.to_string(),
            row.ttft_p99_seconds.to_string(),
            row.ttft_mean_seconds.to_string(),
            bound(&|bounds| bounds.hit_blocks_most.to_string()),
            bound(&|bounds| bounds.hit_tokens_most.to_string()),
            bound(&|bounds| bounds.work_seconds_least.to_string()),
        ]
    };
    lines(&HEADER, report.results.iter().map(row))
}
