//! The registry: one file and one line per algorithm.
//!
//! A folder of algorithms has a `registry.rs` that names its files in the [`registry!`](crate::registry!) macro. Each
//! file exports `pub const ENTRY`. The command line, `forebay list` and `explain`, the checks of scenario files, the
//! conformance tests and the benches all work from the resulting list.

use crate::params::ParamSpec;
use std::fmt;

pub use crate::near_names::{Suggestion, UnknownName, is_slip, suggest};

/// Whether a queue serves packets in the order of their ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exactness {
    /// Never serves a packet while one of lower rank waits.
    Exact,
    /// Like `Exact` while ranks are within a moving window; ranks outside are clamped.
    ExactWithinWindow,
    /// May serve packets out of the order of their ranks.
    Approximate,
    /// Ignores ranks.
    IgnoresRanks,
    /// Does not apply to this kind of algorithm.
    NotApplicable,
}

/// The description of an algorithm for users.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// Its name on the command line and in scenario files.
    pub name: &'static str,
    /// A description in one line.
    pub title: &'static str,
    /// Whether the algorithm serves packets in the order of their ranks.
    pub exactness: Exactness,
    /// The hardware features that the algorithm needs.
    pub hardware: &'static str,
    /// The algorithm's cost per operation and its memory.
    pub cost: &'static str,
    /// The algorithm's source: paper and section.
    pub source: &'static str,
    /// The algorithm's parameters.
    pub params: &'static [ParamSpec],
}

impl fmt::Display for Exactness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exact => "exact",
            Self::ExactWithinWindow => "exact within its window",
            Self::Approximate => "approximate",
            Self::IgnoresRanks => "ignores ranks",
            Self::NotApplicable => "-",
        })
    }
}

/// An entry of a registry.
pub trait Named {
    /// Returns the description of the entry.
    fn about(&self) -> &About;

    /// Returns other names by which people know the entry; scenario files and `explain` accept them, too.
    fn also_known_as(&self) -> &'static [&'static str] {
        &[]
    }
}

/// Finds the entry with this name, or the entry that is also known by it.
///
/// # Errors Names the unknown name and the nearest known one.
pub fn find<'a, E: Named>(kind: &str, entries: &'a [E], name: &str) -> Result<&'a E, UnknownName> {
    let is_called = |entry: &&E| entry.about().name == name || entry.also_known_as().contains(&name);
    let known = || entries.iter().map(|entry| entry.about().name);
    entries.iter().find(is_called).ok_or_else(|| UnknownName::new(kind, name, known()))
}

/// Declares the algorithms of one folder: a module for each, and the list of their entries.
///
/// ```text
/// registry! {
///     /// Every rank queue.
///     pub static QUEUES: [QueueEntry] = {
///         mod fifo;
///         mod pifo;
///     }
/// }
/// ```
#[macro_export]
macro_rules! registry {
    ($(#[$meta:meta])* pub static $list:ident: [$entry:ty] = { $(mod $file:ident;)* }) => {
        $(pub mod $file;)*

        $(#[$meta])*
        pub static $list: &[$entry] = &[$($file::ENTRY),*];
    };
}
