//! Fuzz targets: functions of bytes that panic if the bytes break a promise.
//!
//! [`TARGETS`] has one for everything that reads. `fuzz/` gives them to libFuzzer. [`mutated`] makes inputs for them without it, from the
//! files that each target keeps ([`FuzzTarget::seeds`]). The tests of this crate try some thousands of inputs for each target.
//! `docs/fuzzing.md` says what was found.

mod bytes;
mod chunked_input;
mod mutation;
mod seed_files;
#[path = "target/registry.rs"]
pub mod target;
mod two_ports;

pub use mutation::mutated;
pub use target::{FuzzTarget, TARGETS};

/// Gives bytes to the target called `name`.
///
/// # Panics
/// If a promise is broken, or there is no such target.
pub fn run(name: &str, data: &[u8]) {
    (target(name).run)(data);
}

/// The target called `name`.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn target(name: &str) -> &'static FuzzTarget {
    TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("there is no fuzz target `{name}`"))
}
