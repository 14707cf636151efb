//! The regular expression libraries of the system, loaded at run time: Vectorscan, which
//! scans for hundreds of patterns at once, and PCRE2 with its just-in-time compiler.
//!
//! It has `unsafe` in the two files that call C. Nothing is linked: a program with this crate builds and starts without
//! the libraries, and [`Vectorscan::load`] and [`Pcre2::load`] say what is missing. The crate `pcre2` is not used,
//! since it has neither a limit on the work of a call nor one on the positions at which a match may begin. With these
//! limits, a match stops and goes on later.

mod debian;
mod load;
mod pcre2;
mod vectorscan;

pub use debian::Debian;
pub use load::LoadError;
pub use pcre2::{Limits, Pcre2, Regex, RegexError, Scratch, Search};
pub use vectorscan::{CompileError, Expression, Filter, Vectorscan};
