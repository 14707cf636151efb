//! The parts of a machine that a deployment uses: programs and maps in the kernel, `tc` and `ip`, files, and the lock. `this_machine.rs`
//! implements the machine that this program runs on; tests simulate others.

use crate::kernel::control::Control;
use crate::kernel::counters::Counted;
use crate::kernel::error::Result;
use crate::kernel::policy::KernelPolicy;
use crate::kernel::program_actions::Does;
use std::fmt::Debug;
use std::io;
use std::path::Path;

/// The size of the map `control`. Its first 8 bytes are the version that enqueues arriving packets.
pub const CONTROL_BYTES: usize = Control::SIZE;

/// The size of the map `counted`. Its last 8 bytes are 1 while a device has the discipline. Its last 16 bytes follow the numbers of queued
/// packets, 4 bytes for each version.
pub const COUNTED_BYTES: usize = Counted::SIZE;

/// A lock that is held until it is dropped.
pub trait Held: Debug + Send {}

/// The output of a program of iproute2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Whether the program succeeded.
    pub success: bool,
    /// Its standard output.
    pub output: String,
    /// Its standard error.
    pub error: String,
}

/// A machine on which policies are deployed.
pub trait Host: Debug + Send + Sync {
    /// Checks whether this machine can load programs at all.
    ///
    /// # Errors
    /// If a requirement is missing.
    fn check(&self) -> Result<()>;

    /// Waits until no other command reads or changes forebay's objects in the kernel, and returns the lock.
    ///
    /// # Errors
    /// If the lock cannot be created.
    fn lock(&self, folder: &Path) -> Result<Box<dyn Held>>;

    /// Runs `tc` or `ip` in a network namespace; `None` is that of this program.
    ///
    /// # Errors
    /// If the program cannot be started.
    fn iproute(&self, netns: Option<&str>, program: &str, arguments: &[&str]) -> io::Result<Said>;

    /// Loads the queueing discipline, registers its kind with the kernel, and pins it in a folder.
    ///
    /// # Errors
    /// If the kernel rejects it.
    fn load_discipline(&self, folder: &Path, kind: &str, object: &Path) -> Result<()>;

    /// Loads a version of the policy, attaches it to the discipline of the folder, and pins it in `vN` there. `names` are the numbers of
    /// its queues' names.
    ///
    /// # Errors
    /// If the kernel rejects it.
    fn load_policy(&self, folder: &Path, version: u32, policy: &KernelPolicy, names: &[u32]) -> Result<Does>;

    /// Returns the value of a pinned map.
    ///
    /// # Errors
    /// If the map cannot be read.
    fn read_map(&self, path: &Path) -> Result<Vec<u8>>;

    /// Writes the value of a pinned map.
    ///
    /// # Errors
    /// If the map cannot be written.
    fn write_map(&self, path: &Path, value: &[u8]) -> Result<()>;

    /// Creates a folder, which must not exist.
    ///
    /// # Errors
    /// As for operations on files.
    fn make_folder(&self, path: &Path) -> io::Result<()>;

    /// Removes a folder with its contents.
    ///
    /// # Errors
    /// As for operations on files.
    fn remove_folder(&self, path: &Path) -> io::Result<()>;

    /// Returns the names in a folder.
    ///
    /// # Errors
    /// As for operations on files.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>>;

    /// Whether a file or folder exists.
    fn exists(&self, path: &Path) -> bool;

    /// Returns the text of a file.
    ///
    /// # Errors
    /// As for operations on files.
    fn read(&self, path: &Path) -> io::Result<String>;

    /// Writes a file, and creates its folder if that is missing.
    ///
    /// # Errors
    /// As for operations on files.
    fn write(&self, path: &Path, text: &str) -> io::Result<()>;

    /// Renames a file.
    ///
    /// # Errors
    /// As for operations on files.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// As for operations on files.
    fn remove_file(&self, path: &Path) -> io::Result<()>;
}
