//! The files of the repository: those that git tracks or would track.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The outcome of a chore: a line for the developer, or what is wrong.
pub(crate) type ChoreResult<T> = Result<T, Vec<String>>;

/// The repository's folder.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every file, relative to the root, in order of its name.
pub(crate) fn all() -> ChoreResult<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .map_err(|error| vec![format!("git cannot be run: {error}")])?;
    let mut files: Vec<String> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter(|file| root().join(file).is_file())
        .map(str::to_owned)
        .collect();
    files.sort();
    files.dedup();
    if files.is_empty() { Err(vec!["git lists no files".to_owned()]) } else { Ok(files) }
}

pub(crate) fn read(file: &str) -> ChoreResult<String> {
    std::fs::read_to_string(root().join(file)).map_err(|error| vec![format!("{file}: {error}")])
}

/// Runs rustfmt on every Rust file. `cargo fmt` does not see the algorithms, whose
/// modules are declared by the registry macro.
pub(crate) fn rustfmt(arguments: &[&str]) -> ChoreResult<()> {
    if Command::new("rustfmt").arg("--version").output().is_err() {
        eprintln!("skipped: rustfmt is not installed");
        return Ok(());
    }
    let files = all()?;
    let status = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .args(arguments)
        .args(files.iter().filter(|file| file.ends_with(".rs")))
        .current_dir(root())
        .status()
        .map_err(|error| vec![format!("rustfmt cannot be run: {error}")])?;
    if status.success() { Ok(()) } else { Err(vec!["files are not formatted; run `cargo xtask fmt`".to_owned()]) }
}
