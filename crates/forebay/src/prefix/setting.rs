//! The question: trace, policies, capacities and the server. All defaults of the server are assumptions.

use crate::error::{Result, UserError};
use forebay_cache::prefix::{Costs, Prefill, PrefixChoice, Service};
use forebay_core::{Seed, convert};

/// A slower tier that holds all blocks of earlier prompts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fetch {
    /// Its bandwidth for one worker, in bytes per second.
    pub bytes_per_second: f64,
    /// The bytes of a token's keys and values.
    pub token_bytes: f64,
}

/// A question about prefix caches.
#[derive(Debug, Clone)]
pub struct Setting {
    /// A file, or a recipe like `conversations:prompts=2000`.
    pub trace: String,
    /// The format of a file; [`None`] if the file decides.
    pub format: Option<String>,
    /// The tokens of a block; [`None`] for those of the format (512 for a recipe).
    pub block_tokens: Option<u64>,
    /// Capacities in blocks.
    pub blocks: Vec<u64>,
    /// The policies.
    pub policies: Vec<PrefixChoice>,
    /// Workers, each of which computes one prompt at a time.
    pub workers: usize,
    /// Tokens at the start of a prompt that a worker computes in a second.
    pub prefill_rate: f64,
    /// The position at which a token costs twice as much as the first one, because of attention; [`None`] if all tokens
    /// cost the same.
    pub attention: Option<f64>,
    /// The tier from which missed blocks are fetched; [`None`] if they are computed again.
    pub fetch: Option<Fetch>,
    /// How much faster prompts arrive than in the trace.
    pub speed: f64,
    /// Steps of the search for bounds; [`None`] for no bounds.
    pub bound_steps: Option<u32>,
    /// The seed of a recipe.
    pub seed: Seed,
}

impl Setting {
    /// Policies that are compared if the user names none.
    pub const POLICIES: &'static str = "lru-leaf,t-lru,cost-aware,queue-informed,belady-leaf,lru,lirs";
    /// Capacity in blocks, if the user names none.
    pub const BLOCKS: u64 = 2000;
    /// Tokens per second of a worker.
    pub const PREFILL_RATE: f64 = 5000.0;
    /// A dense model of 70e9 parameters with 80 layers of width 8192 works 2 x 70e9 for a token. For each token before it,
    /// it works 4 x 80 x 8192. Both are equal at position 53,406.
    pub const ATTENTION: f64 = 50_000.0;
    /// 80 layers x 8 heads x 128 numbers of 2 bytes, for keys and for values.
    pub const TOKEN_BYTES: f64 = 327_680.0;
    /// Steps of the search for bounds.
    pub const BOUND_STEPS: u32 = 400;

    /// A question with all defaults.
    #[must_use]
    pub fn new(trace: impl Into<String>) -> Self {
        let policies = Self::POLICIES.split(',').map(|name| name.parse().expect("names of policies"));
        Self {
            trace: trace.into(),
            format: None,
            block_tokens: None,
            blocks: vec![Self::BLOCKS],
            policies: policies.collect(),
            workers: 1,
            prefill_rate: Self::PREFILL_RATE,
            attention: Some(Self::ATTENTION),
            fetch: None,
            speed: 1.0,
            bound_steps: Some(Self::BOUND_STEPS),
            seed: Seed(1),
        }
    }

    /// The server.
    ///
    /// # Errors
    /// If a number is out of its range.
    pub(super) fn service(&self) -> Result<Service> {
        let in_range = |name: &str, number: f64, least: f64, most: f64| {
            let fits = number.is_finite() && (least..=most).contains(&number);
            let message = || UserError::argument(name, format!("`{number}` must be a number from {least} to {most}"));
            if fits { Ok(number) } else { Err(message()) }
        };
        if self.workers == 0 {
            return Err(UserError::argument("workers", "there must be at least 1 worker"));
        }
        if self.blocks.is_empty() || self.blocks.contains(&0) {
            return Err(UserError::argument("blocks", "a cache must have room for at least 1 block"));
        }
        if self.policies.is_empty() {
            return Err(UserError::argument("policy", "name at least one policy"));
        }
        let rate = in_range("prefill-rate", self.prefill_rate, 0.001, 1e9)?;
        let token_ps = whole(1e12 / rate).max(1);
        let pair_fs = match self.attention {
            None => 0,
            Some(position) => whole(1e15 / rate / in_range("attention", position, 1.0, 1e12)?),
        };
        let fetch_token_ps = match self.fetch {
            None => None,
            Some(Fetch { bytes_per_second, token_bytes }) => {
                let bandwidth = in_range("fetch", bytes_per_second / 1e9, 1e-6, 1e9)? * 1e9;
                Some(whole(in_range("token-bytes", token_bytes, 1.0, 1e12)? / bandwidth * 1e12))
            }
        };
        let speed = in_range("speed", self.speed, 0.001, 1e6)?;
        let costs = Costs { prefill: Prefill { token_ps, pair_fs }, fetch_token_ps };
        Ok(Service { workers: self.workers, costs, speed_thousandths: whole(speed * 1000.0).max(1) })
    }
}

/// A number that is not negative, rounded.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative; the cast saturates")]
fn whole(number: f64) -> u64 {
    convert::saturate(number.round() as u128)
}
