//! The probes that forebay comes with, one file each.

pub mod inversions;
pub mod queue_length;
pub mod traffic;

pub use inversions::{InversionCount, Inversions};
pub use queue_length::{QueueLength, QueueLengthSeries};
pub use traffic::{ClassTraffic, Delay, Traffic};
