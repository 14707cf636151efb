//! A virtual machine with its own kernel, which tests programs for the kernel.
//!
//! [`Parts`] are the files that a machine needs: a kernel, modules, busybox, QEMU. [`Machine`] copies files into the file system, boots the
//! machine, runs a script there, and returns the script's output.

#![forbid(unsafe_code)]

mod archive;
mod error;
mod libraries;
mod parts;
mod virtual_machine;

pub use error::{Error, Result};
pub use parts::Parts;
pub use virtual_machine::{Machine, Output};
