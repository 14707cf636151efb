//! Debian packages for the real matcher: fetched into `target/debian`, without being root.
//!
//! `apt-get download` checks signatures and needs no rights; `dpkg-deb -x` unpacks. Versions are
//! those that the figures were measured with. Where that cannot be done, it is said why, and
//! the tests skip what needs it.

use crate::apt;
use crate::files::{ChoreResult, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Name, how the version begins, and a file by which it is recognised, in `target/debian`.
const PACKAGES: [(&str, &str, &str); 3] = [
    ("modsecurity-crs", "3.3.4", "usr/share/modsecurity-crs/rules"),
    ("libvectorscan5", "5.4.9", "usr/share/doc/libvectorscan5"),
    ("libpcre2-8-0", "10.42", "usr/share/doc/libpcre2-8-0"),
];

/// Fetches the files that are missing.
pub(crate) fn fetch() -> ChoreResult<String> {
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
    apt::make(&archives)?;
    let mut lists_read = false;
    for (package, version, _) in missing {
        if download(package, version, &archives, None).is_err() {
            // The system has no lists, or old ones: lists of our own need no rights.
            let lists = folder.join("lists");
            if !lists_read {
                apt::update(&[], &lists)?;
                lists_read = true;
            }
            download(package, version, &archives, Some(&lists))?;
        }
        unpack(package, &archives, &folder)?;
    }
    Ok(())
}

fn download(package: &str, version: &str, archives: &Path, lists: Option<&Path>) -> Result<(), String> {
    let mut command = Command::new("apt-get");
    command.args(lists.map(apt::lists_in).into_iter().flatten()).args(["--quiet", "download"]);
    apt::run(command.arg(format!("{package}={version}*")).current_dir(archives)).map(drop)
}

fn unpack(package: &str, archives: &Path, folder: &Path) -> Result<(), String> {
    let begin = format!("{package}_");
    let is_of_package =
        |path: &&PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&begin));
    let archives = apt::archives_in(archives)?;
    let archive =
        archives.iter().find(is_of_package).ok_or_else(|| format!("apt-get has left no archive of {package}"))?;
    apt::unpack(archive, folder)
}
