//! Finished runs in a folder, under a key of everything that they depend on. Any number of processes may share the folder.
//!
//! `runs/KEY.json` is written last and at once, by renaming, so it stands for all files of its run. It has a checksum of itself and
//! of the run's tables beside it. A file that does not match is damaged: the run is named and made again.

use super::VERSION;
use crate::error::{Result, UserError};
use crate::observer::Observer;
use crate::output::folder;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Hexadecimal digits of a key: 64 bits, so that no two of 100,000 runs will share one.
pub(crate) const KEY_DIGITS: usize = 16;

/// The folder of finished runs.
#[derive(Debug)]
pub(crate) struct Kept {
    folder: PathBuf,
}

/// A run as it is kept.
#[derive(Serialize, Deserialize)]
struct Entry<R> {
    forebay: String,
    /// SHA-256 of each table.
    tables: BTreeMap<String, String>,
    result: R,
}

/// What stands before and between the checksum and what it is of.
const BEFORE: &str = "{\"sha256\":\"";
const BETWEEN: &str = "\",\"run\":";
const AFTER: &str = "}\n";

impl Kept {
    /// Makes the folder if need be.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let kept = Self { folder: folder.to_owned() };
        folder::create(&kept.folder.join("runs"))?;
        Ok(kept)
    }

    /// The folder that it is in.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join("runs").join(format!("{key}.json"))
    }

    /// Where a table of a run is kept.
    pub(crate) fn table(&self, key: &str, table: &str) -> PathBuf {
        self.folder.join("runs").join(format!("{key}-{table}.csv"))
    }

    /// A run that has finished before, called `title`. The observer hears of one that is damaged.
    pub(crate) fn find<R: DeserializeOwned>(&self, key: &str, title: &str, observer: &dyn Observer) -> Option<R> {
        let path = self.path(key);
        let bytes = std::fs::read(&path).ok()?;
        let damaged = |what: &str| {
            observer.warn(&format!("{}: {what}; the run `{title}` is made again", path.display()));
            None
        };
        let Some(entry) = read::<R>(&bytes) else { return damaged("this kept run is damaged") };
        for (table, sha256) in &entry.tables {
            match std::fs::read(self.table(key, table)) {
                Ok(content) if hex(&content) == *sha256 => {}
                Ok(_) => return damaged(&format!("its table `{table}` is damaged")),
                Err(_) => return damaged(&format!("its table `{table}` is missing")),
            }
        }
        Some(entry.result)
    }

    /// Keeps a run: first its tables, each by its name.
    pub(crate) fn keep<R: Serialize>(&self, key: &str, result: &R, tables: &[(&str, String)]) -> Result<()> {
        for (table, content) in tables {
            folder::write_at_once(&self.table(key, table), content.as_bytes())?;
        }
        let sums = tables.iter().map(|(table, content)| ((*table).to_owned(), hex(content.as_bytes())));
        let entry = Entry { forebay: VERSION.to_owned(), tables: sums.collect(), result };
        let text = serde_json::to_string(&entry)
            .map_err(|error| UserError::new(format!("a run cannot be written as JSON: {error}")))?;
        let file = format!("{BEFORE}{}{BETWEEN}{text}{AFTER}", hex(text.as_bytes()));
        folder::write_at_once(&self.path(key), file.as_bytes())
    }

    /// Takes a run from another folder, if that has it and nothing is damaged. A run that is here stays.
    pub(crate) fn take(&self, key: &str, other: &Self) -> Result<()> {
        let Ok(bytes) = std::fs::read(other.path(key)) else { return Ok(()) };
        if other.folder == self.folder || self.path(key).exists() {
            return Ok(());
        }
        let Some(entry) = read::<serde_json::Value>(&bytes) else { return Ok(()) };
        for table in entry.tables.keys() {
            let Ok(content) = std::fs::read(other.table(key, table)) else { return Ok(()) };
            folder::write_at_once(&self.table(key, table), &content)?;
        }
        folder::write_at_once(&self.path(key), &bytes)
    }
}

/// What a file says, if its checksum holds.
fn read<R: DeserializeOwned>(bytes: &[u8]) -> Option<Entry<R>> {
    let text = std::str::from_utf8(bytes).ok()?.strip_prefix(BEFORE)?.strip_suffix(AFTER)?;
    let (sha256, run) = text.split_once(BETWEEN)?;
    if hex(run.as_bytes()) != sha256 {
        return None;
    }
    serde_json::from_str(run).ok()
}

/// SHA-256 in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::Silent;

    #[test]
    fn any_changed_byte_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let kept = Kept::open(folder.path()).unwrap();
        let result = vec![Some(0.1), None, Some(12_345.678)];
        kept.keep("key", &result, &[("flows", "a,b\n1,2\n".to_owned())]).unwrap();
        let find = || kept.find::<Vec<Option<f64>>>("key", "x", &Silent);
        assert_eq!(find(), Some(result));
        for path in [kept.path("key"), kept.table("key", "flows")] {
            let whole = std::fs::read(&path).unwrap();
            for at in 0..whole.len() {
                let mut damaged = whole.clone();
                damaged[at] ^= 1;
                std::fs::write(&path, &damaged).unwrap();
                assert_eq!(find(), None, "byte {at} of {}", path.display());
                std::fs::write(&path, &whole[..at]).unwrap();
                assert_eq!(find(), None, "cut at {at} of {}", path.display());
            }
            std::fs::write(&path, &whole).unwrap();
            assert!(find().is_some());
        }
        std::fs::remove_file(kept.table("key", "flows")).unwrap();
        assert_eq!(find(), None);
    }
}
