//! Checks the requirements of the kernel and of this program.

use crate::kernel::error::{Error, Result};
use crate::kernel::{loader, pins};

/// The description of the kernel's types and functions.
const BTF: &str = "/sys/kernel/btf/vmlinux";

/// Checks that this program can load programs into a kernel at all.
///
/// # Errors
/// If this program was built without the loader.
pub fn can_load() -> Result<()> {
    loader::check()
}

/// Checks that this program, this user and this kernel can load programs.
///
/// # Errors
/// If a requirement is missing.
pub fn check() -> Result<()> {
    loader::check()?;
    if !nix::unistd::geteuid().is_root() {
        return Err(Error::NoPrivileges);
    }
    let types = std::fs::read(BTF).unwrap_or_default();
    if memchr::memmem::find(&types, b"\0bpf_qdisc_skb_drop\0").is_none() {
        let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        return Err(Error::KernelWithout(release.trim().to_owned()));
    }
    pins::check()
}
