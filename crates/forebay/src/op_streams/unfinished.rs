//! A stream that is being written, under a name of its own: two runs that record in one folder do not mix, and what is cut short looks
//! like nothing whole.

use std::fs::{self, File};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The name of the file for now. It is removed if it never gets its own.
#[derive(Debug)]
pub(super) struct Unfinished(PathBuf);

impl Unfinished {
    /// Begins what will be called `name`, beside it.
    pub(super) fn create(name: &Path) -> io::Result<(Self, File)> {
        loop {
            let number = RandomState::new().build_hasher().finish();
            let path = name.with_extension(format!("{number:016x}.unfinished"));
            match File::create_new(&path) {
                Ok(file) => return Ok((Self(path), file)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
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
