//! The traces of Alibaba's Bailian.

use super::{PromptFormatEntry, about};

/// The registry's entry.
pub const ENTRY: PromptFormatEntry = PromptFormatEntry {
    about: about(
        "bailian",
        "`chat_id`, `timestamp` in seconds, `input_length`, and `hash_ids`: a chained hash for each block of 16 tokens",
        "Alibaba, qwen-bailian-usagetraces-anon",
    ),
    block_tokens: 16,
    unit_ns: 1_000_000_000,
    fits: |raw| raw.chat_id.is_some() && raw.hash_ids.is_some(),
    blocks: |line, _| line.hashed(),
};
