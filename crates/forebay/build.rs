//! Makes the build id: a checksum of the sources that decide about results. Kept runs of other sources are other runs.

use sha2::{Digest as _, Sha256};
use std::path::{Path, PathBuf};

/// Crates that results come from, beside this one.
const CRATES: [&str; 8] = ["cache", "core", "engine", "forebay", "lang", "sched", "sim", "traces"];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for name in CRATES {
        let folder = root.join(name).join("src");
        println!("cargo::rerun-if-changed={}", folder.display());
        add(&folder, &mut files);
    }
    files.sort();
    let mut sum = Sha256::new();
    for file in files {
        let name = file.strip_prefix(&root).unwrap_or(&file);
        sum.update(name.to_string_lossy().as_bytes());
        sum.update(std::fs::read(&file).unwrap_or_default());
    }
    let digits: String = sum.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=FOREBAY_BUILD={digits}");
}

/// Appends all files below a folder. In a package without the other crates there are none.
fn add(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            add(&path, files);
        } else {
            files.push(path);
        }
    }
}
