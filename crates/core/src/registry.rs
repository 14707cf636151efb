//! The registry: one file and one line per algorithm.
//!
//! A folder of algorithms has a `registry.rs` that names its files in the
//! [`registry!`](crate::registry!) macro. Each file exports `pub const ENTRY`. From the resulting
//! list come the names on the command line, `forebay list` and `explain`, the
//! checks of scenario files, the conformance tests and the benches.

use crate::params::ParamSpec;
use std::fmt;

/// Whether a queue keeps the order of ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exactness {
    /// Never serves a packet while one of lower rank waits.
    Exact,
    /// As `Exact` while ranks lie in a window that moves on; those outside are
    /// clamped.
    ExactWithinWindow,
    /// May serve packets out of the order of their ranks.
    Approximate,
    /// Does not look at ranks at all.
    IgnoresRanks,
    /// Not a question for this kind of algorithm.
    NotApplicable,
}

/// What a person wants to know about an algorithm.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// Its name on the command line and in scenario files.
    pub name: &'static str,
    /// What it is, in one line.
    pub title: &'static str,
    /// Whether it keeps the order of ranks.
    pub exactness: Exactness,
    /// What it needs from the hardware.
    pub hardware: &'static str,
    /// Its cost per operation and its memory.
    pub cost: &'static str,
    /// Where it comes from: paper and section.
    pub source: &'static str,
    /// Its parameters.
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
    /// What the entry is.
    fn about(&self) -> &About;

    /// Other names by which people know it; scenarios and `explain` take them, too.
    fn also_known_as(&self) -> &'static [&'static str] {
        &[]
    }
}

/// A name that nothing has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} `{name}`{suggestion}")]
pub struct UnknownName {
    /// What the name should stand for, as `queue`.
    pub kind: String,
    /// The name.
    pub name: String,
    /// What was probably meant.
    pub suggestion: Suggestion,
}

impl UnknownName {
    /// The error about `name`, which is none of `known`.
    pub fn new<'a>(kind: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        Self { kind: kind.to_owned(), name: name.to_owned(), suggestion: Suggestion::new(name, known) }
    }
}

/// Its text.
impl From<UnknownName> for String {
    fn from(error: UnknownName) -> Self {
        error.to_string()
    }
}

/// Which known names an unknown one may stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Suggestion {
    /// This name is near.
    Nearest(String),
    /// None is near; these are known.
    Known(Vec<String>),
    /// There are no known names.
    Nothing,
}

impl Suggestion {
    /// The nearest of `known`, or all if none is near.
    pub fn new<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<&str> = known.into_iter().collect();
        let nearest = known
            .iter()
            .map(|candidate| (strsim::damerau_levenshtein(name, candidate), *candidate))
            .min_by_key(|(distance, _)| *distance);
        match nearest {
            None => Self::Nothing,
            // Something of the name must be left: `a` is not meant by `b`.
            Some((distance, candidate))
                if distance <= 1 + name.chars().count() / 3
                    && distance < name.chars().count().max(2).min(candidate.len()) =>
            {
                Self::Nearest(candidate.to_owned())
            }
            Some(_) => Self::Known(known.into_iter().map(str::to_owned).collect()),
        }
    }
}

/// The end of a message about an unknown name.
impl fmt::Display for Suggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nearest(name) => write!(f, "; did you mean `{name}`?"),
            Self::Known(names) => write!(f, "; known are {}", names.join(", ")),
            Self::Nothing => f.write_str("; there are none here"),
        }
    }
}

/// The entry called `name`, or also known by it.
///
/// # Errors
/// Says that the name is unknown and which known one is near.
pub fn find<'a, E: Named>(kind: &str, entries: &'a [E], name: &str) -> Result<&'a E, UnknownName> {
    let is_called = |entry: &&E| entry.about().name == name || entry.also_known_as().contains(&name);
    let known = || entries.iter().map(|entry| entry.about().name);
    entries.iter().find(is_called).ok_or_else(|| UnknownName::new(kind, name, known()))
}

/// The text of a [`Suggestion`]: `; did you mean …?` with the nearest of `known`, or the list of all if none is near.
///
/// ```
/// use forebay_core::registry::suggest;
/// assert_eq!(suggest("sppifo", ["fifo", "sp-pifo"]), "; did you mean `sp-pifo`?");
/// ```
pub fn suggest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    Suggestion::new(name, known).to_string()
}

/// Whether `name` is surely `meant`, with one letter wrong, missing, too many, or two in the wrong order. Short names are
/// too near to each other to tell.
///
/// ```
/// use forebay_core::registry::is_slip;
/// assert!(is_slip("max_jobs", "max_job") && !is_slip("min", "max"));
/// ```
#[must_use]
pub fn is_slip(name: &str, meant: &str) -> bool {
    const SHORTEST: usize = 4;
    name.chars().count() >= SHORTEST && strsim::damerau_levenshtein(name, meant) == 1
}

/// Declares the algorithms of one folder: a module each, and the list of their
/// entries.
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

#[cfg(test)]
mod tests {
    use super::suggest;

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_lists_all() {
        assert_eq!(suggest("sppifo", ["fifo", "sp-pifo"]), "; did you mean `sp-pifo`?");
        assert_eq!(suggest("zzzzzz", ["fifo", "pifo"]), "; known are fifo, pifo");
        assert_eq!(suggest("x", []), "; there are none here");
    }
}
