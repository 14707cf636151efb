//! Files of the repository that inputs are made from.

use std::fs;
use std::path::{Path, PathBuf};

/// Larger files have no new kinds of content, and take long.
const MOST_BYTES: u64 = 100_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The content of all files in a folder of the repository and below it whose names end so, in order of their names. Large ones are
/// left out.
pub(crate) fn files(folder: &str, endings: &[&str]) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    collect(&root().join(folder), endings, &mut paths);
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).collect()
}

fn collect(folder: &Path, endings: &[&str], paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, endings, paths);
        } else if endings.iter().any(|ending| name.ends_with(ending))
            && entry.metadata().is_ok_and(|about| about.len() <= MOST_BYTES)
        {
            paths.push(path);
        }
    }
}

/// Inputs that once broke a target; each stays as a test.
pub(crate) fn findings(target: &str) -> Vec<Vec<u8>> {
    files(&format!("testdata/fuzz/{target}"), &[""])
}
