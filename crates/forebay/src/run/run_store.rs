//! Finished runs in a folder, under a key of all their inputs. Any number of processes may share the folder.
//!
//! `runs/KEY.json` is written last and atomically, by renaming, so its existence shows that all files of its run are complete. It has a
//! checksum of itself and of the run's parts of detail tables next to it. A file that does not match is damaged: the run is named and made
//! again.
//!
//! A kept run is safe from a crash of the program at once. It is safe from a loss of power at most [`UNSAFE_FOR`] later, or after
//! [`sync`](Kept::sync). Waiting for the disk after each of many short runs would take longer than the runs.

use super::VERSION;
use crate::detail::Part;
use crate::disk::Folder;
use crate::error::{Result, UserError};
use crate::observer::Observer;
use crate::output::atomic_file::{Unfinished, clean};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The number of hexadecimal digits of a key: 64 bits, so that no two of 100,000 runs will share one.
pub(crate) const KEY_DIGITS: usize = 16;

/// Bytes of a part that are in memory at one time.
const AT_A_TIME: usize = 1 << 16;

/// The time after its end for which a run can be lost through a loss of power.
const UNSAFE_FOR: Duration = Duration::from_secs(1);

/// The folder of finished runs.
#[derive(Debug)]
pub(crate) struct Kept {
    folder: Folder,
    /// `runs` in it.
    runs: Folder,
    not_synced: Mutex<NotSynced>,
}

/// The files that a loss of power would destroy.
#[derive(Debug, Default)]
struct NotSynced {
    /// Names of files in `runs`.
    files: Vec<String>,
    /// When the last of the others were made safe.
    since: Duration,
}

/// A run as it is kept.
#[derive(Serialize, Deserialize)]
struct Entry<R> {
    forebay: String,
    /// The key under which the run is kept, so that a copy under another name is noticed.
    key: String,
    /// SHA-256 of its part of each detail table.
    parts: BTreeMap<String, String>,
    result: R,
}

impl Kept {
    /// Creates the folder if it does not exist, and removes unfinished files of a program that was killed.
    pub(crate) fn open(folder: &Folder) -> Result<Self> {
        let kept = Self::existing(folder);
        kept.runs.create()?;
        clean(&kept.folder)?;
        clean(&kept.runs)?;
        Ok(kept)
    }

    /// Opens a folder that is only read.
    pub(crate) fn existing(folder: &Folder) -> Self {
        let not_synced = NotSynced { files: Vec::new(), since: folder.disk().now() };
        Self { folder: folder.clone(), runs: folder.within("runs"), not_synced: Mutex::new(not_synced) }
    }

    /// Returns the folder of results that contains the runs' folder.
    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Returns the folder of the runs.
    pub(crate) fn runs(&self) -> &Folder {
        &self.runs
    }

    /// Returns a run that has finished before, or the reason why there is none.
    ///
    /// # Errors
    /// If there is a file that cannot be read.
    pub(crate) fn find<R: DeserializeOwned>(&self, key: &str) -> Result<Found<R>> {
        let name = entry(key);
        let Some(bytes) = self.runs.read(&name)? else { return Ok(Found::Missing) };
        let damaged = |name: &str| Ok(Found::Damaged(self.runs.file(name)));
        let Some(entry) = unseal::<Entry<R>>(&bytes).filter(|entry| entry.key == key) else { return damaged(&name) };
        for (table, sha256) in &entry.parts {
            let name = part(key, table);
            if self.sum_if_there(&name)?.as_ref() != Some(sha256) {
                return damaged(&name);
            }
        }
        // The process that has kept it may have been killed before it was safe.
        self.will_sync([name].into_iter().chain(entry.parts.keys().map(|table| part(key, table))));
        Ok(Found::Whole(entry.result, entry.parts.into_keys().collect()))
    }

    /// Keeps a run: first its parts of detail tables.
    pub(crate) fn keep<R: Serialize>(&self, key: &str, result: &R, parts: Vec<Part>) -> Result<()> {
        let mut sums = BTreeMap::new();
        for Part { table, file, sum } in parts {
            self.put(file)?;
            sums.insert(table.to_owned(), digits(sum));
        }
        let sealed = seal(&Entry { forebay: VERSION.to_owned(), key: key.to_owned(), parts: sums, result })?;
        let mut file = Unfinished::begin(&self.runs, &entry(key))?;
        file.write_all(sealed.as_bytes()).map_err(|error| file.failed(&error))?;
        self.put(file)?;
        let now = self.folder.disk().now();
        if now.saturating_sub(self.not_synced.lock().unwrap_or_else(PoisonError::into_inner).since) >= UNSAFE_FOR {
            self.sync()?;
        }
        Ok(())
    }

    /// Gives a file of `runs` its name.
    fn put(&self, file: Unfinished) -> Result<()> {
        self.will_sync([file.finish_unsafe()?]);
        Ok(())
    }

    /// Files of `runs` that may not be safe.
    fn will_sync(&self, names: impl IntoIterator<Item = String>) {
        self.not_synced.lock().unwrap_or_else(PoisonError::into_inner).files.extend(names);
    }

    /// Makes all kept runs safe from a loss of power.
    pub(crate) fn sync(&self) -> Result<()> {
        let disk = self.folder.disk();
        let files = {
            let mut not_synced = self.not_synced.lock().unwrap_or_else(PoisonError::into_inner);
            not_synced.since = disk.now();
            std::mem::take(&mut not_synced.files)
        };
        if files.is_empty() {
            return Ok(());
        }
        disk.sync_all(self.runs.path(), &files).map_err(|error| UserError::io(self.runs.path(), "written", &error))
    }

    /// Copies a run from another folder, if it is whole there. A whole run in this folder is kept.
    pub(crate) fn take(&self, key: &str, other: &Self) -> Result<()> {
        if other.folder.path() == self.folder.path() || matches!(self.find::<serde_json::Value>(key)?, Found::Whole(..))
        {
            return Ok(());
        }
        let Found::Whole(_, parts) = other.find::<serde_json::Value>(key)? else { return Ok(()) };
        parts.iter().try_for_each(|table| self.copy(other, &part(key, table)))?;
        self.copy(other, &entry(key))
    }

    /// Copies a file of `runs`, which may be large.
    fn copy(&self, from: &Self, name: &str) -> Result<()> {
        let unreadable = |error: io::Error| from.runs.unreadable(name, &error);
        let mut source = from.runs.open(name)?.ok_or_else(|| unreadable(io::ErrorKind::NotFound.into()))?;
        let mut copy = Unfinished::begin(&self.runs, name)?;
        let mut buffer = vec![0; AT_A_TIME];
        loop {
            match source.read(&mut buffer) {
                Ok(0) => return self.put(copy),
                Ok(read) => copy.write_all(&buffer[..read]).map_err(|error| copy.failed(&error))?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(unreadable(error)),
            }
        }
    }

    /// The checksum of a file of `runs`, if it is there.
    fn sum_if_there(&self, name: &str) -> Result<Option<String>> {
        let Some(mut file) = self.runs.open(name)? else { return Ok(None) };
        let (mut sum, mut buffer) = (Sha256::new(), vec![0; AT_A_TIME]);
        loop {
            match file.read(&mut buffer) {
                Ok(0) => return Ok(Some(digits(sum))),
                Ok(read) => sum.update(&buffer[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.runs.unreadable(name, &error)),
            }
        }
    }
}

/// The name of a run's file.
fn entry(key: &str) -> String {
    format!("{key}.json")
}

/// Returns the name of the part of a detail table that a run has written.
pub(crate) fn part(key: &str, table: &str) -> String {
    format!("{key}-{table}.csv")
}

/// The contents of a folder under a key.
#[derive(Debug, PartialEq)]
pub(crate) enum Found<R> {
    /// A run, with the names of its parts.
    Whole(R, Vec<String>),
    /// A run of which this file is damaged or missing.
    Damaged(PathBuf),
    /// Nothing.
    Missing,
}

impl<R> Found<R> {
    /// Returns the run, if it is whole. A damaged run called `title` is reported to the observer, with `becomes`, the consequence.
    pub(crate) fn whole(self, title: &str, becomes: &str, observer: &dyn Observer) -> Option<R> {
        match self {
            Self::Whole(result, _) => Some(result),
            Self::Damaged(path) => {
                observer
                    .warn(&format!("{}: this file is damaged or missing; the run `{title}` {becomes}", path.display()));
                None
            }
            Self::Missing => None,
        }
    }
}

/// The text before a checksum.
const BEFORE: &str = "{\"sha256\":\"";
const BETWEEN: &str = "\",\"content\":";
const AFTER: &str = "}\n";

/// Returns a value as JSON with its checksum.
pub(super) fn seal(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string(value)
        .map_err(|error| UserError::new(format!("a file of the folder cannot be written as JSON: {error}")))?;
    Ok(format!("{BEFORE}{}{BETWEEN}{text}{AFTER}", hex(text.as_bytes())))
}

/// Returns the value in a sealed text, if its checksum is correct.
pub(super) fn unseal<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let text = std::str::from_utf8(bytes).ok()?.strip_prefix(BEFORE)?.strip_suffix(AFTER)?;
    let (sha256, content) = text.split_once(BETWEEN)?;
    (hex(content.as_bytes()) == sha256).then(|| serde_json::from_str(content).ok())?
}

/// Returns the SHA-256 in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    digits(Sha256::new_with_prefix(bytes))
}

/// Returns a checksum in hexadecimal digits.
pub(crate) fn digits(sum: Sha256) -> String {
    sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detail::{Rows, Value};
    use crate::network::PORTS;

    #[test]
    fn any_changed_byte_is_noticed() {
        let path = |kept: &Kept, name: &str| kept.runs.file(name);
        let folder = tempfile::tempdir().unwrap();
        let kept = Kept::open(&Folder::from(folder.path())).unwrap();
        let result = vec![Some(0.1), None, Some(12_345.678)];
        let ports = Rows::new(Some(&kept), "key").write(&PORTS, [[Value::Whole(1); 13]].into_iter());
        kept.keep("key", &result, ports.unwrap().into_iter().collect()).unwrap();
        let find = || match kept.find::<Vec<Option<f64>>>("key").unwrap() {
            Found::Whole(result, _) => Some(result),
            _ => None,
        };
        assert_eq!(find(), Some(result));
        for own in [path(&kept, &entry("key")), path(&kept, &part("key", "ports"))] {
            let whole = std::fs::read(&own).unwrap();
            for at in 0..whole.len() {
                let mut damaged = whole.clone();
                damaged[at] ^= 1;
                std::fs::write(&own, &damaged).unwrap();
                assert_eq!(find(), None, "byte {at} of {}", own.display());
                std::fs::write(&own, &whole[..at]).unwrap();
                assert_eq!(find(), None, "cut at {at} of {}", own.display());
            }
            std::fs::write(&own, &whole).unwrap();
            assert!(find().is_some());
        }
        // Under another name it is no run.
        std::fs::copy(path(&kept, &entry("key")), path(&kept, &entry("other"))).unwrap();
        assert!(matches!(kept.find::<serde_json::Value>("other").unwrap(), Found::Damaged(_)));
        // A damaged run gives way to a whole one.
        let other = tempfile::tempdir().unwrap();
        let other = Kept::open(&Folder::from(other.path())).unwrap();
        other.take("key", &kept).unwrap();
        std::fs::write(path(&other, &part("key", "ports")), "x").unwrap();
        other.take("key", &kept).unwrap();
        assert!(matches!(other.find::<serde_json::Value>("key").unwrap(), Found::Whole(..)));
        std::fs::remove_file(path(&kept, &part("key", "ports"))).unwrap();
        assert_eq!(find(), None);
    }
}
