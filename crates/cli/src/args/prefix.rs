//! `forebay prefix`.

use super::number::whole;
use super::{Format, seed};
use clap::Args;
use forebay::caching::List;
use forebay::prefix::{Blocks, Setting};
use forebay_cache::prefix::PrefixChoice;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct PrefixArgs {
    /// A trace of prompts in JSON lines (Mooncake, Bailian, token ids), or a recipe like conversations:prompts=2000
    /// (docs/prefix-caches.md)
    pub(crate) trace: String,
    /// Format of the trace, if its lines do not determine it: mooncake, bailian or token-ids
    #[arg(long, value_name = "NAME")]
    pub(crate) format_in: Option<String>,
    /// Tokens of a full block [default: 512 for mooncake and recipes, otherwise 16]
    #[arg(long, value_name = "TOKENS", allow_negative_numbers = true, value_parser = whole::<u64>(1..=1 << 32))]
    pub(crate) block_tokens: Option<u64>,
    /// Capacities of the cache in blocks
    #[arg(long, value_name = "BLOCKS", default_value = "2000", allow_negative_numbers = true)]
    pub(crate) blocks: List<Blocks>,
    /// Policies: lru-leaf, t-lru(threshold=8192), cost-aware, queue-informed, belady-leaf, or any cache policy, such as lirs, which
    /// then knows nothing of chains
    #[arg(long, value_name = "NAMES", default_value = Setting::POLICIES)]
    pub(crate) policy: List<PrefixChoice>,
    /// Workers, each of which computes one prompt at a time
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(1..=1_000_000))]
    pub(crate) workers: u64,
    /// Tokens that a worker computes in a second, at the start of a prompt
    #[arg(long, value_name = "TOKENS", default_value_t = Setting::PREFILL_RATE, allow_negative_numbers = true)]
    pub(crate) prefill_rate: f64,
    /// Position at which a token costs twice as much as the first one, because of attention; 0 for the same cost everywhere
    #[arg(long, value_name = "POSITION", default_value_t = Setting::ATTENTION, allow_negative_numbers = true)]
    pub(crate) attention: f64,
    /// Fetch missed blocks from a slower tier at this many gigabytes per second for each worker [default: compute them again]
    #[arg(long, value_name = "GB/S", allow_negative_numbers = true)]
    pub(crate) fetch: Option<f64>,
    /// With --fetch: bytes of the keys and values of a token
    #[arg(long, value_name = "BYTES", default_value_t = Setting::TOKEN_BYTES, allow_negative_numbers = true)]
    pub(crate) token_bytes: f64,
    /// Let prompts arrive this many times as fast as in the trace
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) speed: f64,
    /// Leave the bounds out
    #[arg(long)]
    pub(crate) no_bound: bool,
    /// Steps of the search for bounds; more bring the bounds closer
    #[arg(long, value_name = "N", default_value_t = Setting::BOUND_STEPS, allow_negative_numbers = true, value_parser = whole::<u32>(1..=1_000_000))]
    pub(crate) iterations: u32,
    /// Seed of a recipe
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = seed())]
    pub(crate) seed: u64,
    /// Write result.json, result.csv and manifest.json into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}
