//! Verilator, as `make rtl-tools` fetches it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of Verilator's package. If it is missing, says so.
pub(crate) fn verilator() -> Option<PathBuf> {
    let lib = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/rtl/venv/lib");
    let versions = fs::read_dir(lib).into_iter().flatten().flatten();
    let found = versions.map(|entry| entry.path().join("site-packages/verilator")).find(|root| root.is_dir());
    if found.is_none() {
        // The test harness shows it with --nocapture.
        let _ = writeln!(std::io::stderr(), "skipped: there is no Verilator; `make rtl-tools` fetches it");
    }
    found
}

/// What Verilator says of some files in a folder; empty: nothing.
///
/// # Panics
/// If it cannot be started.
pub(crate) fn run(root: &Path, folder: &Path, arguments: &[&str]) -> (bool, String) {
    let output = Command::new(root.join("bin/verilator_bin"))
        .env("VERILATOR_ROOT", root)
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}
