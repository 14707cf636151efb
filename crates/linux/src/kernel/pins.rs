//! Where what is in the kernel has names: one folder of the BPF file system for each device with a policy.
//!
//! `/sys/fs/bpf/forebay/KIND` has the queueing discipline of this kind: its programs, maps and link; `v3` in it has what is
//! of the third version of its policy.

use crate::kernel::error::{Error, Result};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The BPF file system of the machine.
const ROOT: &str = "/sys/fs/bpf";

/// The pins of a queueing discipline.
#[derive(Debug, Clone)]
pub(crate) struct Pins {
    /// Its kind, as `tc` calls it.
    pub(crate) kind: String,
    folder: PathBuf,
}

impl Pins {
    /// A new one of a kind that is not used.
    pub(crate) fn claim() -> Result<Self> {
        let all = Path::new(ROOT).join("forebay");
        make(&all)?;
        for number in 0..10_000 {
            let pins = Self::of(&format!("forebay{number}"));
            match fs::create_dir(&pins.folder) {
                Ok(()) => return Ok(pins),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Error::File { path: pins.folder, error }),
            }
        }
        Err(Error::Refused { doing: "pins", message: "10,000 devices have a policy already".to_owned() })
    }

    /// That of a kind.
    pub(crate) fn of(kind: &str) -> Self {
        Self { kind: kind.to_owned(), folder: Path::new(ROOT).join("forebay").join(kind) }
    }

    /// Those of all kinds that are used.
    pub(crate) fn all() -> Result<Vec<Self>> {
        let folder = Path::new(ROOT).join("forebay");
        match fs::read_dir(&folder) {
            Ok(entries) => Ok(entries.flatten().map(|entry| Self::of(&entry.file_name().to_string_lossy())).collect()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(Error::File { path: folder, error }),
        }
    }

    /// Whether it is there.
    pub(crate) fn exist(&self) -> bool {
        self.folder.is_dir()
    }

    /// The path of something of the discipline.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The path of something of a version.
    pub(crate) fn of_version(&self, version: u32, name: &str) -> PathBuf {
        self.folder.join(format!("v{version}")).join(name)
    }

    /// Makes the folder of a version, anew if a command that was killed has left one.
    pub(crate) fn make_version(&self, version: u32) -> Result<()> {
        self.remove_version(version)?;
        make(&self.folder.join(format!("v{version}")))
    }

    /// Removes what is of a version.
    pub(crate) fn remove_version(&self, version: u32) -> Result<()> {
        remove(&self.folder.join(format!("v{version}")))
    }

    /// Removes everything.
    pub(crate) fn remove(&self) -> Result<()> {
        remove(&self.folder)
    }
}

fn make(folder: &Path) -> Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(Error::File { path: folder.to_owned(), error }),
        _ => Ok(()),
    }
}

/// Removes a folder; not there is as good.
fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::File { path: folder.to_owned(), error }),
        _ => Ok(()),
    }
}

/// Makes sure that there is a BPF file system.
pub(crate) fn check() -> Result<()> {
    let kind = nix::sys::statfs::statfs(ROOT).map(|about| about.filesystem_type());
    if kind.is_ok_and(|kind| kind == nix::sys::statfs::BPF_FS_MAGIC) {
        return Ok(());
    }
    Err(Error::Refused {
        doing: "pins",
        message: format!(
            "there is no BPF file system at {ROOT}; run `mount -t bpf bpf {ROOT}` (for a device of a network namespace, give \
             --netns instead of running in it)"
        ),
    })
}
