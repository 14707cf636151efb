//! A folder on a disk.

use super::{Disk, System};
use crate::error::{Result, UserError};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// No result that is read at once is as large.
const MOST_BYTES: u64 = 1 << 28;

/// A folder of results, on the system's disk or another one.
#[derive(Debug, Clone)]
pub struct Folder {
    disk: Arc<dyn Disk>,
    path: PathBuf,
}

impl Folder {
    /// Returns the folder at this path of a disk. It need not exist.
    pub fn on(disk: Arc<dyn Disk>, path: impl Into<PathBuf>) -> Self {
        Self { disk, path: path.into() }
    }

    /// Returns the folder's path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the disk that holds the folder.
    pub(crate) fn disk(&self) -> &dyn Disk {
        &*self.disk
    }

    /// Returns the folder of this name inside the folder.
    pub(crate) fn within(&self, name: &str) -> Self {
        Self { disk: Arc::clone(&self.disk), path: self.path.join(name) }
    }

    /// Returns the path of a file in the folder.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Creates the folder if it does not exist, so that a wrong path is found before the first run.
    pub(crate) fn create(&self) -> Result<()> {
        self.disk.create_folders(&self.path).map_err(|error| UserError::io(&self.path, "created as a folder", &error))
    }

    /// Opens a file in the folder for reading; returns [`None`] if it does not exist.
    pub(crate) fn open(&self, name: &str) -> Result<Option<Box<dyn Read + Send>>> {
        match self.disk.open(&self.file(name)) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.unreadable(name, &error)),
        }
    }

    /// Returns the content of a file in the folder, or the start of a file that is too large to be a result; [`None`] if it does not exist.
    pub(crate) fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(mut file) = self.open(name)? else { return Ok(None) };
        let mut content = Vec::new();
        file.by_ref().take(MOST_BYTES).read_to_end(&mut content).map_err(|error| self.unreadable(name, &error))?;
        Ok(Some(content))
    }

    /// Returns the names of the files and folders in the folder.
    pub(crate) fn names(&self) -> Result<Vec<String>> {
        self.disk.names(&self.path).map_err(|error| UserError::io(&self.path, "read", &error))
    }

    /// Removes a file from the folder, if it still exists.
    pub(crate) fn remove(&self, name: &str) -> Result<()> {
        let path = self.file(name);
        match self.disk.remove(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(|error| UserError::io(&path, "removed", &error)),
        }
    }

    /// Returns the error of a read that failed.
    pub(crate) fn unreadable(&self, name: &str, error: &io::Error) -> UserError {
        UserError::io(&self.file(name), "read", error)
    }
}

impl<P: AsRef<Path> + ?Sized> From<&P> for Folder {
    /// A folder on the system's disk.
    fn from(path: &P) -> Self {
        Self::on(Arc::new(System), path.as_ref())
    }
}
