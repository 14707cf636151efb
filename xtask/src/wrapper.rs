//! Scripts that stand before a program in PATH and call it with more arguments.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Puts a script into a folder that calls the program of its name; the PATH in which that folder stands first.
pub(crate) fn before_path(folder: &Path, name: &str, text: impl Fn(&Path) -> String) -> std::io::Result<String> {
    let path = std::env::var("PATH").unwrap_or_default();
    let real = real_program(&path, folder, name).ok_or(std::io::ErrorKind::NotFound)?;
    let script = folder.join(name);
    fs::write(&script, format!("#!/bin/sh\n{}", text(&real)))?;
    let made = Command::new("chmod").arg("+x").arg(&script).status()?;
    if made.success() {
        Ok(format!("{}:{path}", folder.display()))
    } else {
        Err(std::io::ErrorKind::PermissionDenied.into())
    }
}

/// The first program of this name in the PATH that is not in a folder.
fn real_program(path: &str, without: &Path, name: &str) -> Option<PathBuf> {
    let folders = std::env::split_paths(path).filter(|folder| folder != without);
    folders.map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_does_not_call_itself() {
        let folder = std::env::temp_dir().join(format!("forebay-sanitize-{}", std::process::id()));
        let (ours, real) = (folder.join("ours"), folder.join("real"));
        for place in [&ours, &real] {
            fs::create_dir_all(place).unwrap();
            fs::write(place.join("cc"), "").unwrap();
        }
        let path = format!("{}:{}", ours.display(), real.display());
        let found = real_program(&path, &ours, "cc");
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, Some(real.join("cc")));
    }
}
