//! The target `c` compiled and run.

use forebay_core::registry::find;
use forebay_lang::Policy;
use forebay_targets::{Options, TARGETS};
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Packets of tests are no smaller than this.
pub(crate) fn options() -> Options {
    Options { policy_id: 3, smallest_packet: 50, ..Options::default() }
}

/// Whether there is a C compiler; if not, says so.
pub(crate) fn can_compile() -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        // The test harness shows it with --nocapture.
        let _ = writeln!(std::io::stderr(), "skipped: there is no C compiler (cc)");
    }
    found
}

/// A folder with the files of the policy's program.
pub(crate) fn files(policy: &Policy) -> TempDir {
    made("c", policy, &options())
}

/// A folder with what a target makes of a policy.
pub(crate) fn made(target: &str, policy: &Policy, options: &Options) -> TempDir {
    let target = find("target", TARGETS, target).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for file in target.emit(policy, options).unwrap_or_else(|refusals| panic!("{refusals:?}")) {
        fs::write(folder.path().join(file.name), &file.text).unwrap();
    }
    folder
}

/// The answers of the policy's program to operations.
///
/// `OQ_CFLAGS` may have more flags for the compiler, such as `-fsanitize=address,undefined`.
///
/// # Panics
/// If the program cannot be made, with what the compiler says.
pub(crate) fn answers(policy: &Policy, seed: u64, operations: &str) -> Vec<String> {
    let folder = files(policy);
    let program = folder.path().join("program");
    let compiled = Command::new("cc")
        .args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror"])
        .args(std::env::var("OQ_CFLAGS").iter().flat_map(|flags| flags.split(' ')))
        .arg("-o")
        .arg(&program)
        .arg(folder.path().join("main.c"))
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let mut child =
        Command::new(&program).arg(seed.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let operations = operations.to_owned();
    let writer = std::thread::spawn(move || input.write_all(operations.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}
