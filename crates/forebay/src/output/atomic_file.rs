//! A file that exists as a whole or not at all, even if several processes write it, on this machine or another one.

use crate::disk::{Folder, Hold};
use crate::error::{Result, UserError};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

/// The ending of the names of unfinished files.
pub(super) const ENDING: &str = "unfinished";

/// The number of hexadecimal digits in the name of an unfinished file.
pub(super) const DIGITS: usize = 16;

/// A file with a temporary name, which gets its right name when it is finished. Otherwise it is removed.
pub(crate) struct Unfinished {
    file: Box<dyn Write + Send>,
    folder: Folder,
    unfinished: String,
    name: String,
    is_finished: bool,
    /// Keeps [`clean`] away.
    _hold: Hold,
}

impl Unfinished {
    /// Begins a file that will be called `name`.
    pub(crate) fn begin(folder: &Folder, name: &str) -> Result<Self> {
        let failed = |error| UserError::io(&folder.file(name), "written", &error);
        let hold = folder.disk().share(folder.path()).map_err(failed)?;
        loop {
            // Random, since processes of two machines may have one number.
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            let unfinished = format!("{stem}.{:0DIGITS$x}.{ENDING}", folder.disk().unique());
            match folder.disk().create(&folder.file(&unfinished)) {
                Ok(file) => {
                    let (folder, name) = (folder.clone(), name.to_owned());
                    return Ok(Self { file, folder, unfinished, name, is_finished: false, _hold: hold });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(error)),
            }
        }
    }

    /// Returns the error of a write that failed.
    pub(crate) fn failed(&self, error: &io::Error) -> UserError {
        UserError::io(&self.path(), "written", error)
    }

    /// Returns the path that the finished file will have.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.file(&self.name)
    }

    /// Gives the file its name, and replaces any file of that name. The file is then safe from a loss of power.
    pub(crate) fn finish(mut self) -> Result<()> {
        let disk = self.folder.disk();
        let synced = self.file.flush().and_then(|()| disk.sync_file(&self.folder.file(&self.unfinished)));
        synced.map_err(|error| self.failed(&error))?;
        self.rename()?;
        self.folder.disk().sync_folder(self.folder.path()).map_err(|error| self.failed(&error))
    }

    /// Gives the file its name as [`finish`](Self::finish), but makes it safe only if it replaces another file. A new file is safe only
    /// after it and its folder are [synced](crate::disk::Disk::sync_file). So an unsafe file never replaces one that may be safe. Returns
    /// the name.
    pub(crate) fn finish_unsafe(mut self) -> Result<String> {
        self.file.flush().map_err(|error| self.failed(&error))?;
        let (disk, name) = (self.folder.disk(), self.name.clone());
        // Where that is no `AlreadyExists`, the disk has no links.
        self.is_finished = disk.rename_new(&self.folder.file(&self.unfinished), &self.path()).is_ok();
        if !self.is_finished {
            self.finish()?;
        }
        Ok(name)
    }

    fn rename(&mut self) -> Result<()> {
        let renamed = self.folder.disk().rename(&self.folder.file(&self.unfinished), &self.path());
        self.is_finished = renamed.is_ok();
        renamed.map_err(|error| self.failed(&error))
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
        if !self.is_finished {
            // What is there of it is of no use, and the next run removes what this one cannot.
            let _gone = self.folder.remove(&self.unfinished);
        }
    }
}

/// Writes a file so that it exists as a whole or not at all.
pub(crate) fn write_at_once(folder: &Folder, name: &str, content: &[u8]) -> Result<()> {
    let mut file = Unfinished::begin(folder, name)?;
    file.write_all(content).map_err(|error| file.failed(&error))?;
    file.finish()
}

/// Removes unfinished files of programs that were killed, unless another process writes in the folder.
pub(crate) fn clean(folder: &Folder) -> Result<()> {
    let unreadable = |error: io::Error| UserError::io(folder.path(), "read", &error);
    let Some(_alone) = folder.disk().alone(folder.path()).map_err(unreadable)? else { return Ok(()) };
    folder.names()?.iter().filter(|name| is_unfinished(name)).try_for_each(|name| folder.remove(name))
}

/// Returns whether a file has the name of an unfinished one.
pub(super) fn is_unfinished(name: &str) -> bool {
    let number = name.strip_suffix(ENDING).and_then(|rest| rest.strip_suffix('.')?.rsplit_once('.'));
    number.is_some_and(|(_, number)| number.len() == DIGITS && number.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_there_as_a_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let names = || std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let to = folder.path().join("a.csv");
        let on = Folder::from(folder.path());
        let mut first = Unfinished::begin(&on, "a.csv").unwrap();
        let mut second = Unfinished::begin(&on, "a.csv").unwrap();
        first.write_all(b"first").unwrap();
        assert!(!to.exists() && names().count() == 2);
        first.finish().unwrap();
        second.write_all(b"second").unwrap();
        assert_eq!(std::fs::read(&to).unwrap(), b"first");
        drop(second);
        assert_eq!(names().collect::<Vec<_>>(), ["a.csv"]);
    }

    #[test]
    fn what_a_killed_program_has_left_is_removed_unless_somebody_writes() {
        let folder = tempfile::tempdir().unwrap();
        let on = Folder::from(folder.path());
        let mut killed = Unfinished::begin(&on, "a.csv").unwrap();
        killed.is_finished = true;
        let left = on.file(&killed.unfinished);
        clean(&on).unwrap();
        assert!(left.exists());
        drop(killed);
        for name in ["a.unfinished", "0123456789abcdef.unfinished", "a.0123456789abcdef.csv", "a.0123.unfinished"] {
            std::fs::write(on.file(name), "mine").unwrap();
        }
        clean(&on).unwrap();
        assert!(!left.exists());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4);
    }
}
