//! The parts of a machine that a deployment uses: programs and maps in the kernel, `tc` and `ip`, files, and the lock.
//! `this_machine.rs` has the one that this program runs on; tests simulate others.

use crate::kernel::control::Control;
use crate::kernel::counters::Counted;
use crate::kernel::error::Result;
use crate::kernel::policy::KernelPolicy;
use crate::kernel::program_actions::Does;
use std::fmt::Debug;
use std::io;
use std::path::Path;

/// The size of the map `control`, whose first 8 bytes are the version that packets arrive under.
pub const CONTROL_BYTES: usize = Control::SIZE;

/// The size of the map `counted`. Its last 8 bytes are 1 while a device has the discipline. Before its last 16 bytes are the
/// packets that wait, 4 bytes for each version.
pub const COUNTED_BYTES: usize = Counted::SIZE;

/// A lock that is held until it is dropped.
pub trait Held: Debug + Send {}

/// The output of a program of iproute2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Whether it did what it was asked.
    pub success: bool,
    /// Its standard output.
    pub output: String,
    /// Its standard error.
    pub error: String,
}

/// A machine on which policies are deployed.
pub trait Host: Debug + Send + Sync {
    /// Whether programs can be loaded at all.
    ///
    /// # Errors
    /// If something is missing.
    fn check(&self) -> Result<()>;

    /// Waits until no other command looks at what forebay has in the kernel, or changes it.
    ///
    /// # Errors
    /// If the lock cannot be made.
    fn lock(&self, folder: &Path) -> Result<Box<dyn Held>>;

    /// Runs `tc` or `ip` in a network namespace; `None`: that of this program.
    ///
    /// # Errors
    /// If it cannot be started.
    fn iproute(&self, netns: Option<&str>, program: &str, arguments: &[&str]) -> io::Result<Said>;

    /// Loads the queueing discipline, makes its kind known to the kernel, and pins it in a folder.
    ///
    /// # Errors
    /// If the kernel rejects it.
    fn load_discipline(&self, folder: &Path, kind: &str, object: &Path) -> Result<()>;

    /// Loads a version of the policy, attaches it to the discipline of the folder, and pins it in `vN` there; `names` are the numbers of
    /// its queues' names.
    ///
    /// # Errors
    /// If the kernel rejects it.
    fn load_policy(&self, folder: &Path, version: u32, policy: &KernelPolicy, names: &[u32]) -> Result<Does>;

    /// The value of a pinned map.
    ///
    /// # Errors
    /// If it cannot be read.
    fn read_map(&self, path: &Path) -> Result<Vec<u8>>;

    /// Gives a pinned map a value.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write_map(&self, path: &Path, value: &[u8]) -> Result<()>;

    /// Makes a folder, which must not be there.
    ///
    /// # Errors
    /// As those of files.
    fn make_folder(&self, path: &Path) -> io::Result<()>;

    /// Removes a folder with all that is in it.
    ///
    /// # Errors
    /// As those of files.
    fn remove_folder(&self, path: &Path) -> io::Result<()>;

    /// The names in a folder.
    ///
    /// # Errors
    /// As those of files.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>>;

    /// Whether a file or folder is there.
    fn exists(&self, path: &Path) -> bool;

    /// The text of a file.
    ///
    /// # Errors
    /// As those of files.
    fn read(&self, path: &Path) -> io::Result<String>;

    /// Makes a file, and its folder if that is missing.
    ///
    /// # Errors
    /// As those of files.
    fn write(&self, path: &Path, text: &str) -> io::Result<()>;

    /// Gives a file another name.
    ///
    /// # Errors
    /// As those of files.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// As those of files.
    fn remove_file(&self, path: &Path) -> io::Result<()>;
}
