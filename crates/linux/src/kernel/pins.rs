//! The names of objects in the kernel: one folder of the BPF file system for each device with a policy.
//!
//! `/sys/fs/bpf/forebay/KIND` contains the queueing discipline of this kind: its programs, maps and link. Its folder `v3` contains the
//! objects of the third version of its policy.

use crate::kernel::control::Control;
use crate::kernel::counters::Counted;
use crate::kernel::error::{Error, Result};
use crate::kernel::host::Host;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The BPF file system of the machine.
const ROOT: &str = "/sys/fs/bpf";

/// The pins of a queueing discipline.
#[derive(Debug, Clone)]
pub(crate) struct Pins {
    /// The discipline's kind, as `tc` names it.
    pub(crate) kind: String,
    pub(crate) host: Arc<dyn Host>,
    folder: PathBuf,
}

impl Pins {
    /// Creates the pins of a kind that is not yet in use.
    pub(crate) fn claim(host: &Arc<dyn Host>) -> Result<Self> {
        make(&**host, &Path::new(ROOT).join("forebay"))?;
        for number in 0..10_000 {
            let pins = Self::of(host, &format!("forebay{number}"));
            match host.make_folder(&pins.folder) {
                Ok(()) => return Ok(pins),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Error::File { path: pins.folder, error }),
            }
        }
        Err(Error::Refused { doing: "pins", message: "10,000 devices have a policy already".to_owned() })
    }

    /// Returns the pins of a kind.
    pub(crate) fn of(host: &Arc<dyn Host>, kind: &str) -> Self {
        let folder = Path::new(ROOT).join("forebay").join(kind);
        Self { kind: kind.to_owned(), host: Arc::clone(host), folder }
    }

    /// Returns the pins of all kinds in use.
    pub(crate) fn all(host: &Arc<dyn Host>) -> Result<Vec<Self>> {
        let folder = Path::new(ROOT).join("forebay");
        match host.names(&folder) {
            Ok(names) => Ok(names.iter().map(|name| Self::of(host, name)).collect()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(Error::File { path: folder, error }),
        }
    }

    /// Whether the folder of the pins exists.
    pub(crate) fn exist(&self) -> bool {
        self.host.exists(&self.folder)
    }

    /// Returns the folder of the pins.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the value of a pinned map of the discipline.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>> {
        self.host.read_map(&self.path(name))
    }

    /// Checks the sizes of the maps: programs of another version of forebay may have other values in them.
    pub(crate) fn check_maps(&self) -> Result<()> {
        for (name, size) in [("control", Control::SIZE), ("counted", Counted::SIZE)] {
            if self.read(name)?.len() != size {
                return Err(Error::OtherForebay);
            }
        }
        if !self.host.exists(&self.path("names")) {
            return Err(Error::OtherForebay);
        }
        Ok(())
    }

    /// Returns the path of an object of the discipline.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Returns the path of an object of a version.
    pub(crate) fn of_version(&self, version: u32, name: &str) -> PathBuf {
        version_folder(&self.folder, version).join(name)
    }

    /// Creates the folder of a version, and replaces one that a killed command has left.
    pub(crate) fn make_version(&self, version: u32) -> Result<()> {
        self.remove_version(version)?;
        make(&*self.host, &version_folder(&self.folder, version))
    }

    /// Removes the objects of a version.
    pub(crate) fn remove_version(&self, version: u32) -> Result<()> {
        remove(&*self.host, &version_folder(&self.folder, version))
    }

    /// Removes all pins.
    pub(crate) fn remove(&self) -> Result<()> {
        remove(&*self.host, &self.folder)
    }
}

/// Returns the folder of a version within that of its discipline.
pub(crate) fn version_folder(discipline: &Path, version: u32) -> PathBuf {
    discipline.join(format!("v{version}"))
}

fn make(host: &dyn Host, folder: &Path) -> Result<()> {
    match host.make_folder(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(Error::File { path: folder.to_owned(), error }),
        _ => Ok(()),
    }
}

/// Removes a folder; a missing folder is no error.
fn remove(host: &dyn Host, folder: &Path) -> Result<()> {
    match host.remove_folder(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::File { path: folder.to_owned(), error }),
        _ => Ok(()),
    }
}

/// Checks that there is a BPF file system.
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
