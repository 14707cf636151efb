//! Instructions of a part of a benchmark, counted by callgrind.

use std::process::Command;

/// The instructions that this program takes with `--count` and these arguments; `None` without valgrind.
pub(crate) fn instructions(arguments: &[String]) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe().ok()?)
        .arg("--count")
        .args(arguments)
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.lines().find_map(|line| line.split_once("Collected : "))?.1.trim().parse().ok()
}

/// The numbers after `--count` on the command line; `None` without `--count`.
pub(crate) fn asked_to_count() -> Option<Vec<usize>> {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--count");
    arguments.next()?;
    Some(arguments.map(|number| number.parse().expect("a number")).collect())
}
