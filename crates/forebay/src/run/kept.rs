//! Finished runs in a folder, under a key of everything that they depend on. Any number of processes may share the folder.
//!
//! `runs/KEY.json` is written last and at once, by renaming, so it stands for all files of its run. It has a checksum of itself and
//! of the run's parts of detail tables beside it. A file that does not match is damaged: the run is named and made again.

use super::VERSION;
use crate::detail::Part;
use crate::error::{Result, UserError};
use crate::observer::Observer;
use crate::output::folder;
use crate::output::unfinished::Unfinished;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Hexadecimal digits of a key: 64 bits, so that no two of 100,000 runs will share one.
pub(crate) const KEY_DIGITS: usize = 16;

/// Bytes of a part that are in memory at one time.
const AT_A_TIME: usize = 1 << 16;

/// The folder of finished runs.
#[derive(Debug)]
pub(crate) struct Kept {
    folder: PathBuf,
}

/// A run as it is kept.
#[derive(Serialize, Deserialize)]
struct Entry<R> {
    forebay: String,
    /// What it is kept under, so that a copy under another name is noticed.
    key: String,
    /// SHA-256 of its part of each detail table.
    parts: BTreeMap<String, String>,
    result: R,
}

impl Kept {
    /// Makes the folder if need be.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let kept = Self { folder: folder.to_owned() };
        folder::create(&kept.folder.join("runs"))?;
        Ok(kept)
    }

    /// A folder that is only read.
    pub(crate) fn existing(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The folder that it is in.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join("runs").join(format!("{key}.json"))
    }

    /// Where the part of a detail table is kept that a run has written.
    pub(crate) fn part(&self, key: &str, table: &str) -> PathBuf {
        self.folder.join("runs").join(format!("{key}-{table}.csv"))
    }

    /// A run that has finished before, or why there is none.
    ///
    /// # Errors
    /// If there is a file that cannot be read.
    pub(crate) fn find<R: DeserializeOwned>(&self, key: &str) -> Result<Found<R>> {
        let path = self.path(key);
        let Some(bytes) = read_if_there(&path)? else { return Ok(Found::Missing) };
        let damaged = |path: &Path| Ok(Found::Damaged(path.to_owned()));
        let Some(entry) = unseal::<Entry<R>>(&bytes).filter(|entry| entry.key == key) else { return damaged(&path) };
        for (table, sha256) in &entry.parts {
            let path = self.part(key, table);
            if sum_if_there(&path)?.as_ref() != Some(sha256) {
                return damaged(&path);
            }
        }
        Ok(Found::Whole(entry.result, entry.parts.into_keys().collect()))
    }

    /// Keeps a run: first its parts of detail tables.
    pub(crate) fn keep<R: Serialize>(&self, key: &str, result: &R, parts: Vec<Part>) -> Result<()> {
        let mut sums = BTreeMap::new();
        for Part { table, file, sum } in parts {
            file.finish()?;
            sums.insert(table.to_owned(), digits(sum));
        }
        let entry = Entry { forebay: VERSION.to_owned(), key: key.to_owned(), parts: sums, result };
        folder::write_at_once(&self.path(key), seal(&entry)?.as_bytes())
    }

    /// Takes a run from another folder, if that has it whole. A whole run that is here stays.
    pub(crate) fn take(&self, key: &str, other: &Self) -> Result<()> {
        if other.folder == self.folder || matches!(self.find::<serde_json::Value>(key)?, Found::Whole(..)) {
            return Ok(());
        }
        let Found::Whole(_, parts) = other.find::<serde_json::Value>(key)? else { return Ok(()) };
        parts.iter().try_for_each(|table| copy(&other.part(key, table), &self.part(key, table)))?;
        copy(&other.path(key), &self.path(key))
    }
}

/// What a folder has under a key.
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
    /// The run, if it is whole. The observer hears of a damaged one called `title`, and what becomes of it.
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

/// The content of a file, if there is one.
fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(UserError::io(path, "read", &error)),
    }
}

/// The checksum of a file, if there is one.
fn sum_if_there(path: &Path) -> Result<Option<String>> {
    let unreadable = |error: io::Error| UserError::io(path, "read", &error);
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    let (mut sum, mut buffer) = (Sha256::new(), vec![0; AT_A_TIME]);
    loop {
        match file.read(&mut buffer).map_err(unreadable)? {
            0 => return Ok(Some(digits(sum))),
            read => sum.update(&buffer[..read]),
        }
    }
}

/// Copies a file, which may be large.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let unreadable = |error: io::Error| UserError::io(from, "read", &error);
    let (mut source, mut copy) = (File::open(from).map_err(unreadable)?, Unfinished::begin(to)?);
    let mut buffer = vec![0; AT_A_TIME];
    loop {
        match source.read(&mut buffer).map_err(unreadable)? {
            0 => return copy.finish(),
            read => copy.write_all(&buffer[..read]).map_err(|error| copy.failed(&error))?,
        }
    }
}

/// What stands around a checksum and what it is of.
const BEFORE: &str = "{\"sha256\":\"";
const BETWEEN: &str = "\",\"content\":";
const AFTER: &str = "}\n";

/// A value as JSON with its checksum.
pub(super) fn seal(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string(value)
        .map_err(|error| UserError::new(format!("a file of the folder cannot be written as JSON: {error}")))?;
    Ok(format!("{BEFORE}{}{BETWEEN}{text}{AFTER}", hex(text.as_bytes())))
}

/// The value in a sealed text, if its checksum holds.
pub(super) fn unseal<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let text = std::str::from_utf8(bytes).ok()?.strip_prefix(BEFORE)?.strip_suffix(AFTER)?;
    let (sha256, content) = text.split_once(BETWEEN)?;
    (hex(content.as_bytes()) == sha256).then(|| serde_json::from_str(content).ok())?
}

/// SHA-256 in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    digits(Sha256::new_with_prefix(bytes))
}

/// A checksum in hexadecimal digits.
fn digits(sum: Sha256) -> String {
    sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detail::{Rows, Value};
    use crate::network::PORTS;

    #[test]
    fn any_changed_byte_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let kept = Kept::open(folder.path()).unwrap();
        let result = vec![Some(0.1), None, Some(12_345.678)];
        let ports = Rows::new(Some(&kept), "key").write(&PORTS, [[Value::Whole(1); 13]].into_iter());
        kept.keep("key", &result, ports.unwrap().into_iter().collect()).unwrap();
        let find = || match kept.find::<Vec<Option<f64>>>("key").unwrap() {
            Found::Whole(result, _) => Some(result),
            _ => None,
        };
        assert_eq!(find(), Some(result));
        for path in [kept.path("key"), kept.part("key", "ports")] {
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
        // Under another name it is no run.
        std::fs::copy(kept.path("key"), kept.path("other")).unwrap();
        assert!(matches!(kept.find::<serde_json::Value>("other").unwrap(), Found::Damaged(_)));
        // A damaged run gives way to a whole one.
        let other = tempfile::tempdir().unwrap();
        let other = Kept::open(other.path()).unwrap();
        other.take("key", &kept).unwrap();
        std::fs::write(other.part("key", "ports"), "x").unwrap();
        other.take("key", &kept).unwrap();
        assert!(matches!(other.find::<serde_json::Value>("key").unwrap(), Found::Whole(..)));
        std::fs::remove_file(kept.part("key", "ports")).unwrap();
        assert_eq!(find(), None);
    }
}
