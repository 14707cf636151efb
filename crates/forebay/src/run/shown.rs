//! Tables of finished runs where a person looks for them.
//!
//! The folder keeps all runs in `runs`. `flows`, `ports`, `series` and the like have the tables of the last command alone.

use super::kept::{KEY_DIGITS, Kept};
use crate::error::{Result, UserError};
use crate::output::folder;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Tables of runs, each with a folder of this name; most runs have some of them.
const TABLES: [&str; 5] = ["flows", "ports", "ranks", "series", "states"];

/// Shows the tables of these runs, each a key and what a person calls it, in folders of their own, and no others.
pub(super) fn show(kept: &Kept, runs: &[(String, String)]) -> Result<()> {
    for table in TABLES {
        let shown: Vec<(PathBuf, String)> = runs
            .iter()
            .map(|(key, title)| (kept.table(key, table), format!("{}-{key}.csv", file_name(title))))
            .filter(|(table, _)| table.is_file())
            .collect();
        let folder = kept.folder().join(table);
        if !shown.is_empty() {
            folder::create(&folder)?;
        }
        remove_all_but(&folder, &shown.iter().map(|(_, name)| name.as_str()).collect())?;
        for (table, name) in &shown {
            copy(table, &folder.join(name))?;
        }
    }
    Ok(())
}

/// Removes tables of other runs from a folder, if there is one; what a person has put there stays.
fn remove_all_but(folder: &Path, names: &BTreeSet<&str>) -> Result<()> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    let files = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.to_owned()));
    for name in files.filter(|name| is_table(name) && !names.contains(name.as_str())) {
        let path = folder.join(name);
        match std::fs::remove_file(&path) {
            // Another process was faster.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            removed => removed.map_err(|error| UserError::io(&path, "removed", &error))?,
        }
    }
    Ok(())
}

/// Whether a file is called as [`show`] calls them.
fn is_table(name: &str) -> bool {
    let key = name.strip_suffix(".csv").and_then(|stem| stem.rsplit('-').next());
    key.is_some_and(|key| key.len() == KEY_DIGITS && key.chars().all(|digit| digit.is_ascii_hexdigit()))
}

/// A copy, since a person may change it.
fn copy(kept: &Path, shown: &Path) -> Result<()> {
    let content = std::fs::read(kept).map_err(|error| UserError::io(kept, "read", &error))?;
    folder::write_at_once(shown, &content)
}

/// A text with nothing in it that a file name may not have.
fn file_name(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { '-' };
    let mut name: String = text.chars().map(safe).take(MAX_CHARS).collect();
    while name.contains("--") {
        name = name.replace("--", "-");
    }
    name.trim_matches(['-', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_tame() {
        assert_eq!(file_name("DCTCP load 0.6 buffer 100 packets 0"), "dctcp-load-0.6-buffer-100-packets-0");
        assert_eq!(file_name("../../ä/b"), "b");
    }

    #[test]
    fn only_tables_are_taken_for_tables() {
        assert!(is_table("dctcp-0-0123456789abcdef.csv"));
        for name in
            ["notes.csv", "dctcp-0-0123456789abcde.csv", "dctcp-0-0123456789abcdef.txt", "a-0123456789abcdeg.csv"]
        {
            assert!(!is_table(name), "{name}");
        }
    }
}
