//! Packages of Debian, fetched and unpacked without being root: apt checks their signatures.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Options of apt for lists in a folder of our own.
pub(crate) fn lists_in(lists: &Path) -> [String; 2] {
    [format!("-oDir::State::lists={}", lists.display()), "-oAPT::Sandbox::User=".to_owned()]
}

/// Reads the lists of what there is.
pub(crate) fn update(options: &[String], lists: &Path) -> Result<(), String> {
    make(&lists.join("partial"))?;
    run(Command::new("apt-get").args(options).args(lists_in(lists)).args(["--quiet", "update"])).map(drop)
}

/// The archives in a folder.
pub(crate) fn archives_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let files = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut archives: Vec<PathBuf> = files
        .flatten()
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|end| end == "deb"))
        .collect();
    archives.sort();
    Ok(archives)
}

pub(crate) fn unpack(archive: &Path, folder: &Path) -> Result<(), String> {
    run(Command::new("dpkg-deb").arg("--extract").arg(archive).arg(folder)).map(drop)
}

pub(crate) fn make(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Runs a program; what it wrote.
pub(crate) fn run(command: &mut Command) -> Result<Vec<u8>, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|_| format!("there is no {program}; Debian 12 is needed"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let last = text.lines().rfind(|line| line.starts_with("E:")).unwrap_or("it has failed");
    Err(format!("{program}: {last}"))
}
