//! Packages of Debian, fetched and unpacked without being root: apt checks their signatures.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Debian 12 has the key of Debian 13, too.
pub(crate) const KEY: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// The archive of Debian that the system uses.
pub(crate) fn archive() -> Result<String, String> {
    let output = run(Command::new("apt-get").args(["indextargets", "--format", "$(ORIGIN) $(REPO_URI)"]))?;
    let text = String::from_utf8_lossy(&output).into_owned();
    let archive =
        text.lines().filter_map(|line| line.strip_prefix("Debian ")).find(|place| !place.contains("security"));
    // Of a system whose lists were never read, its sources say it.
    match archive {
        Some(archive) => Ok(archive.to_owned()),
        None => in_sources().ok_or("the sources of apt name no archive of Debian".to_owned()),
    }
}

/// The first archive of Debian that the system's sources name, in either of their two formats.
fn in_sources() -> Option<String> {
    let places = ["/etc/apt/sources.list", "/etc/apt/sources.list.d/debian.sources"];
    let text: String = places.into_iter().filter_map(|place| std::fs::read_to_string(place).ok()).collect();
    let lines = text.lines().filter(|line| line.starts_with("deb ") || line.starts_with("URIs:"));
    let mut words = lines.flat_map(str::split_whitespace);
    words.find(|word| word.contains("://") && word.trim_end_matches('/').ends_with("/debian")).map(str::to_owned)
}

/// Options for an apt that knows nothing of the system but these sources, and keeps its files in a folder.
pub(crate) fn own(folder: &Path, sources: &str) -> Result<Vec<String>, String> {
    make(folder)?;
    write(&folder.join("sources.list"), sources)?;
    write(&folder.join("status"), "")?;
    let place = |option: &str, name: &str| format!("-o{option}={}", folder.join(name).display());
    let mut options = vec![
        place("Dir::Etc::sourcelist", "sources.list"),
        place("Dir::State::status", "status"),
        place("Dir::Cache", "cache"),
        "-oDir::Etc::sourceparts=-".to_owned(),
        "-oAcquire::Check-Valid-Until=false".to_owned(),
        "-oAcquire::Languages=none".to_owned(),
        "-oAcquire::IndexTargets::deb::DEP-11::DefaultEnabled=false".to_owned(),
    ];
    options.extend(lists_in(&folder.join("lists")));
    Ok(options)
}

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

pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Runs a program; returns its output.
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
