//! A stream that is being written, under a name of its own: two runs that record in one folder do not mix, and what is cut short looks
//! like nothing whole.

use crate::output::beside;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The name of the file for now. It is removed if it never gets its own.
#[derive(Debug)]
pub(super) struct Unfinished(PathBuf);

impl Unfinished {
    /// Begins what will be called `name`, beside it.
    pub(super) fn create(name: &Path) -> io::Result<(Self, File)> {
        let (path, file) = beside::create(name)?;
        Ok((Self(path), file))
    }

    /// Gives it its name.
    pub(super) fn finish(self, name: &Path) -> io::Result<()> {
        fs::rename(&self.0, name)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // It has its name by now, or its name says what it is.
        let _still_there = fs::remove_file(&self.0);
    }
}
