//! Makes the build id: a checksum of the sources that decide about results. Kept runs of other sources are other runs.
//!
//! A published package stands alone. It takes the other crates of exactly its own version, so its checksum is that of its own sources and
//! its version.

use sha2::{Digest as _, Sha256};
use std::path::{Path, PathBuf};

/// Crates that results come from, beside this one.
const CRATES: [&str; 8] = ["cache", "core", "engine", "forebay", "lang", "sched", "sim", "traces"];

fn main() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_repository = CRATES.iter().all(|name| own.join("..").join(name).join("src").is_dir());
    let mut sum = Sha256::new();
    let (root, folders) = if is_repository {
        (own.join(".."), CRATES.map(|name| format!("{name}/src")).to_vec())
    } else {
        sum.update(env!("CARGO_PKG_VERSION").as_bytes());
        (own.to_path_buf(), vec!["src".to_owned()])
    };
    let mut files = Vec::new();
    for folder in folders {
        let folder = root.join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        add(&folder, &mut files);
    }
    files.sort();
    for file in files {
        let name = file.strip_prefix(&root).unwrap_or(&file);
        sum.update(name.to_string_lossy().as_bytes());
        sum.update(std::fs::read(&file).unwrap_or_default());
    }
    let digits: String = sum.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=FOREBAY_BUILD={digits}");
}

/// Appends all files below a folder.
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
