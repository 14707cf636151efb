//! The libraries that a program needs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the paths of the libraries, as `ldd` lists them; empty for a static program.
pub(crate) fn libraries(program: &Path) -> Vec<PathBuf> {
    let Ok(output) = Command::new("ldd").arg(program).output() else { return Vec::new() };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let paths = text.split_whitespace().filter(|word| word.starts_with('/'));
    paths.map(PathBuf::from).collect()
}
