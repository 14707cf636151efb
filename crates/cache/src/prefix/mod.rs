//! Prefix caches of language models.
//!
//! A prompt is a chain of blocks of tokens. A cache holds blocks of earlier prompts; a block of a new prompt is a hit
//! only if it is there *and all blocks before it are there, too*. The rest of the prompt must be computed (*prefill*)
//! before the first token of the answer.
//!
//! | file | contents |
//! | --- | --- |
//! | `trace.rs` | [`PromptTrace`]: checked prompts, their tree of blocks, and each block's next prompt |
//! | `cost.rs` | [`Costs`]: how long it takes to compute or fetch the part of a prompt that is not cached |
//! | `facts.rs` | [`PrefixPolicy`]: ranks a block by facts about it; the policies are in `policy/`, one file each |
//! | `tree.rs` | [`TreeStore`]: evicts leaves of the tree by their rank |
//! | `flat.rs` | [`FlatStore`]: any policy of [`POLICIES`](crate::POLICIES), which knows nothing of chains |
//! | `serve.rs` | [`serve`]: a queue of prompts, workers, and the time to the first token |
//! | `bound/` | a certified bound on the hits of any policy |
//!
//! ```
//! use forebay_cache::prefix::{Costs, PrefixChoice, PromptTrace, Service, serve};
//! use forebay_core::Prompt;
//!
//! let prompt = |arrival, blocks: &[u64]| Prompt { arrival, input_tokens: 1024, output_tokens: 0, blocks: blocks.to_vec() };
//! let trace = PromptTrace::new(&[prompt(0, &[1, 2]), prompt(9, &[1, 3]), prompt(20, &[1, 2])], 512)?;
//! let policy: PrefixChoice = "lru-leaf".parse()?;
//! let service = Service { workers: 1, costs: Costs::per_token(1), speed_thousandths: 1000 };
//! let mut store = policy.store(&trace, 3, &service.costs)?;
//! assert_eq!(serve(&trace, &mut *store, &service).hit_blocks, 1 + 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Limits: the answer's own blocks are not stored, decoding takes no time and no room, and a prompt whose blocks are all
//! cached needs no prefill at all.

pub mod bound;
mod choice;
mod cost;
mod facts;
mod flat;
#[path = "policy/registry.rs"]
pub mod policy;
mod serve;
mod store;
mod trace;
mod tree;

pub use choice::{PrefixChoice, PrefixChoiceError};
pub use cost::{Costs, Prefill};
pub use facts::{Facts, PrefixPolicy, PrefixPolicyEntry, Rank};
pub use flat::FlatStore;
pub use policy::PREFIX_POLICIES;
pub use serve::{Outcome, Service, serve};
pub use store::PrefixStore;
pub use trace::{PromptFault, PromptTrace};
pub use tree::TreeStore;
