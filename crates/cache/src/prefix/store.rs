//! What a server asks of a prefix cache.

/// A prefix cache with its policy, for one trace. Prompts are numbered by arrival, and start in this order.
pub trait PrefixStore {
    /// A prompt has joined the queue.
    fn wait(&mut self, prompt: usize) {
        let _ = prompt;
    }

    /// A prompt starts. Returns the number of its first blocks that are there and computed, and stores its other blocks
    /// as far as there is room.
    fn start(&mut self, prompt: usize) -> usize;

    /// The blocks of a prompt that started are computed.
    fn finish(&mut self, prompt: usize);

    /// The number of blocks that were evicted.
    fn evictions(&self) -> u64;

    /// The number of blocks that are stored.
    fn stored(&self) -> u64;
}
