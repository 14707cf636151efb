//! The list of files with unsafe code, `docs/unsafe.md`, and its differences from the files.

use crate::files::{ChoreResult, read};

const PAGE: &str = "docs/unsafe.md";

/// A file with unsafe code: its name and how often.
type Counted = (String, usize);

/// Names each file whose row in the list is missing or wrong.
pub(crate) fn check(files: &[String]) -> ChoreResult<Vec<String>> {
    let mut counted = Vec::new();
    for file in files.iter().filter(|file| file.ends_with(".rs") && !file.starts_with("xtask/")) {
        counted.push((file.clone(), count(&read(file)?)));
    }
    counted.retain(|(_, count)| *count > 0);
    Ok(compare(&read(PAGE)?, &counted))
}

/// Unsafe blocks, functions and implementations.
fn count(text: &str) -> usize {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let kinds = ["unsafe {", "unsafe impl", "unsafe fn", "unsafe extern \"C\" fn "];
    code.map(|line| kinds.iter().map(|kind| line.matches(kind).count()).sum::<usize>()).sum()
}

/// The first two cells of the rows: a file and a number.
fn listed(page: &str) -> Vec<Counted> {
    let row = |line: &str| {
        let (file, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
        Some((file.to_owned(), rest.split_once(" | ")?.0.parse().ok()?))
    };
    page.lines().filter_map(row).collect()
}

fn compare(page: &str, counted: &[Counted]) -> Vec<String> {
    let listed = listed(page);
    let missing = counted.iter().filter(|one| !listed.contains(one));
    let missing = missing.map(|(file, count)| {
        format!("{PAGE}: say of {file} that it has unsafe code in {count} places, and which test runs it")
    });
    let gone = listed.iter().filter(|(file, _)| !counted.iter().any(|(other, _)| other == file));
    missing.chain(gone.map(|(file, _)| format!("{PAGE}: {file} has no unsafe code"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_code_is_counted_and_comments_are_not() {
        assert_eq!(
            count("// unsafe { }\nlet x = unsafe { y() };\nunsafe impl Send for X {}\n#![forbid(unsafe_code)]\n"),
            2
        );
    }

    #[test]
    fn a_file_that_is_not_listed_as_it_is_is_found() {
        let counted = [("a.rs".to_owned(), 2)];
        assert_eq!(compare("| `a.rs` | 2 | why | `b.rs`: `c` |\n", &counted), Vec::<String>::new());
        assert_eq!(compare("| `a.rs` | 1 | why | `b.rs`: `c` |\n", &counted).len(), 1);
        assert_eq!(compare("", &counted).len(), 1);
        assert_eq!(compare("| `a.rs` | 2 | w | x |\n| `d.rs` | 1 | w | x |\n", &counted).len(), 1);
    }
}
