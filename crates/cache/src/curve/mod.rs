//! Curves over capacity in one pass over the trace.
//!
//! LRU is a stack algorithm in the classical model: its misses at every capacity follow from one pass
//! ([`StackDistances`]; Mattson et al., IBM Systems Journal 1970). Other policies, and the model with delayed hits,
//! have no such pass. For them, a [`KeySample`] makes a small copy of trace and cache, which is simulated at many
//! capacities at once.

mod key_sample;
mod stack_distances;

pub use key_sample::KeySample;
pub use stack_distances::StackDistances;
