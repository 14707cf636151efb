//! Certified lower and upper bounds of the least total latency that any cache could give a
//! request trace under delayed hits (thesis, section 2.4: belatedly).
//!
//! A request that misses waits for the latency of its fetch; one that arrives while the fetch is in flight waits for
//! the rest. For real traces, the optimum over all schedules is out of reach, but it can be bounded to within a small
//! fraction of a per cent:
//!
//! - from below by Lagrangian duality. A price per unit of room makes each object a
//!   shortest-path problem of its own; any prices >= 0 give a valid bound, and the one
//!   reported is computed in integers.
//! - from above by a schedule, made from the same prices and then simulated.
//!
//! ```
//! use forebay_cache::belatedly::{BoundOptions, bound};
//! use forebay_core::Request;
//! use std::ops::ControlFlow;
//!
//! let requests: Vec<Request> =
//!     [1, 2, 1, 1, 2].iter().zip(0..).map(|(&key, time)| Request { time, key, size: 1 }).collect();
//! let bounds = bound(&requests, 1, |_| 2, &BoundOptions::default(), |_| ControlFlow::Continue(()))?;
//! assert_eq!((bounds.lower, bounds.upper), (6, 6));
//! # Ok::<(), forebay_cache::belatedly::BoundError>(())
//! ```
//!
//! The exact linear programme of the thesis is behind the feature `exact`, for small traces.
//! `docs/belatedly.md` has the mathematics and measured figures.

mod ascent;
mod bound;
mod branch;
mod certificate;
mod counts;
mod effort;
#[cfg(feature = "exact")]
mod exact;
mod paths;
mod pfoo;
mod problem;
mod proof;
mod rounding;
mod schedule;
mod search;
mod windows;

pub use bound::{BoundError, Bounds, bound};
pub use certificate::certified_lower_bound;
pub use counts::{FormulationSizes, Size, formulation_sizes};
pub use effort::{BoundOptions, Progress};
#[cfg(feature = "exact")]
pub use exact::{Exact, Schedules, Unsolved, exact};
pub(crate) use paths::approximate;
pub use pfoo::pfoo_lower;
pub use problem::{Problem, ProblemError};
pub use proof::{Proof, ProofLeaf};
pub use schedule::{Overfull, Schedule, ScheduleOutcome, simulate, simulate_each};
