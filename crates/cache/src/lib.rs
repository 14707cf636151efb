//! Cache policies, and the models that judge them.
//!
//! A [`CachePolicy`] chooses victims; a [`Cache`] holds the entries; a [`Simulation`] plays requests against it. In the
//! classical model, a missed object is there at once. With *delayed hits*, a fetch takes time, and requests for an
//! object in flight wait for the rest of it (thesis 2.1). docs/caches.md has the rules.
//!
//! [`belatedly`] bounds the lowest latency that any cache could reach. [`seer`] is a cache that its neighbours notify of
//! packets on their way.
//!
//! Nothing here opens a file or reads a clock. Only the search for bounds of a long trace starts threads, if it is told to.

pub mod access;
pub mod admission;
#[path = "admissions/registry.rs"]
pub mod admissions;
pub mod attribution;
mod backing_store;
pub mod belatedly;
mod bounded;
pub mod cache;
pub mod chains;
pub mod choice;
mod choice_text;
pub mod correlation;
pub mod curve;
pub mod estimate;
pub mod future;
mod known_next_use;
pub mod latency;
pub mod mad;
mod measured_latencies;
pub mod model;
mod own;
#[path = "policies/registry.rs"]
pub mod policies;
pub mod policy;
pub mod policy_entry;
mod prefetch_choice;
pub mod prefetcher;
#[path = "prefetchers/registry.rs"]
pub mod prefetchers;
pub mod prefix;
pub mod request_latencies;
pub mod seer;
mod sets;
mod slow_start;
mod state_cache;
pub mod structures;
pub mod table;
pub mod toy;
pub mod verify;
pub mod worst_case;

pub use access::{Access, Entry, Fetched, Future, Slot};
pub use admission::{AdmissionEntry, AdmissionRule};
pub use admissions::ADMISSIONS;
pub use backing_store::BackingStore;
pub use bounded::bounded;
pub use cache::{Admission, Cache};
pub use choice::Choice;
pub use choice_text::ChoiceError;
pub use correlation::Correlation;
pub use estimate::Estimate;
pub use latency::{Latency, LatencyError};
pub use measured_latencies::MeasuredLatencies;
pub use model::{Counts, Lifetime, Model, Observer, RequestOutcome, Service, Setup, Simulation, SizeChange};
pub use own::{OwnParams, OwnPolicy};
pub use policies::POLICIES;
pub use policy::{CachePolicy, Shape, Victim};
pub use policy_entry::{Build, Compared, Form, Given, Make, PolicyEntry};
pub use prefetch_choice::{Prefetch, PrefetchChoice};
pub use prefetcher::Prefetcher;
pub use prefetchers::PREFETCHERS;
pub use sets::sets;
pub use slow_start::SlowStart;
pub use state_cache::{Entering, Lookup, StateCache, StateCacheSpec, StateCounts, StateSet, Whereabouts};
pub use table::{Keys, Table};
