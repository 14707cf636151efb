//! A policy's packet on a real network: which field is read from which header.
//!
//! A [`Mapping`] says for each [`Field`] where it comes from; a [`Frame`] is a packet whose headers were found. A host in
//! Rust reads with [`Mapping::packet`]; hosts in C read the same with what `src/c/` makes of the mapping.

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

/// Headers are looked for in the first bytes of a frame only, so many.
pub const HEAD_BYTES: usize = 128;
