//! The target `c` compiled and run.

use forebay_core::registry::find;
use forebay_lang::Policy;
use forebay_targets::{TARGETS, TargetOptions};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Packets of tests are no smaller than this.
pub(crate) fn options() -> TargetOptions {
    TargetOptions { policy_id: 3, smallest_packet: 50, ..TargetOptions::default() }
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
pub(crate) fn made(target: &str, policy: &Policy, options: &TargetOptions) -> TempDir {
    let target = find("target", TARGETS, target).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for file in target.emit(policy, options).unwrap_or_else(|refusals| panic!("{refusals:?}")) {
        fs::write(folder.path().join(file.name), &file.text).unwrap();
    }
    folder
}

/// The answers of the policy's program to operations.
pub(crate) fn answers(policy: &Policy, seed: u64, operations: &str) -> Vec<String> {
    let folder = files(policy);
    run(&compile(&folder, "main.c"), &[&seed.to_string()], operations)
}

/// Compiles a program of a folder.
///
/// `OQ_CFLAGS` may have more flags for the compiler, such as `-fsanitize=address,undefined`.
///
/// # Panics
/// If the program cannot be made, with what the compiler says.
pub(crate) fn compile(folder: &TempDir, source: &str) -> PathBuf {
    compile_as(folder, source, "program", &[])
}

/// Compiles a source of a folder to a file of this name, with more flags.
///
/// # Panics
/// If it cannot be made, with what the compiler says.
pub(crate) fn compile_as(folder: &TempDir, source: &str, name: &str, flags: &[&str]) -> PathBuf {
    let program = folder.path().join(name);
    let compiled = Command::new("cc")
        .args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror"])
        .args(flags)
        .args(std::env::var("OQ_CFLAGS").iter().flat_map(|flags| flags.split(' ')))
        .arg("-o")
        .arg(&program)
        .arg(folder.path().join(source))
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    program
}

/// The lines that a program answers to its input.
///
/// # Panics
/// If it does not end well.
pub(crate) fn run(program: &Path, arguments: &[&str], input: &str) -> Vec<String> {
    let mut child = Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    assert!(output.status.success(), "{}", output.status);
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}
