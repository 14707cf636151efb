//! The loader without the feature `load`: every call returns an error that says so.

use crate::kernel::error::{Error, Result};
use crate::kernel::policy::KernelPolicy;
use crate::kernel::program_actions::Does;
use std::path::Path;

pub(crate) fn check() -> Result<()> {
    Err(Error::NoLoader)
}

pub(crate) fn load_qdisc(_: &Path, _: &str, _: &Path) -> Result<()> {
    Err(Error::NoLoader)
}

pub(crate) fn load_policy(_: &Path, _: u32, _: &KernelPolicy, _: &[u32]) -> Result<Does> {
    Err(Error::NoLoader)
}

pub(crate) fn read(_: &Path) -> Result<Vec<u8>> {
    Err(Error::NoLoader)
}

pub(crate) fn write(_: &Path, _: &[u8]) -> Result<()> {
    Err(Error::NoLoader)
}
