//! Files whose paths are recorded, so that a run does not overwrite the input of its scenario.

use super::{Files, Own};
use crate::detail;
use crate::error::{Result, UserError};
use forebay_traces::requests::HeldRequests;
use std::cell::RefCell;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Records the paths of the files that a scenario names.
pub(crate) struct Noted<'a> {
    inner: &'a dyn Files,
    paths: RefCell<Vec<PathBuf>>,
}

impl<'a> Noted<'a> {
    pub(crate) fn new(inner: &'a dyn Files) -> Self {
        Self { inner, paths: RefCell::default() }
    }

    /// Returns the paths.
    pub(crate) fn into_paths(self) -> Vec<PathBuf> {
        self.paths.into_inner()
    }

    fn note(&self, path: PathBuf) {
        let mut paths = self.paths.borrow_mut();
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
}

impl Files for Noted<'_> {
    fn open(&self, name: &str) -> Result<(String, Box<dyn Read + Send + '_>)> {
        let (place, input) = self.inner.open(name)?;
        self.note(PathBuf::from(&place));
        Ok((place, input))
    }

    fn path(&self, name: &str) -> PathBuf {
        let path = self.inner.path(name);
        self.note(path.clone());
        path
    }

    fn requests(&self, name: &str) -> Option<HeldRequests> {
        self.inner.requests(name)
    }

    fn own(&self) -> &Own {
        self.inner.own()
    }
}

/// Rejects a folder for results in which they would overwrite a file that the scenario reads.
pub(crate) fn refuse_overwriting(read: &[PathBuf], folder: &Path) -> Result<()> {
    let Ok(folder) = folder.canonicalize() else { return Ok(()) };
    for path in read {
        let Ok(real) = path.canonicalize() else { continue };
        let is_written = real.file_name().is_some_and(|name| detail::names().any(|own| name == own.as_str()));
        if is_written && real.parent() == Some(&folder) {
            let message =
                "the scenario reads this file, and its result would overwrite it; choose another folder for the result";
            return Err(UserError::at(path.display(), message));
        }
    }
    Ok(())
}
