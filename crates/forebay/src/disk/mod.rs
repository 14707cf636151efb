//! The disk that keeps results: the system's disk, or another one, such as a disk that loses power in a test.
//!
//! ```
//! use forebay::disk::{Disk, System};
//! use std::io::Read as _;
//!
//! let disk = System::default();
//! let folder = std::env::temp_dir().join(format!("forebay-disk-{}", std::process::id()));
//! disk.create_folders(&folder)?;
//! let (unfinished, path) = (folder.join("a.unfinished"), folder.join("a"));
//! disk.create(&unfinished)?.write_all(b"a result")?;
//! disk.sync_file(&unfinished)?;
//! disk.rename(&unfinished, &path)?;
//! disk.sync_folder(&folder)?;
//! let mut text = String::new();
//! disk.open(&path)?.read_to_string(&mut text)?;
//! assert_eq!(text, "a result");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod folder;
mod memory;
mod system;

pub use folder::Folder;
pub use memory::Memory;
pub use system::System;

use std::any::Any;
use std::fmt::Debug;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

/// A lock that is held until this value is dropped.
pub type Hold = Box<dyn Any + Send>;

/// The operations that forebay needs of a disk for results.
///
/// A written file survives a crash of the program. It survives a loss of power only after [`sync_file`](Self::sync_file), and its name only
/// after [`sync_folder`](Self::sync_folder).
pub trait Disk: Debug + Send + Sync {
    /// Makes a folder and all that it lies in, as far as they are missing, and makes their names safe.
    ///
    /// # Errors
    /// As the system says; so have all others.
    fn create_folders(&self, path: &Path) -> io::Result<()>;

    /// Begins a file, which must not be there.
    ///
    /// # Errors
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists) if it is there.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Write + Send>>;

    /// Opens a file for reading.
    ///
    /// # Errors
    /// [`NotFound`](io::ErrorKind::NotFound) if it does not exist.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Read + Send>>;

    /// The names of what is in a folder.
    ///
    /// # Errors
    /// If the system cannot say.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>>;

    /// Gives a file another name, in place of a file that has it.
    ///
    /// # Errors
    /// If the file keeps its name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Renames a file if no file has the new name.
    ///
    /// # Errors
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists) if one has it.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// If it stays, or does not exist.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes the content of a file safe from a loss of power.
    ///
    /// # Errors
    /// If that failed; the content may be lost then.
    fn sync_file(&self, path: &Path) -> io::Result<()>;

    /// Makes the names in a folder safe from a loss of power.
    ///
    /// # Errors
    /// If that failed.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;

    /// Makes the content of these files of a folder safe, and the names in it.
    ///
    /// # Errors
    /// If that failed for one of them.
    fn sync_all(&self, folder: &Path, names: &[String]) -> io::Result<()> {
        names.iter().try_for_each(|name| self.sync_file(&folder.join(name)))?;
        self.sync_folder(folder)
    }

    /// Says that unfinished files are in a folder as long as this is held. Waits while another process is [alone](Self::alone) there.
    ///
    /// # Errors
    /// If the folder cannot be opened.
    fn share(&self, folder: &Path) -> io::Result<Hold>;

    /// Keeps others from beginning files in a folder, if no other process [shares](Self::share) it. [`None`] if one does, or if the disk
    /// cannot say.
    ///
    /// # Errors
    /// If the folder cannot be opened.
    fn alone(&self, folder: &Path) -> io::Result<Option<Hold>>;

    /// A number that no other process is likely to get, on any machine.
    fn unique(&self) -> u64;

    /// The time since some fixed moment.
    fn now(&self) -> Duration;
}
