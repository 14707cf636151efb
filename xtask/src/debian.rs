//! What the real matcher needs of Debian: fetched into `target/debian`, without being root.
//!
//! `apt-get download` checks signatures and needs no rights; `dpkg-deb -x` unpacks. Versions are
//! those that the figures were measured with. Where that cannot be done, it is said why, and
//! the tests skip what needs it.

use crate::files::{Outcome, root};
use std::path::Path;
use std::process::Command;

/// Name, how the version begins, and a file by which it is recognised, in `target/debian`.
const PACKAGES: [(&str, &str, &str); 3] = [
    ("modsecurity-crs", "3.3.4", "usr/share/modsecurity-crs/rules"),
    ("libvectorscan5", "5.4.9", "usr/share/doc/libvectorscan5"),
    ("libpcre2-8-0", "10.42", "usr/share/doc/libpcre2-8-0"),
];

/// Fetches what is not there.
pub(crate) fn fetch() -> Outcome<String> {
    Ok(match fetch_all() {
        Ok(()) => "the rules and libraries of the real matcher are in target/debian".to_owned(),
        Err(reason) => format!("skipped: the rules and libraries of the real matcher ({reason})"),
    })
}

fn fetch_all() -> Result<(), String> {
    let folder = root().join("target/debian");
    let missing: Vec<_> = PACKAGES.iter().filter(|(_, _, file)| !folder.join(file).exists()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let archives = folder.join("archives");
    std::fs::create_dir_all(&archives).map_err(|error| format!("{}: {error}", archives.display()))?;
    let mut lists_read = false;
    for (package, version, _) in missing {
        if download(package, version, &archives, None).is_err() {
            // The system has no lists, or old ones: lists of our own need no rights.
            let lists = folder.join("lists");
            if !lists_read {
                update(&lists)?;
                lists_read = true;
            }
            download(package, version, &archives, Some(&lists))?;
        }
        unpack(package, &archives, &folder)?;
    }
    Ok(())
}

/// Options of apt for lists in a folder of our own.
fn lists_in(lists: &Path) -> [String; 2] {
    [format!("-oDir::State::lists={}", lists.display()), "-oAPT::Sandbox::User=".to_owned()]
}

fn update(lists: &Path) -> Result<(), String> {
    std::fs::create_dir_all(lists.join("partial")).map_err(|error| format!("{}: {error}", lists.display()))?;
    run(Command::new("apt-get").args(lists_in(lists)).args(["--quiet", "update"]))
}

fn download(package: &str, version: &str, archives: &Path, lists: Option<&Path>) -> Result<(), String> {
    let mut command = Command::new("apt-get");
    command.args(lists.map(lists_in).into_iter().flatten()).args(["--quiet", "download"]);
    run(command.arg(format!("{package}={version}*")).current_dir(archives))
}

fn unpack(package: &str, archives: &Path, folder: &Path) -> Result<(), String> {
    let files = std::fs::read_dir(archives).map_err(|error| format!("{}: {error}", archives.display()))?;
    let begin = format!("{package}_");
    let archive = files
        .flatten()
        .find(|file| file.file_name().to_string_lossy().starts_with(&begin))
        .ok_or_else(|| format!("apt-get has left no archive of {package}"))?;
    run(Command::new("dpkg-deb").arg("--extract").arg(archive.path()).arg(folder))
}

fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|_| format!("there is no {program}; Debian 12 is needed"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let last = text.lines().rfind(|line| line.starts_with("E:")).unwrap_or("it has failed");
    Err(format!("{program}: {last}"))
}
