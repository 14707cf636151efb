//! The crates that a build takes, as `cargo tree` prints them.

use crate::files::{ChoreResult, root};
use std::process::Command;

/// A crate, and how far below the first one it stands.
#[derive(Debug, PartialEq, Eq, Clone)]
pub(crate) struct Crate {
    pub(crate) depth: usize,
    pub(crate) name: String,
    pub(crate) version: String,
    /// As SPDX has it; empty if the crate names none.
    pub(crate) licence: String,
    /// One of this repository.
    pub(crate) is_ours: bool,
}

/// Asks cargo with these arguments, in a folder of the repository.
pub(crate) fn ask(folder: &str, arguments: &[&str]) -> ChoreResult<Vec<Crate>> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root().join(folder));
    command.args(["tree", "--locked", "--quiet", "--prefix", "depth", "--charset", "ascii", "--format", "|{p}|{l}|"]);
    let output = command.args(arguments).output().map_err(|error| vec![format!("cargo: {error}")])?;
    if !output.status.success() {
        return Err(vec![String::from_utf8_lossy(&output.stderr).into_owned()]);
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| read(line).ok_or_else(|| vec![format!("cargo tree has printed what is not understood: {line}")]))
        .collect()
}

/// Reads `3|name v1.2 (proc-macro)|MIT| (*)`.
fn read(line: &str) -> Option<Crate> {
    let mut cells = line.split('|');
    let depth = cells.next()?.parse().ok()?;
    let mut words = cells.next()?.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    // A crate of this repository names its folder.
    let is_ours = words.any(|word| word.starts_with("(/") || word.contains(":\\"));
    let licence = spdx(cells.next()?);
    Some(Crate { depth, name: name.to_owned(), version: version.to_owned(), licence, is_ours })
}

/// Some crates still write a slash for OR.
fn spdx(licence: &str) -> String {
    licence.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_cargo_is_read() {
        let read = |line| read(line).expect("a crate");
        let ours = read("0|forebay-core v0.1.0 (/somewhere/crates/core)|MIT OR Apache-2.0|");
        assert!(ours.is_ours && ours.depth == 0, "{ours:?}");
        let other = read("12|clap_derive v4.5.0 (proc-macro)|MIT/Apache-2.0| (*)");
        assert!(!other.is_ours && other.depth == 12, "{other:?}");
        assert_eq!((other.name.as_str(), other.version.as_str()), ("clap_derive", "4.5.0"));
        assert_eq!(other.licence, "MIT OR Apache-2.0");
    }
}
