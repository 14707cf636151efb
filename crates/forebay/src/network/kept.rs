//! Finished runs in the result folder, so that the same command goes on where it was stopped.
//!
//! `runs/KEY.json` is written last and at once, by renaming; so it stands for all files of its run, which are beside it. The
//! key is a checksum of everything that the run depends on. What the folder holds of earlier commands stays in `runs`, while
//! `flows`, `ports`, `series` and the like have the tables of the last command alone.

use super::run_result::RunResult;
use crate::error::{Result, UserError};
use crate::output::folder;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Hexadecimal digits of a key: 64 bits, so that no two of 100,000 runs will share one.
pub(super) const KEY_DIGITS: usize = 16;

/// Tables of a run, each with a folder of this name; not every run has the last three.
const TABLES: [&str; 5] = ["flows", "ports", "ranks", "series", "states"];

/// The folder of finished runs.
pub(super) struct Kept {
    folder: PathBuf,
}

impl Kept {
    /// Makes the folder if need be.
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let kept = Self { folder: folder.to_owned() };
        folder::create(&kept.folder.join("runs"))?;
        Ok(kept)
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join("runs").join(format!("{key}.json"))
    }

    /// Where a table of a run is kept.
    fn table(&self, key: &str, table: &str) -> PathBuf {
        self.folder.join("runs").join(format!("{key}-{table}.csv"))
    }

    /// A run that has finished before. What cannot be read, or lacks a table, is run again.
    pub(super) fn find(&self, key: &str) -> Option<RunResult> {
        let result: RunResult = serde_json::from_slice(&std::fs::read(self.path(key)).ok()?).ok()?;
        let has = |table: &str| match table {
            "ranks" => !result.inversions.is_empty(),
            "series" => result.series.is_some(),
            "states" => !result.states.is_empty(),
            _ => true,
        };
        let is_whole = TABLES.into_iter().all(|table| !has(table) || self.table(key, table).is_file());
        is_whole.then_some(result)
    }

    /// Keeps a run: first its tables, each by its name in [`TABLES`].
    pub(super) fn keep(&self, key: &str, result: &RunResult, tables: &[(&str, String)]) -> Result<()> {
        for (table, content) in tables {
            write_at_once(&self.table(key, table), content.as_bytes())?;
        }
        write_at_once(&self.path(key), folder::json(result)?.as_bytes())
    }

    /// Shows the tables of these runs, each a key and what a person calls it, in folders of their own, and no others.
    pub(super) fn show(&self, runs: &[(String, String)]) -> Result<()> {
        for table in TABLES {
            let shown: Vec<(PathBuf, String)> = runs
                .iter()
                .map(|(key, title)| (self.table(key, table), format!("{}-{key}.csv", file_name(title))))
                .filter(|(kept, _)| kept.is_file())
                .collect();
            let folder = self.folder.join(table);
            if !shown.is_empty() {
                folder::create(&folder)?;
            }
            remove_all_but(&folder, &shown.iter().map(|(_, name)| name.as_str()).collect())?;
            for (kept, name) in &shown {
                show(kept, &folder.join(name))?;
            }
        }
        Ok(())
    }
}

/// Writes a file that is there as a whole or not at all.
fn write_at_once(path: &Path, content: &[u8]) -> Result<()> {
    let unfinished = path.with_extension("unfinished");
    let failed = |error: std::io::Error| UserError::io(path, "written", &error);
    std::fs::write(&unfinished, content).map_err(failed)?;
    std::fs::rename(&unfinished, path).map_err(failed)
}

/// Removes tables of other runs from a folder, if there is one; what a person has put there stays.
fn remove_all_but(folder: &Path, names: &BTreeSet<&str>) -> Result<()> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    let files = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.to_owned()));
    for name in files.filter(|name| is_table(name) && !names.contains(name.as_str())) {
        let path = folder.join(name);
        std::fs::remove_file(&path).map_err(|error| UserError::io(&path, "removed", &error))?;
    }
    Ok(())
}

/// Whether a file is called as [`Kept::show`] calls them.
fn is_table(name: &str) -> bool {
    let key = name.strip_suffix(".csv").and_then(|stem| stem.rsplit('-').next());
    key.is_some_and(|key| key.len() == KEY_DIGITS && key.chars().all(|digit| digit.is_ascii_hexdigit()))
}

/// A copy, since a person may change it.
fn show(kept: &Path, shown: &Path) -> Result<()> {
    std::fs::copy(kept, shown).map(|_| ()).map_err(|error| UserError::io(shown, "written", &error))
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
