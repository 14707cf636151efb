//! The parts of a machine.

use crate::machine::error::{Error, Result};
use std::path::{Path, PathBuf};

/// The parts of a machine.
#[derive(Debug, Clone)]
pub struct Parts {
    folder: PathBuf,
    /// The path of the kernel.
    pub(crate) kernel: PathBuf,
    pub(crate) busybox: PathBuf,
    /// The paths of the kernel's modules, in the order in which they are loaded.
    pub(crate) modules: Vec<PathBuf>,
    pub(crate) qemu: PathBuf,
}

/// The folder where `cargo xtask fetch-kernel` installs the parts.
const FOLDER: &str = "target/kernel";

/// The modules for pairs of devices, for programs that see packets before they are queued, and for VLAN devices, bridges and bonds. Each
/// module follows those that it needs. A kernel may have them built in.
const MODULES: [&str; 12] = [
    "veth.ko",
    "sch_ingress.ko",
    "cls_bpf.ko",
    "sch_tbf.ko",
    "llc.ko",
    "stp.ko",
    "garp.ko",
    "mrp.ko",
    "8021q.ko",
    "bridge.ko",
    "tls.ko",
    "bonding.ko",
];

impl Parts {
    /// Finds the parts in the folder that `FOREBAY_KERNEL` names, or in `target/kernel`.
    ///
    /// # Errors
    /// If a part is missing.
    pub fn find() -> Result<Self> {
        Self::in_folder(&std::env::var_os("FOREBAY_KERNEL").map_or_else(|| PathBuf::from(FOLDER), PathBuf::from))
    }

    /// Finds the parts in a folder.
    ///
    /// # Errors
    /// If a part is missing.
    pub fn in_folder(folder: &Path) -> Result<Self> {
        let there = |name: &str| {
            let path = folder.join(name);
            if path.is_file() { Ok(path) } else { Err(Error::Missing { what: path.display().to_string() }) }
        };
        let modules = MODULES.into_iter().map(|name| folder.join("modules").join(name)).filter(|path| path.is_file());
        let parts = Self {
            folder: folder.to_owned(),
            kernel: there("vmlinuz")?,
            busybox: there("busybox")?,
            modules: modules.collect(),
            qemu: PathBuf::new(),
        };
        let qemu = parts.program("qemu-system-x86_64")?;
        Ok(Self { qemu, ..parts })
    }

    /// Returns the path of a program that is installed on the system or was unpacked into the folder.
    ///
    /// # Errors
    /// If there is no such program.
    pub fn program(&self, name: &str) -> Result<PathBuf> {
        let unpacked = ["usr/bin", "usr/sbin", "bin", "sbin"].map(|place| self.root().join(place));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let system = ["/usr/sbin", "/sbin"].map(PathBuf::from);
        std::env::split_paths(&path)
            .chain(system)
            .chain(unpacked)
            .map(|place| place.join(name))
            .find(|path| path.is_file())
            .ok_or_else(|| Error::Missing { what: name.to_owned() })
    }

    /// Returns the folder where packages were unpacked.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.join("root")
    }
}
