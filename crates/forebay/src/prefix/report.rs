//! The result: what `--format json` prints and `result.json` holds. docs/prefix-caches.md documents the names.

use serde::Serialize;

/// The result of a question about prefix caches.
#[derive(Debug, Clone, Serialize)]
pub struct PrefixReport {
    /// The version of the format of results.
    pub schema_version: u32,
    /// The kind of report: `prefix`.
    pub kind: &'static str,
    /// The version of forebay.
    pub forebay: &'static str,
    /// The root of all random numbers.
    pub seed: u64,
    /// What a user should know about the trace.
    pub warnings: Vec<String>,
    /// The trace.
    pub trace: Trace,
    /// Workers of the server.
    pub workers: usize,
    /// Picoseconds for a token.
    pub token_ps: u64,
    /// Femtoseconds for each pair of a token and one before it.
    pub pair_fs: u64,
    /// Picoseconds to fetch a token; `null` if missed blocks are computed again.
    pub fetch_token_ps: Option<u64>,
    /// How much faster prompts arrive than in the trace.
    pub speed: f64,
    /// One row for each capacity and policy.
    pub results: Vec<Row>,
    /// One row for each capacity.
    pub bounds: Vec<Bounds>,
}

/// Facts about the trace.
#[derive(Debug, Clone, Serialize)]
pub struct Trace {
    /// Its file or recipe.
    pub name: String,
    /// Its format, or `conversations` for a recipe.
    pub format: &'static str,
    /// Tokens of a full block.
    pub block_tokens: u64,
    /// Number of prompts.
    pub prompts: usize,
    /// Blocks of all prompts.
    pub blocks: u64,
    /// Different blocks.
    pub distinct_blocks: u64,
    /// Blocks that an earlier prompt had: no cache has more hits.
    pub repeated_blocks: u64,
    /// Tokens of all prompts.
    pub tokens: u64,
    /// From the first arrival to the last one, at the given speed.
    pub seconds: f64,
}

/// A policy at a capacity.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The policy.
    pub policy: String,
    /// Capacity in blocks.
    pub capacity_blocks: u64,
    /// Whether the policy looks into the future beyond the waiting prompts.
    pub offline: bool,
    /// Blocks that were hits.
    pub hit_blocks: u64,
    /// Their share of all blocks.
    pub hit_block_share: f64,
    /// Tokens in these blocks.
    pub hit_tokens: u64,
    /// Their share of all tokens.
    pub hit_token_share: f64,
    /// Blocks that were computed twice, since another worker was still computing them.
    pub delayed_blocks: u64,
    /// Their share of all blocks.
    pub delayed_block_share: f64,
    /// Blocks that were evicted.
    pub evictions: u64,
    /// The time that the workers were busy.
    pub work_seconds: f64,
    /// Share of the time from the first arrival to the last first token that the workers were busy.
    pub load: f64,
    /// Time to the first token: median.
    pub ttft_p50_seconds: f64,
    /// 90th percentile.
    pub ttft_p90_seconds: f64,
    /// 99th percentile.
    pub ttft_p99_seconds: f64,
    /// Mean.
    pub ttft_mean_seconds: f64,
    /// Longest.
    pub ttft_max_seconds: f64,
}

/// What no policy exceeds at a capacity.
#[derive(Debug, Clone, Serialize)]
pub struct Bounds {
    /// Capacity in blocks.
    pub capacity_blocks: u64,
    /// No policy has more hits.
    pub hit_blocks_most: u64,
    /// No policy hits more tokens.
    pub hit_tokens_most: u64,
    /// The workers of no policy are busy for less.
    pub work_seconds_least: f64,
    /// How far the best schedules found are from these.
    pub blocks: Gap,
    /// The same for missed tokens.
    pub tokens: Gap,
    /// The same for the work.
    pub work: Gap,
}

/// The misses of the best schedule found, against the bound.
#[derive(Debug, Clone, Serialize)]
pub struct Gap {
    /// No policy's misses cost less: blocks, tokens, or picoseconds.
    pub least: u128,
    /// A schedule's misses cost this.
    pub found: u128,
    /// Their difference as a share of the least cost.
    pub gap: f64,
    /// Whether the schedule is proven to be the best one.
    pub exact: bool,
}
