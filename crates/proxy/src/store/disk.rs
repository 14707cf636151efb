//! The folder of a store: its files, and what may be trusted after a crash.
//!
//! Each answer has two files, `NAME.ID.body` and `NAME.meta`, in one of 256 folders; NAME is the hash of its key, ID the
//! number of this generation of the answer. A body is complete before the metadata that name it are renamed into place.
//! The files of a run that was killed can be used again. After a crash of the whole machine they cannot, since files
//! may then lack bytes that were never written. So the store notes in which boot of the machine it ran, and whether it
//! was closed.

use super::body::Body;
use super::files::{Content, decode, encode};
use crate::failure::StartError;
use pingora_cache::eviction::CacheEntryKey;
use pingora_cache::key::CacheHashKey;
use pingora_core::{ErrorType, OrErr, Result};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;

/// The file that says in which boot a run used the folder, and whether it was closed.
const STATE: &str = "state";
/// The number that the kernel gives each boot.
const BOOT: &str = "/proc/sys/kernel/random/boot_id";

/// A folder with stored answers.
pub(super) struct Disk {
    folder: PathBuf,
    /// Locked as long as the folder is in use.
    _lock: fs::File,
}

/// An answer that an earlier run has left.
pub(crate) struct Kept {
    pub(crate) entry: CacheEntryKey,
    pub(crate) meta: (Vec<u8>, Vec<u8>),
    pub(crate) body: Body,
}

impl Kept {
    /// Its size as the manager counts it.
    pub(crate) fn size(&self) -> u64 {
        super::size(&self.meta, self.body.len())
    }
}

/// A body on its way into a file.
pub(super) struct Part {
    folder: PathBuf,
    entry: CacheEntryKey,
    file: File,
    path: PathBuf,
    is_finished: bool,
}

impl Disk {
    /// Opens a folder, and reads what an earlier run has left.
    pub(super) fn open(folder: &Path) -> Result<(Self, Vec<Kept>), StartError> {
        let fault = |path: &Path, fix| {
            let path = path.to_owned();
            move |error| StartError::File { path, error, fix }
        };
        const FIX: &str = "choose a folder that this user may write, with `disk` in [storage] or --disk";
        fs::create_dir_all(folder).map_err(fault(folder, FIX))?;
        let lock_path = folder.join("lock");
        let lock = fs::File::create(&lock_path).map_err(fault(&lock_path, FIX))?;
        lock.try_lock().map_err(|error| StartError::File {
            path: lock_path,
            error: error.into(),
            fix: "another forebay-proxy uses this folder: stop it, or choose another folder",
        })?;
        let trusted = is_trusted(folder);
        fs::write(folder.join(STATE), format!("{}\nopen\n", boot())).map_err(fault(folder, FIX))?;
        let mut kept = Vec::new();
        for index in 0..=u8::MAX {
            let folder = folder.join(format!("{index:02x}"));
            fs::create_dir_all(&folder).map_err(fault(&folder, FIX))?;
            read(&folder, trusted, &mut kept).map_err(fault(&folder, FIX))?;
        }
        Ok((Self { folder: folder.to_owned(), _lock: lock }, kept))
    }

    pub(super) fn close(&self) {
        // Written, then noted as written.
        let synced = fs::File::open(&self.folder).and_then(|folder| {
            rustix::fs::syncfs(&folder)?;
            fs::write(self.folder.join(STATE), format!("{}\nclosed\n", boot()))
        });
        if let Err(error) = synced {
            log::warn!("{}: {error}; the next run starts empty if the machine stops now", self.folder.display());
        }
    }

    pub(super) async fn begin(&self, entry: &CacheEntryKey) -> Result<Part> {
        let path = self.body(entry);
        let file = File::create(&path).await.or_err(ErrorType::FileCreateError, "file for a body")?;
        Ok(Part { folder: self.folder.clone(), entry: entry.clone(), file, path, is_finished: false })
    }

    pub(super) async fn write_meta(&self, entry: &CacheEntryKey, meta: &(Vec<u8>, Vec<u8>), length: u64) -> Result<()> {
        write_meta(&self.folder, entry, meta, length).await
    }

    /// Removes the files of an answer. A missing file is no error.
    pub(super) async fn remove(&self, entry: &CacheEntryKey) {
        let _ = tokio::fs::remove_file(self.meta(entry)).await;
        self.remove_body(entry).await;
    }

    /// Removes the body of an answer whose metadata another generation has replaced.
    pub(super) async fn remove_body(&self, entry: &CacheEntryKey) {
        let _ = tokio::fs::remove_file(self.body(entry)).await;
    }

    /// The same, before there is a runtime.
    pub(super) fn remove_now(&self, entry: &CacheEntryKey) {
        let _ = fs::remove_file(self.meta(entry));
        let _ = fs::remove_file(self.body(entry));
    }

    fn meta(&self, entry: &CacheEntryKey) -> PathBuf {
        path(&self.folder, entry, "meta")
    }

    fn body(&self, entry: &CacheEntryKey) -> PathBuf {
        path(&self.folder, entry, &format!("{}.body", entry.entry_id().map_or(0, |id| id.get())))
    }
}

impl Part {
    pub(super) async fn write(&mut self, data: &[u8]) -> Result<()> {
        self.file.write_all(data).await.or_err(ErrorType::FileWriteError, "stored body")
    }

    pub(super) async fn finish(mut self, meta: &(Vec<u8>, Vec<u8>), length: u64) -> Result<Body> {
        self.file.flush().await.or_err(ErrorType::FileWriteError, "stored body")?;
        write_meta(&self.folder, &self.entry, meta, length).await?;
        self.is_finished = true;
        Ok(Body::File(Arc::from(self.path.as_path()), length))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.is_finished {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn path(folder: &Path, entry: &CacheEntryKey, end: &str) -> PathBuf {
    let name = entry.key().combined();
    folder.join(&name[..2]).join(format!("{name}.{end}"))
}

async fn write_meta(folder: &Path, entry: &CacheEntryKey, meta: &(Vec<u8>, Vec<u8>), length: u64) -> Result<()> {
    let content = encode(entry, meta, length).or_err(ErrorType::InternalError, "metadata of a stored answer")?;
    let id = entry.entry_id().map_or(0, |id| id.get());
    let part = path(folder, entry, &format!("{id}.part"));
    tokio::fs::write(&part, content).await.or_err(ErrorType::FileWriteError, "metadata of a stored answer")?;
    let name = path(folder, entry, "meta");
    tokio::fs::rename(&part, &name).await.or_err(ErrorType::FileWriteError, "metadata of a stored answer")
}

fn boot() -> String {
    fs::read_to_string(BOOT).unwrap_or_default().trim().to_owned()
}

/// Whether all bytes of all files are there.
fn is_trusted(folder: &Path) -> bool {
    let Ok(state) = fs::read_to_string(folder.join(STATE)) else { return false };
    let mut lines = state.lines();
    let same_boot = lines.next().is_some_and(|before| !before.is_empty() && before == boot());
    same_boot || lines.next() == Some("closed")
}

/// Reads one of the folders, and removes files without a whole answer.
fn read(folder: &Path, trusted: bool, kept: &mut Vec<Kept>) -> io::Result<()> {
    let mut bodies = Vec::new();
    let mut used = Vec::new();
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        match path.extension().and_then(|end| end.to_str()) {
            Some("body") => bodies.push(path),
            Some("meta") if trusted => {
                let content = fs::read(&path).ok().and_then(|file| decode(&file));
                if let Some((body, found)) = content.and_then(|content| whole(folder, content)) {
                    used.push(body);
                    kept.push(found);
                } else {
                    fs::remove_file(&path)?;
                }
            }
            Some("meta" | "part") => fs::remove_file(&path)?,
            // Not ours.
            _ => {}
        }
    }
    used.sort_unstable();
    for body in bodies {
        if used.binary_search(&body).is_err() {
            fs::remove_file(&body)?;
        }
    }
    Ok(())
}

/// An answer, if its body is there at its full length.
fn whole(folder: &Path, content: Content) -> Option<(PathBuf, Kept)> {
    let Content { entry, meta, length } = content;
    let id = entry.entry_id()?.get();
    let body = folder.join(format!("{}.{id}.body", entry.key().combined()));
    (fs::metadata(&body).ok()?.len() == length).then_some(())?;
    let kept = Kept { entry, meta, body: Body::File(Arc::from(body.as_path()), length) };
    Some((body, kept))
}
