//! A policy's packet on a real network: the headers from which each field is read.
//!
//! A [`Mapping`] gives the source of each [`Field`]; a [`Frame`] is a packet whose headers were found. A host in Rust reads with
//! [`Mapping::packet`]; hosts in C read the same with code that `src/c/` generates from the mapping.

mod field;
mod frame;
mod hash;
mod mapping;
mod marking;
mod source;

pub use field::Field;
pub use frame::{Frame, Metadata};
pub use mapping::{Mapping, SettingError, Unsaid};
pub use marking::write_marks;
pub use source::{Layer, Part, Source, WrongSource};

/// The number of bytes at the beginning of a frame in which headers are searched.
pub const HEAD_BYTES: usize = 128;
