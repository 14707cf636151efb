//! Programs in C, compiled with the header and linked with the static library, under the address sanitizer of the compiler.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The folder of this crate.
pub(crate) fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
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

/// The static library that Cargo has built with this test.
fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let library = test.parent().unwrap().join("libforebay_surge_c.a");
    assert!(library.is_file(), "{} is not there", library.display());
    library
}

/// The standard output of a program in C, which must end well and print nothing else.
pub(crate) fn output_of(source: &Path) -> String {
    let folder = TempDir::new().unwrap();
    let program = folder.path().join("program");
    let compiled = Command::new("cc")
        .args(["-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-I"])
        .arg(here().join("include"))
        .arg("-o")
        .arg(&program)
        .arg(source)
        .arg(library())
        .args(["-lpthread", "-ldl", "-lm"])
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&program).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{}: {said}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_example_learns_serves_and_drops_without_losing_a_document() {
    if !can_compile() {
        return;
    }
    let said = output_of(&here().join("examples/pool.c"));
    let lines: Vec<&str> = said.lines().collect();
    let numbers = |line: &str| -> Vec<u64> {
        line.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
    };
    // The numbers of the kinds stand in the line as well.
    let [_, _, _, cheap, other, dear] = numbers(lines[0])[..] else { panic!("{said}") };
    let [submitted, refused, evicted, done] = numbers(lines[1])[..] else { panic!("{said}") };
    assert_eq!(submitted, 3_003);
    assert_eq!(refused + evicted + done, submitted);
    assert_eq!(cheap + other + dear, refused + evicted);
    assert_eq!((done, dear), (203, 1_000), "all dear documents are dropped: {said}");
    assert_eq!(lines[2..], ["no scheduler has this number; it was never created, or is destroyed"]);
}
