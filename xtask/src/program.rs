//! Programs of the repository as the tests have built them, so that nothing is built anew.

use crate::files::{ChoreResult, root};
use crate::workspace;
use std::path::{Path, PathBuf};

/// Builds the repository's program as its tests use it, and says where it is.
pub(crate) fn built() -> ChoreResult<PathBuf> {
    built_of(&root(), &target(), &[])
}

/// The same of what simulates faults.
pub(crate) fn chaos() -> ChoreResult<PathBuf> {
    build(&root(), &target(), "chaos", &[])
}

/// The same of the repository in `folder`, built in `target`, with these variables.
///
/// Its libraries have the features that they have beside all tests. Cargo takes the features that tests ask for only where
/// something is built that may use what tests use. An example may.
pub(crate) fn built_of(folder: &Path, target: &Path, profile: &[(&str, &str)]) -> ChoreResult<PathBuf> {
    build(folder, target, "forebay", profile)
}

fn build(folder: &Path, target: &Path, program: &str, profile: &[(&str, &str)]) -> ChoreResult<PathBuf> {
    let output = workspace::cargo_in(folder, "build")
        .args(["--quiet", "--bin", program, "--example", "two_nodes"])
        .env("CARGO_TARGET_DIR", target)
        .envs(profile.iter().copied())
        .output()
        .map_err(|error| vec![format!("cargo: {error}")])?;
    if output.status.success() {
        Ok(target.join("debug").join(program))
    } else {
        Err(vec![String::from_utf8_lossy(&output.stderr).into_owned()])
    }
}

/// Where cargo builds the repository.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
