//! The parts of a machine.

use crate::machine::error::{Error, Result};
use std::path::{Path, PathBuf};

/// The parts of a machine.
#[derive(Debug, Clone)]
pub struct Parts {
    folder: PathBuf,
    /// The kernel.
    pub(crate) kernel: PathBuf,
    pub(crate) busybox: PathBuf,
    /// Its modules, in the order in which they are loaded.
    pub(crate) modules: Vec<PathBuf>,
    pub(crate) qemu: PathBuf,
}

/// Where `cargo xtask fetch-kernel` puts them.
const FOLDER: &str = "target/kernel";

/// Pairs of devices, programs that see packets before they are queued, and VLAN devices, bridges and bonds behind what they need. A kernel may
/// have them built in.
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
    /// Those in the folder that `FOREBAY_KERNEL` names, or in `target/kernel`.
    ///
    /// # Errors
    /// If something is missing.
    pub fn find() -> Result<Self> {
        Self::in_folder(&std::env::var_os("FOREBAY_KERNEL").map_or_else(|| PathBuf::from(FOLDER), PathBuf::from))
    }

    /// Those in a folder.
    ///
    /// # Errors
    /// If something is missing.
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

    /// A program of the system, or one that was unpacked into the folder.
    ///
    /// # Errors
    /// If there is none.
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

    /// Where packages were unpacked.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.join("root")
    }
}
