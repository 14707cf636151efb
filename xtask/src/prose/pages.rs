//! Which files are read, and by which reader.

use super::passage::Text;
use super::{markdown, rust_comments, rust_strings};
use crate::files::{ChoreResult, all, root};

/// Entries of the changelog from before the first release, which stay as they were written.
const HISTORY: &str = "docs/history.md";

/// Where prose stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Markdown,
    Rust,
}

impl Source {
    /// What each reader finds in a file.
    pub(crate) fn read(self, file: &str, text: &str) -> Vec<Text> {
        match self {
            Self::Markdown => vec![markdown::read(text)],
            Self::Rust if is_test(file) => vec![rust_comments::read(text)],
            Self::Rust => vec![rust_comments::read(text), rust_strings::read(text)],
        }
    }

    const fn ending(self) -> &'static str {
        match self {
            Self::Markdown => ".md",
            Self::Rust => ".rs",
        }
    }

    /// Whether a file is read where none is named.
    fn has(self, file: &str) -> bool {
        let pages = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];
        file.ends_with(self.ending())
            && match self {
                Self::Rust => true,
                Self::Markdown if file == HISTORY => false,
                Self::Markdown => {
                    pages.contains(&file)
                        || file == "policies/README.md"
                        || file.starts_with("docs/")
                        || file.starts_with("experiments/")
                        || file.starts_with("rtl/") && file.ends_with("/README.md")
                }
            }
    }
}

/// Whether all of a file in Rust is for tests.
fn is_test(file: &str) -> bool {
    file.ends_with("/tests.rs") || ["/tests/", "/benches/", "/examples/"].iter().any(|folder| file.contains(folder))
}

/// The files that the words name, each a file or a folder; without words, all that the source has.
pub(crate) fn named(source: Source, words: &[&str]) -> ChoreResult<Vec<String>> {
    let known: Vec<String> = all()?.into_iter().filter(|file| source.has(file)).collect();
    if words.is_empty() {
        return Ok(known);
    }
    let mut files = Vec::new();
    let mut problems = Vec::new();
    for word in words {
        let folder = format!("{}/", word.trim_end_matches('/'));
        let inside: Vec<String> = known.iter().filter(|file| file.starts_with(&folder)).cloned().collect();
        if !inside.is_empty() {
            files.extend(inside);
        } else if !root().join(word).is_file() {
            problems.push(format!("{word}: there is no such file or folder of pages in the repository"));
        } else if !word.ends_with(source.ending()) {
            let hint = if word.ends_with(".rs") { "; for comments in Rust, write `--rust` before it" } else { "" };
            problems.push(format!("{word}: the name of a page ends in `{}`{hint}", source.ending()));
        } else {
            files.push((*word).to_owned());
        }
    }
    if problems.is_empty() { Ok(files) } else { Err(problems) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_those_of_the_project_and_not_of_its_tests() {
        for page in ["README.md", "docs/a/b.md", "rtl/README.md", "rtl/bbq/README.md", "experiments/seer/README.md"] {
            assert!(Source::Markdown.has(page), "{page}");
        }
        for other in ["testdata/README.md", "rtl/bbq/notes.md", "crates/core/README.md", "docs/a.toml"] {
            assert!(!Source::Markdown.has(other), "{other}");
        }
        assert!(Source::Rust.has("crates/core/src/lib.rs"));
    }

    #[test]
    fn a_file_that_is_no_page_is_named_with_what_to_write() {
        let wrong = |source, word| named(source, &[word]).unwrap_err().concat();
        assert!(wrong(Source::Markdown, "docs/nothing.md").starts_with("docs/nothing.md: there is no such file"));
        assert!(wrong(Source::Markdown, "xtask/src/main.rs").contains("`--rust`"));
        assert!(wrong(Source::Rust, "README.md").contains("ends in `.rs`"));
        assert!(named(Source::Markdown, &["docs/targets"]).unwrap().contains(&"docs/targets/p4.md".to_owned()));
    }
}
