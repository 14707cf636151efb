//! Seer (Lei and Shrivastav, NSDI'24): the queues of a node tell the next node which packets come, and when, and its cache
//! fetches and evicts accordingly.
//!
//! Nothing here schedules an event, opens a file or reads a clock: time is an argument, and whoever runs a network asks
//! what is to be sent and hands over what has come.
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
