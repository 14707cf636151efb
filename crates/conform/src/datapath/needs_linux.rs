//! Programs for the kernel, in a program for a system that is not Linux: there are none.

use std::path::Path;

/// Programs for the kernel. It has no values.
pub enum Built {}

impl Built {
    /// Returns an error, since there are no such programs.
    ///
    /// # Errors
    /// Always.
    pub fn in_folder(_: &Path) -> Result<Self, &'static str> {
        Err("programs for the kernel need Linux")
    }
}
