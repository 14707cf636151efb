//! Names of files, made from names that people chose.

use std::collections::BTreeSet;

/// The names that are already used.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// In lower case: a disk may not tell `A` from `a`.
    taken: BTreeSet<String>,
}

impl Names {
    /// Returns an unused name of a file, of letters, digits, dots, underscores and dashes.
    pub(crate) fn of_file(&mut self, name: &str, extension: &str) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
        let mut name: String = name.chars().map(plain).collect();
        // A dot in front would hide the file.
        if name.starts_with('.') {
            name.replace_range(..1, "-");
        }
        let mut file = name.clone();
        for number in 2.. {
            if self.taken.insert(file.to_lowercase()) {
                break;
            }
            file = format!("{name}-{number}");
        }
        file + extension
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain_and_differ() {
        let mut names = Names::default();
        for (name, file) in [
            ("pifo", "pifo.ops"),
            ("SP-PIFO 8", "SP-PIFO-8.ops"),
            ("sp-pifo/8", "sp-pifo-8-2.ops"),
            ("sp-pifo-8-2", "sp-pifo-8-2-2.ops"),
            ("..", "-..ops"),
            ("ä.b", "-.b.ops"),
            (".x", "-x.ops"),
        ] {
            assert_eq!(names.of_file(name, ".ops"), file);
        }
    }
}
