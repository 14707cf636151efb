//! Locks of folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The locks and their owners.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    held: BTreeMap<PathBuf, Vec<Held>>,
    last: u64,
}

#[derive(Debug)]
struct Held {
    lock: u64,
    process: usize,
    is_alone: bool,
}

impl Locks {
    /// Takes a shared lock of a folder; [`None`] if another process has an exclusive one.
    pub(crate) fn share(&mut self, folder: &Path, process: usize) -> Option<u64> {
        let is_closed = self.held.get(folder).is_some_and(|held| held.iter().any(|held| held.is_alone));
        (!is_closed).then(|| self.hold(folder, process, false))
    }

    /// Takes an exclusive lock of a folder; [`None`] if another process has a lock.
    pub(crate) fn alone(&mut self, folder: &Path, process: usize, ignores: bool) -> Option<u64> {
        let is_held = self.held.get(folder).is_some_and(|held| !held.is_empty());
        (ignores || !is_held).then(|| self.hold(folder, process, !ignores))
    }

    fn hold(&mut self, folder: &Path, process: usize, is_alone: bool) -> u64 {
        self.last += 1;
        self.held.entry(folder.to_owned()).or_default().push(Held { lock: self.last, process, is_alone });
        self.last
    }

    pub(crate) fn release(&mut self, folder: &Path, lock: u64) {
        if let Some(held) = self.held.get_mut(folder) {
            held.retain(|held| held.lock != lock);
        }
    }

    /// Releases the locks of a process that has ended.
    pub(crate) fn release_all(&mut self, process: usize) {
        self.held.values_mut().for_each(|held| held.retain(|held| held.process != process));
    }
}
