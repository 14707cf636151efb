//! The system's disk.

use super::{Disk, Hold};
use forebay_clock::{Clock as _, MonotonicClock};
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

/// The disk of the operating system.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct System;

/// The folder that a file is in.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

/// The number of files from which syncing the whole disk is faster than syncing each file.
#[cfg(target_os = "linux")]
const MANY: usize = 16;

/// Starts with the first question.
static CLOCK: OnceLock<MonotonicClock> = OnceLock::new();

impl Disk for System {
    fn create_folders(&self, path: &Path) -> io::Result<()> {
        let missing: Vec<&Path> = path.ancestors().take_while(|folder| !folder.exists()).collect();
        fs::create_dir_all(path)?;
        for made in missing {
            // Somebody else's folder may be closed to this user; its names are safe a little later then.
            let _synced = self.sync_folder(parent(made));
        }
        Ok(())
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Write + Send>> {
        Ok(Box::new(OpenOptions::new().write(true).create_new(true).open(path)?))
    }

    /// A pipe, which could make this wait for ever, or another special file is rejected.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        let kind = fs::metadata(path)?;
        if !kind.is_file() && !kind.is_dir() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a pipe or device, not a file"));
        }
        Ok(Box::new(File::open(path)?))
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)?;
        fs::remove_file(from)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        // Windows syncs only what may be written.
        OpenOptions::new().read(true).write(cfg!(windows)).open(path)?.sync_all()
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        // Elsewhere a folder is no file that can be opened.
        if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
    }

    #[cfg(target_os = "linux")]
    fn sync_all(&self, folder: &Path, names: &[String]) -> io::Result<()> {
        if names.len() >= MANY {
            // All of the disk at once, since each file alone waits for it.
            return Ok(rustix::fs::syncfs(File::open(folder)?)?);
        }
        names.iter().try_for_each(|name| self.sync_file(&folder.join(name)))?;
        self.sync_folder(folder)
    }

    fn share(&self, folder: &Path) -> io::Result<Hold> {
        if !cfg!(unix) {
            return Ok(Box::new(()));
        }
        let folder = File::open(folder)?;
        // A disk without locks lets nobody be alone, so nothing is lost without this one.
        let _locked = folder.lock_shared();
        Ok(Box::new(folder))
    }

    fn alone(&self, folder: &Path) -> io::Result<Option<Hold>> {
        if !cfg!(unix) {
            return Ok(None);
        }
        let folder = File::open(folder)?;
        Ok(folder.try_lock().is_ok().then(|| -> Hold { Box::new(folder) }))
    }

    fn unique(&self) -> u64 {
        RandomState::new().build_hasher().finish()
    }

    fn now(&self) -> Duration {
        CLOCK.get_or_init(MonotonicClock::start).now()
    }
}
