//! The traces of Mooncake, with the block that the end of a prompt fills in part.

use super::{PromptFormatEntry, about};

/// The registry's entry.
pub const ENTRY: PromptFormatEntry = PromptFormatEntry {
    about: about(
        "mooncake",
        "`timestamp` in milliseconds, `input_length` in tokens, and `hash_ids`: a chained hash for each block of 512 tokens",
        "Qin et al., Mooncake, FAST'25; vLLM, NVIDIA Dynamo and AIPerf replay this form",
    ),
    block_tokens: 512,
    unit_ns: 1_000_000,
    fits: |raw| raw.hash_ids.is_some(),
    blocks: |line, _| line.hashed(),
};
