//! A file that is there as a whole or not at all, also if several processes write it, on this machine or another one.

use crate::error::{Result, UserError};
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How names of unfinished files end.
const ENDING: &str = "unfinished";

/// A file under a name of its own, which gets its right name when it is finished. If it never is, it is removed.
#[derive(Debug)]
pub(crate) struct Unfinished {
    file: File,
    path: PathBuf,
    to: PathBuf,
}

impl Unfinished {
    /// Begins a file that will be called `to`.
    pub(crate) fn begin(to: &Path) -> Result<Self> {
        loop {
            // Random, since processes of two machines may have one number.
            let number = RandomState::new().build_hasher().finish();
            let path = to.with_extension(format!("{number:016x}.{ENDING}"));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Self { file, path, to: to.to_owned() }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(UserError::io(to, "written", &error)),
            }
        }
    }

    /// The error of a write that failed.
    pub(crate) fn failed(&self, error: &io::Error) -> UserError {
        UserError::io(&self.to, "written", error)
    }

    /// Gives the file its name, in place of one that has it.
    pub(crate) fn finish(self) -> Result<()> {
        std::fs::rename(&self.path, &self.to).map_err(|error| self.failed(&error))
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // It has its name, or what is there of it is of no use.
        let _gone = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_there_as_a_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let names = || std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let to = folder.path().join("a.csv");
        let mut first = Unfinished::begin(&to).unwrap();
        let mut second = Unfinished::begin(&to).unwrap();
        first.write_all(b"first").unwrap();
        assert!(!to.exists() && names().count() == 2);
        first.finish().unwrap();
        second.write_all(b"second").unwrap();
        assert_eq!(std::fs::read(&to).unwrap(), b"first");
        drop(second);
        assert_eq!(names().collect::<Vec<_>>(), ["a.csv"]);
    }
}
