//! Finds the known name that an unknown name probably means.

use std::cmp::Reverse;
use std::fmt;

/// A name that no entry has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} `{name}`{suggestion}")]
pub struct UnknownName {
    /// The kind of thing that should have the name, such as `queue`.
    pub kind: String,
    /// The name.
    pub name: String,
    /// The suggestion of a known name.
    pub suggestion: Suggestion,
}

impl UnknownName {
    /// Creates the error about `name`, which is not in `known`.
    pub fn new<'a>(kind: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        Self { kind: kind.to_owned(), name: name.to_owned(), suggestion: Suggestion::new(name, known) }
    }
}

/// Returns the text of the error.
impl From<UnknownName> for String {
    fn from(error: UnknownName) -> Self {
        error.to_string()
    }
}

/// The known names that an unknown name may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Suggestion {
    /// This known name is near.
    Nearest(String),
    /// No known name is near; these are all known names.
    Known(Vec<String>),
    /// There are no known names.
    Nothing,
}

impl Suggestion {
    /// Returns the nearest of `known`, or all if none is near. Of equally near names, it chooses the one with the longest beginning in
    /// common with `name`.
    pub fn new<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<&str> = known.into_iter().collect();
        let nearest = known
            .iter()
            .map(|candidate| (strsim::damerau_levenshtein(name, candidate), *candidate))
            .min_by_key(|(distance, candidate)| (*distance, Reverse(alike(name, candidate))));
        match nearest {
            None => Self::Nothing,
            // A part of the name must stay: `b` does not stand for `a`.
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

/// Returns the length of the common beginning of two names.
fn alike(name: &str, other: &str) -> usize {
    name.chars().zip(other.chars()).take_while(|(one, other)| one == other).count()
}

/// Writes the end of a message about an unknown name.
impl fmt::Display for Suggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nearest(name) => write!(f, "; did you mean `{name}`?"),
            Self::Known(names) => write!(f, "; known are {}", names.join(", ")),
            Self::Nothing => f.write_str("; there are none here"),
        }
    }
}

/// Returns the text of a [`Suggestion`]: `; did you mean …?` with the nearest of `known`, or the list of all if none is near.
///
/// ```
/// use forebay_core::registry::suggest;
/// assert_eq!(suggest("sppifo", ["fifo", "sp-pifo"]), "; did you mean `sp-pifo`?");
/// ```
pub fn suggest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    Suggestion::new(name, known).to_string()
}

/// Returns whether `name` is surely a misspelt `meant`: one letter is wrong, missing or too many, or two letters are in the wrong order.
/// Returns false for short names, which are too similar to decide.
///
/// ```
/// use forebay_core::registry::is_slip;
/// assert!(is_slip("max_jobs", "max_job") && !is_slip("min", "max"));
/// ```
#[must_use]
pub fn is_slip(name: &str, meant: &str) -> bool {
    const SHORTEST: usize = 3;
    name.chars().count() >= SHORTEST && strsim::damerau_levenshtein(name, meant) == 1
}

#[cfg(test)]
mod tests {
    use super::suggest;

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_lists_all() {
        assert_eq!(suggest("sppifo", ["fifo", "sp-pifo"]), "; did you mean `sp-pifo`?");
        assert_eq!(suggest("lruu", ["lrfu", "lru", "lrbu"]), "; did you mean `lru`?");
        assert_eq!(suggest("zzzzzz", ["fifo", "pifo"]), "; known are fifo, pifo");
        assert_eq!(suggest("x", []), "; there are none here");
    }
}
