//! A disk in memory, for programs that have no other one, such as a page in a browser.

use super::{Disk, Hold};
use std::collections::BTreeMap;
use std::io::{self, Cursor, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

type Content = Arc<Mutex<Vec<u8>>>;

/// Files in memory that live until the last copy of this value is dropped.
///
/// ```
/// use forebay::disk::{Disk, Memory};
/// use std::path::Path;
///
/// let disk = Memory::default();
/// disk.create(Path::new("out/a.csv"))?.write_all(b"1,2\n")?;
/// assert_eq!(disk.content(Path::new("out/a.csv")).as_deref(), Some(&b"1,2\n"[..]));
/// assert_eq!(disk.names(Path::new("out"))?, ["a.csv"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Memory {
    files: Arc<Mutex<BTreeMap<PathBuf, Content>>>,
}

/// Nothing panics while a lock is held, and a map of files has no half-made state.
fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Memory {
    /// Returns the content of a file, if it exists.
    #[must_use]
    pub fn content(&self, path: &Path) -> Option<Vec<u8>> {
        locked(&self.files).get(path).map(|content| locked(content).clone())
    }

    fn named(&self, path: &Path) -> io::Result<Content> {
        locked(&self.files).get(path).cloned().ok_or_else(|| ErrorKind::NotFound.into())
    }
}

/// A file that is being written.
struct Writing(Content);

impl Write for Writing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        locked(&self.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Disk for Memory {
    fn create_folders(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Write + Send>> {
        let mut files = locked(&self.files);
        if files.contains_key(path) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let content = Content::default();
        files.insert(path.to_owned(), Arc::clone(&content));
        Ok(Box::new(Writing(content)))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        let content = locked(&*self.named(path)?).clone();
        Ok(Box::new(Cursor::new(content)))
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let files = locked(&self.files);
        let here = files.keys().filter(|path| path.parent() == Some(folder));
        Ok(here.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut files = locked(&self.files);
        let content = files.remove(from).ok_or(ErrorKind::NotFound)?;
        files.insert(to.to_owned(), content);
        Ok(())
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        if locked(&self.files).contains_key(to) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        self.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        locked(&self.files).remove(path).map(drop).ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn sync_file(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn share(&self, _: &Path) -> io::Result<Hold> {
        Ok(Box::new(()))
    }

    fn alone(&self, _: &Path) -> io::Result<Option<Hold>> {
        Ok(None)
    }

    /// No other process has this disk.
    fn unique(&self) -> u64 {
        locked(&self.files).len() as u64
    }

    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_its_content_under_its_last_name() {
        let disk = Memory::default();
        let (from, to) = (Path::new("a/one"), Path::new("a/two"));
        disk.create(from).unwrap().write_all(b"text").unwrap();
        assert_eq!(disk.create(from).err().map(|error| error.kind()), Some(ErrorKind::AlreadyExists));
        disk.rename(from, to).unwrap();
        assert_eq!(disk.open(from).err().map(|error| error.kind()), Some(ErrorKind::NotFound));
        disk.create(from).unwrap();
        assert_eq!(disk.rename_new(from, to).unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(disk.names(Path::new("a")).unwrap(), ["one", "two"]);
        disk.remove(to).unwrap();
        assert!(disk.content(to).is_none() && disk.remove(to).is_err());
    }
}
