//! What a deployment asks of a machine: programs and maps in the kernel, `tc` and `ip`, files, and the lock. [`Machine`] is the one that this
//! program runs on; tests simulate others.

use crate::kernel::control::Control;
use crate::kernel::counters::Counted;
use crate::kernel::device::Device;
use crate::kernel::does::Does;
use crate::kernel::error::{Error, Result};
use crate::kernel::lock::Lock;
use crate::kernel::policy::Policy;
use crate::kernel::{loader, needs};
use std::fmt::Debug;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

/// The size of the map `control`, whose first 8 bytes are the version that packets arrive under.
pub const CONTROL_BYTES: usize = Control::SIZE;

/// The size of the map `counted`, whose last 8 bytes are 1 while a device has the discipline, and before whose last 16 bytes are the
/// packets that wait, 4 bytes for each version.
pub const COUNTED_BYTES: usize = Counted::SIZE;

/// What is held until it is dropped.
pub trait Held: Debug + Send {}

/// What a program of iproute2 has said.
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
    /// What is missing.
    fn check(&self) -> Result<()>;

    /// Waits until no other command looks at what forebay has in the kernel, or changes it.
    ///
    /// # Errors
    /// If the lock cannot be made.
    fn lock(&self, folder: &Path) -> Result<Box<dyn Held>>;

    /// Runs `tc` or `ip` in the network namespace of a device.
    ///
    /// # Errors
    /// If it cannot be started.
    fn iproute(&self, device: &Device, program: &str, arguments: &[&str]) -> io::Result<Said>;

    /// Loads the queueing discipline, makes its kind known to the kernel, and pins it in a folder.
    ///
    /// # Errors
    /// What the kernel refuses.
    fn load_discipline(&self, folder: &Path, kind: &str, object: &Path) -> Result<()>;

    /// Loads a version of the policy, attaches it to the discipline of the folder, and pins it in `vN` there; `names` are the numbers of
    /// its queues' names.
    ///
    /// # Errors
    /// What the kernel refuses.
    fn load_policy(&self, folder: &Path, version: u32, policy: &Policy, names: &[u32]) -> Result<Does>;

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

    /// Makes a file; its folder too, if it is not there.
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

/// The machine that this program runs on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Machine;

impl Held for Lock {}

impl Host for Machine {
    fn check(&self) -> Result<()> {
        needs::check()
    }

    fn lock(&self, folder: &Path) -> Result<Box<dyn Held>> {
        Ok(Box::new(Lock::take(folder)?))
    }

    fn iproute(&self, device: &Device, program: &str, arguments: &[&str]) -> io::Result<Said> {
        let mut command = Command::new(program);
        if let Some(netns) = &device.netns {
            command.args(["-n", netns]);
        }
        let output = command.args(arguments).output()?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(Said { success: output.status.success(), output: text(&output.stdout), error: text(&output.stderr) })
    }

    fn load_discipline(&self, folder: &Path, kind: &str, object: &Path) -> Result<()> {
        loader::load_qdisc(folder, kind, object)
    }

    fn load_policy(&self, folder: &Path, version: u32, policy: &Policy, names: &[u32]) -> Result<Does> {
        loader::load_policy(folder, version, policy, names)
    }

    fn read_map(&self, path: &Path) -> Result<Vec<u8>> {
        loader::read(path)
    }

    fn write_map(&self, path: &Path, value: &[u8]) -> Result<()> {
        loader::write(path, value)
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir_all(path)
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        Ok(fs::read_dir(folder)?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        fs::read_to_string(path)
    }

    fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}

/// What cannot be started.
pub(crate) fn not_started(program: &str, error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound => Error::Missing { program: program.to_owned(), package: "iproute2", clang: false },
        _ => Error::File { path: program.into(), error },
    }
}
