//! A request to a language model, as a trace gives it to prefix caches.

/// One prompt: a chain of blocks of tokens.
///
/// A block's number names the block *and all blocks before it*, as the chained hashes of Mooncake and vLLM do. So equal
/// numbers mean equal prompts up to the end of that block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prompt {
    /// The time at which the prompt arrives, in nanoseconds from the first prompt of the trace.
    pub arrival: u64,
    /// The tokens of the prompt.
    pub input_tokens: u64,
    /// The tokens of the answer; 0 if the trace does not state them.
    pub output_tokens: u64,
    /// The blocks from the first to the last. Tokens after the last block cannot be cached.
    pub blocks: Vec<u64>,
}
