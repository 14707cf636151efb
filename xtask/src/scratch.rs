//! A copy of the repository to change and to build; only the files that differ are built anew.
//!
//! The copy's crates have the names of those of the repository and, for cargo, their identities. So they are built in a
//! folder of their own. Files that any command built of the repository serve for every file that is the same in the
//! copy. Cargo goes by the times of files: an unchanged file keeps its time.

use crate::files::{ChoreResult, all, root};
use crate::program::target;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes the copy the same as the repository, and says where it is.
pub(crate) fn refresh() -> ChoreResult<PathBuf> {
    let copy = root().join("target/follow-docs");
    let files: BTreeSet<PathBuf> = all()?.into_iter().map(PathBuf::from).collect();
    let failed = |error: std::io::Error| vec![format!("{}: {error}", copy.display())];
    fs::create_dir_all(&copy).map_err(failed)?;
    remove_others(&copy, &copy, &files).map_err(failed)?;
    for file in files {
        copy_file(&root().join(&file), &copy.join(&file))
            .map_err(|error| vec![format!("{}: {error}", file.display())])?;
    }
    if !built().exists() {
        seed().map_err(failed)?;
    }
    Ok(copy)
}

/// Where the copy is built.
pub(crate) fn built() -> PathBuf {
    root().join("target/follow-docs-build")
}

/// Removes from a folder all files that are not among these.
fn remove_others(base: &Path, folder: &Path, files: &BTreeSet<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(base, &path, files)?;
        } else if !path.strip_prefix(base).is_ok_and(|name| files.contains(name)) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Copies a file with its time; where the copy had another content, as of now, since that is what may have been built.
fn copy_file(from: &Path, to: &Path) -> std::io::Result<()> {
    let content = fs::read(from)?;
    match fs::read(to) {
        Ok(there) if there == content => Ok(()),
        Ok(_) => fs::write(to, content),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if let Some(folder) = to.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::copy(from, to)?;
            File::options().write(true).open(to)?.set_modified(from.metadata()?.modified()?)
        }
        Err(error) => Err(error),
    }
}

/// Begins the copy's builds with the libraries that were built of the repository.
fn seed() -> std::io::Result<()> {
    let from = target().join("debug");
    if !from.join(".fingerprint").exists() {
        return Ok(());
    }
    let to = built().join("debug");
    fs::create_dir_all(to.join("deps"))?;
    for folder in [".fingerprint", "build"] {
        // With the times of the files.
        Command::new("cp").arg("--archive").arg(from.join(folder)).arg(&to).status()?;
    }
    for entry in fs::read_dir(from.join("deps"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| ["d", "rlib", "rmeta", "so"].iter().any(|known| end == *known)) {
            copy_file(&path, &to.join("deps").join(path.file_name().unwrap_or_default()))?;
        }
    }
    Ok(())
}
