//! A certified bound on what any policy could save, and a schedule that comes close.
//!
//! **Model.** Between two prompts, at most B blocks are stored. A prompt hits the longest prefix of its chain that is
//! stored. After it, any of its blocks and of those stored may stay. There is no pinning, and a block may be left out. So
//! no policy of a server, with any number of workers, saves more than the optimum here. For blocks of running prompts take
//! room from their start on, and prompts start in order of arrival.
//!
//! **Intervals.** A hit of block b at prompt j needs b to stay from the last prompt before j that had b until j. If the
//! first k blocks of j are hits, these are k intervals that end at j. A block is requested by every prompt that has a
//! later block of the chain. So the intervals of j are nested: the later the block, the earlier its interval begins. A
//! schedule is a number k(j) for each prompt; its intervals over each gap between prompts number at most B.
//!
//! **Dual.** With a price for each gap, the intervals of a prompt cost their prices, and capacity is no constraint. Each
//! prompt chooses its best k alone: the largest prefix sum of weight less price. The chain constraint costs nothing. For
//! *all* prices >= 0, B times the prices plus these sums is at least what any schedule saves (`dual.rs`, in integers).
//! `ascent.rs` looks for prices that make it small.
//!
//! **Equal weights.** If all blocks save the same, the chain constraint is free altogether: in place of a block whose
//! ancestor is missing, keep the ancestor. Its interval is inside the block's interval and saves as much. So the optimum
//! is that of unit intervals on B machines. The sweep of `sweep.rs` drops the block that is needed last. For unit
//! weights it solves this exactly (Faigle and Nawijn, 1995); it is Bélády's rule where blocks may be left out. If later
//! blocks save more, the argument fails, and the optimum may be below.

mod ascent;
mod dual;
#[cfg(feature = "exact")]
mod exact;
mod problem;
mod search;
mod sweep;

pub use dual::most_saved;
#[cfg(feature = "exact")]
pub use exact::exact;
pub use problem::PrefixProblem;
pub use search::{PrefixBound, bound};
pub use sweep::{Schedule, sweep};
