//! Seer (Lei and Shrivastav, NSDI'24): the queues of a node notify the next node of packets before they arrive, and its
//! cache fetches and evicts accordingly.
//!
//! Nothing here schedules an event, opens a file or reads a clock. Time is an argument. The caller that runs a network asks
//! for the notifications to send, and hands over those that have arrived.
//!
//! [`prototype`] shows all of it:
//!
//! ```
//! use forebay_core::{ParamError, Seed};
//! use forebay_cache::seer::SeerCache;
//! use forebay_cache::seer::prototype::{Prototype, PrototypeSpec};
//!
//! # fn main() -> Result<(), ParamError> {
//! let spec = PrototypeSpec::default(); // section 5.2: 256 B, 6 Gb/s
//! let lru = "lru".parse().expect("there is such a policy");
//! let mut cache = SeerCache::new(&spec.seer(Seed(1)), &lru)?;
//! let counts = Prototype::new(&spec, Seed(1))?.measure(20_000, 30_000, &mut [&mut cache]);
//! assert!(counts[0].absent_ratio() < 0.01);
//! # Ok(())
//! # }
//! ```

pub mod announcer;
pub mod arrivals;
pub mod clocked;
mod counts;
mod eviction;
pub mod examples;
mod fpm;
mod keys;
mod manager;
mod port_set;
pub mod prototype;
mod recency;
mod seer_cache;
mod slotless_prefetches;
mod spec;

pub use announcer::{Announcer, AnnouncerCounts, AnnouncerSpec, Carrier, Idle};
pub use arrivals::Arrivals;
pub use counts::{FpmCounts, SeerCounts, Visibility};
pub use fpm::{FPM_BITS, Fpm, Says};
pub use seer_cache::{Prefetch, SeerCache};
pub use spec::{Admit, AfterEviction, AfterFailure, Enters, Pace, SeerSpec, ToX, Unannounced, cycles};
