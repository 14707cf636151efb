//! A virtual machine with a kernel of its own, in which programs for the kernel are tried.
//!
//! [`Parts`] are what it is made of: a kernel, modules, busybox, QEMU. [`Machine`] puts files into its file system, boots it,
//! runs a script there, and returns what that has written.

#![forbid(unsafe_code)]

mod archive;
mod error;
mod libraries;
mod parts;
mod virtual_machine;

pub use error::{Error, Result};
pub use parts::Parts;
pub use virtual_machine::{Machine, Output};
