//! The program as other commands of `make test` have built it, so that nothing is built anew.

use crate::files::{Outcome, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the repository's program without optimisation, as tests use it, and says where it is.
pub(crate) fn debug() -> Outcome<PathBuf> {
    debug_of(&root(), &target())
}

/// The same of the repository in `folder`, built in `target`.
///
/// Its libraries have the features that they have beside all tests. Cargo takes the features that tests ask for only where
/// something is built that may use what tests use. An example may.
pub(crate) fn debug_of(folder: &Path, target: &Path) -> Outcome<PathBuf> {
    let features = ["--workspace", "--features", "forebay-surge/tower"];
    build(folder, target, &[&features[..], &["--bin", "forebay", "--example", "two_nodes"]].concat())?;
    Ok(target.join("debug/forebay"))
}

/// Builds the repository's program as users run it, and says where it is.
pub(crate) fn release() -> Outcome<PathBuf> {
    let target = target();
    build(&root(), &target, &["--release", "--package", "forebay-cli"])?;
    Ok(target.join("release/forebay"))
}

/// Where cargo builds the repository.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn build(folder: &Path, target: &Path, arguments: &[&str]) -> Outcome<()> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--quiet"])
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .map_err(|error| vec![format!("cargo: {error}")])?;
    if output.status.success() { Ok(()) } else { Err(vec![String::from_utf8_lossy(&output.stderr).into_owned()]) }
}
