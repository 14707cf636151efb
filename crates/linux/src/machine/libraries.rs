//! The libraries that a program needs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Their paths, as `ldd` says; none of a program that needs none.
pub(crate) fn libraries(program: &Path) -> Vec<PathBuf> {
    let Ok(output) = Command::new("ldd").arg(program).output() else { return Vec::new() };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let paths = text.split_whitespace().filter(|word| word.starts_with('/'));
    paths.map(PathBuf::from).collect()
}
