//! Names of files, made from names that people chose.

use std::collections::BTreeSet;

/// A name for each, of letters, digits, dots, underscores and dashes. No two are alike, not
/// even on a disk that does not tell `A` from `a`.
pub(super) fn of_files<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    names
        .map(|name| {
            let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
            let name: String = name.chars().map(plain).collect();
            // A dot in front would hide the file.
            let name = name.strip_prefix('.').map_or(name.clone(), |rest| format!("-{rest}"));
            let numbered = (2..).map(|number| format!("{name}-{number}"));
            let mut tries = std::iter::once(name.clone()).chain(numbered);
            tries.find(|name| taken.insert(name.to_lowercase())).unwrap_or(name)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain_and_differ() {
        let names = ["pifo", "SP-PIFO 8", "sp-pifo/8", "sp-pifo-8-2", "..", "ä.b", ".x"];
        let files = of_files(names.into_iter());
        assert_eq!(files, ["pifo", "SP-PIFO-8", "sp-pifo-8-2", "sp-pifo-8-2-2", "-.", "-.b", "-x"]);
    }
}
