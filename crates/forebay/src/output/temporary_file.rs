//! Files that have a temporary name, which no other process uses, until they are complete.
//!
//! ```
//! use forebay::output::temporary_file::Unfinished;
//! use std::io::Write as _;
//!
//! let folder = std::env::temp_dir().join(format!("forebay-beside-{}", std::process::id()));
//! std::fs::create_dir(&folder)?;
//! let name = folder.join("trace.csv");
//! let (unfinished, mut file) = Unfinished::create(&name)?;
//! file.write_all(b"slot,key\n")?;
//! unfinished.finish(&name)?;
//! assert_eq!(std::fs::read_to_string(&name)?, "slot,key\n");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), std::io::Error>(())
//! ```

use super::atomic_file::{DIGITS, ENDING, is_unfinished};
use std::fs::{self, File};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// An incomplete file. It is removed when this value is dropped. If the program was killed first, the next writer of a file of the same
/// name removes it.
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
    /// Locked as long as a process writes.
    _lock: File,
}

impl Unfinished {
    /// Begins a file that will be called `name`.
    ///
    /// # Errors
    /// If no file can be made there.
    pub fn create(name: &Path) -> io::Result<(Self, File)> {
        // Where a folder cannot be read, a file can be made all the same.
        let _cleaned = clean(name);
        loop {
            let number = RandomState::new().build_hasher().finish();
            let path = name.with_added_extension(format!("{number:0DIGITS$x}.{ENDING}"));
            let file = match File::create_new(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                made => made?,
            };
            // A disk without locks cleans nothing.
            let is_locked_by_another =
                cfg!(unix) && file.try_lock().is_err_and(|why| matches!(why, fs::TryLockError::WouldBlock));
            // Somebody who cleans may have been faster than the lock.
            if !is_locked_by_another && path.exists() {
                return Ok((Self { path, _lock: file.try_clone()? }, file));
            }
        }
    }

    /// Returns the temporary path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the complete file its name.
    ///
    /// # Errors If it cannot have this name.
    pub fn finish(self, name: &Path) -> io::Result<()> {
        fs::rename(&self.path, name)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // It has its name by now, or its name says what it is.
        let _still_there = fs::remove_file(&self.path);
    }
}

/// Removes what nobody writes any more of what was to be called `name`.
fn clean(name: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let begins = name.file_name().unwrap_or_default().as_encoded_bytes();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let other = entry.file_name();
        let rest = other.as_encoded_bytes().strip_prefix(begins).unwrap_or_default();
        let is_left = std::str::from_utf8(rest).is_ok_and(is_unfinished) && entry.file_type()?.is_file();
        let file = if is_left { File::open(entry.path()).ok() } else { None };
        if let Some(file) = file
            && file.try_lock().is_ok()
        {
            // Whoever else cleans may have done it.
            let _gone = fs::remove_file(entry.path());
        }
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn what_a_killed_program_has_left_is_removed_and_what_others_write_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("t.csv");
        let there = |name: &str| folder.path().join(name).exists();
        for other in ["t.csv.0123456789abcdef.unfinished", "t.csv.12.unfinished", "u.csv.0123456789abcdef.unfinished"] {
            fs::write(folder.path().join(other), "half").unwrap();
        }
        let (one, mut file) = Unfinished::create(&name).unwrap();
        assert!(!there("t.csv.0123456789abcdef.unfinished"));
        assert!(there("t.csv.12.unfinished") && there("u.csv.0123456789abcdef.unfinished"));
        let (two, _) = Unfinished::create(&name).unwrap();
        assert!(one.path().exists() && two.path().exists());
        file.write_all(b"whole").unwrap();
        drop(file);
        // Closed, and still not finished.
        drop(Unfinished::create(&name).unwrap());
        one.finish(&name).unwrap();
        assert_eq!(fs::read_to_string(&name).unwrap(), "whole");
        let path = two.path().to_owned();
        drop(two);
        assert!(!path.exists());
    }
}
