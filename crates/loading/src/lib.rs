//! A loading cache to embed in other programs: it fetches the values that it does not have.
//!
//! Requests for a key whose fetch is in flight wait for that fetch (single flight; the literature calls them *delayed
//! hits*). The cache may choose victims by the cost of the next miss, which it measures while it runs (MAD; thesis 2.5
//! and 2.6.1). No runtime is needed, since the waiters poll the fetch. docs/loading-cache.md has an example and the
//! guarantees.

mod announcements;
mod blocking;
mod builder;
mod cache;
mod contents;
mod cycles;
mod entry;
mod error;
mod failures;
mod flight;
mod hash;
mod inner;
mod landing;
mod limit;
mod metrics;
mod noted;
mod part;
mod plan;
mod quiet;
mod removed;
mod request;
mod rules;
mod shard;
mod slots;
mod snapshot;
mod stored;
mod sync;
mod thread_number;

pub use builder::Builder;
pub use cache::{Keeper, LoadingCache};
pub use entry::{Entry, NotInserted};
pub use error::{BoxError, BuildError, FetchError, RestoreError};
pub use forebay_clock::{Clock, ManualClock, MonotonicClock};
pub use hash::KeyedHash;
pub use metrics::{Metrics, Waits};
pub use removed::Removal;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/loading-cache.md")]
struct Page;
