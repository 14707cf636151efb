//! Programs for the kernel, in a program for a system that is not Linux: there are none.

use std::path::Path;

/// Programs for the kernel. It has no values.
pub(crate) enum Built {}

impl Built {
    pub(crate) fn in_folder(_: &Path) -> Result<Self, &'static str> {
        Err("programs for the kernel need Linux")
    }
}
