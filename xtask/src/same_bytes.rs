//! Whether threads change results: one scenario, run on one and on two threads.

use crate::files::{ChoreResult, root};
use crate::program;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const SCENARIO: &str = "testdata/networks/many-parts.toml";

/// The file with the time, the place and the length of a run.
const MANIFEST: &str = "manifest.json";

/// All else that a run leaves behind, by name.
pub(crate) type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Runs the scenario on as many threads and compares every file.
pub(crate) fn test() -> ChoreResult<String> {
    let folder = root().join("target/same-bytes");
    let mut first: Option<Files> = None;
    let program = program::built()?;
    for threads in ["1", "2"] {
        // A fresh folder, or the runs of before would be taken from there.
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(|error| vec![format!("{}: {error}", folder.display())])?;
        }
        run(&program, threads, &folder)?;
        let mut files = Files::new();
        read_all(&folder, &folder, &mut files).map_err(|error| vec![format!("{}: {error}", folder.display())])?;
        match &first {
            None => first = Some(files),
            Some(first) => compare(first, &files, &format!("--threads {threads}"))?,
        }
    }
    let files = first.unwrap_or_default().len();
    Ok(format!("{SCENARIO}: the same {files} files on 1 and 2 threads"))
}

fn run(program: &Path, threads: &str, folder: &Path) -> ChoreResult<()> {
    let output = Command::new(program)
        .args(["run", SCENARIO, "--threads", threads, "--out"])
        .arg(folder)
        .current_dir(root())
        .output()
        .map_err(|error| vec![format!("{}: {error}", program.display())])?;
    if output.status.success() { Ok(()) } else { Err(vec![String::from_utf8_lossy(&output.stderr).into_owned()]) }
}

pub(crate) fn read_all(folder: &Path, base: &Path, files: &mut Files) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read_all(&path, base, files)?;
        } else if path.file_name().is_none_or(|name| name != MANIFEST) {
            let name = path.strip_prefix(base).unwrap_or(&path).to_owned();
            files.insert(name, std::fs::read(&path)?);
        }
    }
    Ok(())
}

pub(crate) fn compare(first: &Files, other: &Files, how: &str) -> ChoreResult<()> {
    let names: std::collections::BTreeSet<&PathBuf> = first.keys().chain(other.keys()).collect();
    let differ = names.into_iter().filter(|name| first.get(*name) != other.get(*name));
    let problems: Vec<String> = differ.map(|name| format!("{}: other bytes with {how}", name.display())).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}
