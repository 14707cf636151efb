//! One command at a time: two commands at once would leave a mixture of both policies at a device.

use crate::kernel::error::{Error, Result};
use nix::fcntl::{Flock, FlockArg};
use std::fs::{File, create_dir_all};
use std::path::Path;

/// A lock: no other command reads or changes forebay's objects in the kernel until the lock is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: Flock<File>,
}

impl Lock {
    /// Waits until no other command holds the lock, and takes it.
    pub(crate) fn take(folder: &Path) -> Result<Self> {
        create_dir_all(folder).map_err(Error::file(folder))?;
        let path = folder.join("lock");
        let file = File::create(&path).map_err(Error::file(&path))?;
        match Flock::lock(file, FlockArg::LockExclusive) {
            Ok(file) => Ok(Self { _file: file }),
            Err((_, error)) => Err(Error::File { path, error: error.into() }),
        }
    }
}
