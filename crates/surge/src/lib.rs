//! A scheduler to embed in other programs: jobs leave in order of work per byte, and the worst are
//! dropped when there is no room.
//!
//! An attacker who sends work that is expensive for its size then displaces about one byte of others' traffic per byte sent. Under other
//! policies, it displaces hundreds of bytes per byte sent (SurgeProtector; thesis 3.4 and 3.5). Submitters hand in jobs with size and
//! estimate. Workers pull them, and the scheduler learns from the measured costs. No runtime is needed. docs/surge-library.md has an
//! example and the guarantees.

mod builder;
mod error;
mod estimate;
mod learned;
mod line;
mod measure;
mod metrics;
mod policy;
mod scheduler;
mod surge;
mod sync;
mod task;
#[cfg(feature = "tower")]
pub mod tower;

pub use builder::Builder;
pub use error::{BuildError, PullError, Reason, Refused};
pub use estimate::{Estimate, Estimator, Features, MeasuredJob, Told};
pub use forebay_clock::{Clock, ManualClock, MonotonicClock};
pub use learned::{MeanPerByte, MedianPerByte, WorstPerByte};
pub use measure::Measure;
pub use metrics::{Count, Metrics, Times};
pub use policy::Policy;
pub use surge::Surge;
pub use task::{Task, Ticket};

#[cfg(all(doctest, feature = "tower"))]
#[doc = include_str!("../../../docs/surge-library.md")]
struct Page;
