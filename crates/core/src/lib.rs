//! Types that all parts of forebay share: time, units, ids, packets, and cache requests. The crate also finds IP in a
//! frame, and has seeded random streams, op streams, and the registry of all names.
//!
//! This crate does no IO, reads no clock and knows no algorithm. A quantity
//! carries its unit in its type ([`Time`], [`Rate`]) or in its name.

pub mod burstiness;
pub mod convert;
pub mod discipline;
pub mod element;
pub mod encapsulation;
pub mod estimate;
pub mod ids;
mod ip_header;
mod mix;
mod near_names;
mod op_line_fault;
pub mod ops;
pub mod packet;
pub mod params;
pub mod prompt;
pub mod ramp;
pub mod random;
pub mod real;
pub mod registry;
pub mod request;
pub mod source;
pub mod time;
pub mod transmission;
pub mod tunnel;
pub mod units;

pub use burstiness::Burstiness;
pub use discipline::{Counter, Discipline, Verdict};
pub use element::Element;
pub use ids::{ClassId, FlowId, QueueId};
pub use ip_header::{IpHeader, WrongIpHeader};
pub use mix::mix;
pub use packet::{Marks, Packet};
pub use params::{ParamError, ParamSpec, ParamValue, Params};
pub use prompt::Prompt;
pub use ramp::ramp;
pub use random::{Rng, Seed};
pub use registry::{About, Exactness, Named};
pub use request::{Clock, Follows, Request};
pub use source::{Field, Fields, Source};
pub use time::{Duration, Time};
pub use transmission::TransmissionTimes;
pub use units::{BufferSize, Rate, UnitError};
