//! Prompts as lists of tokens, cut into blocks as vLLM does: full blocks only, each hashed with the hash before it.

use super::{PromptFormatEntry, about, lacks};
use twox_hash::XxHash64;

/// The registry's entry.
pub const ENTRY: PromptFormatEntry = PromptFormatEntry {
    about: about(
        "token-ids",
        "`timestamp` in seconds and `prompt_token_ids`, cut into full blocks of 16 tokens with chained hashes",
        "vLLM, design document on automatic prefix caching; the hash is XXH64",
    ),
    block_tokens: 16,
    unit_ns: 1_000_000_000,
    fits: |raw| raw.prompt_token_ids.is_some(),
    blocks: |line, block_tokens| {
        let tokens = line.raw.prompt_token_ids.as_ref().ok_or_else(|| lacks("prompt_token_ids"))?;
        let size = usize::try_from(block_tokens).unwrap_or(usize::MAX).max(1);
        let chain = |before: &mut u64, block: &[u32]| {
            let bytes: Vec<u8> = block.iter().flat_map(|token| token.to_le_bytes()).collect();
            *before = XxHash64::oneshot(*before, &bytes);
            Some(*before)
        };
        Ok((tokens.len() as u64, tokens.chunks_exact(size).scan(0, chain).collect()))
    },
};
