//! Which known name was meant by one that is unknown.

/// `; did you mean …?` with the nearest of `known`, or the list of all if none is
/// near.
///
/// ```
/// use forebay_core::registry::suggest;
/// assert_eq!(suggest("sppifo", ["fifo", "sp-pifo"]), "; did you mean `sp-pifo`?");
/// ```
pub fn suggest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let nearest = known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), *candidate))
        .min_by_key(|(distance, _)| *distance);
    match nearest {
        None => "; there are none here".to_owned(),
        // Something of the name must be left: `a` is not meant by `b`.
        Some((distance, candidate))
            if distance <= 1 + name.chars().count() / 3
                && distance < name.chars().count().max(2).min(candidate.len()) =>
        {
            format!("; did you mean `{candidate}`?")
        }
        Some(_) => format!("; known are {}", known.join(", ")),
    }
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
