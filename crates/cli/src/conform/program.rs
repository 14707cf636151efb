//! The program of the target `c`, built with the system's compiler.

use super::{Datapath, Played, Unplayed};
use forebay_conform::Answer;
use forebay_core::registry::find;
use forebay_targets::{Options, TARGETS};
use std::io::Write as _;
use std::process::{Command, Stdio};

pub(super) const DATAPATH: Datapath = Datapath { name: "c", title: "a program in C", play };

fn play(played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    let failed = |what: &str, error: &dyn std::fmt::Display| Unplayed::Failed(format!("{what}: {error}"));
    let target = find("target", TARGETS, "c").map_err(Unplayed::Failed)?;
    let files = target.emit(played.policy, &Options::default()).map_err(|refusals| {
        Unplayed::Skipped(refusals.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    })?;
    let folder = tempfile::tempdir().map_err(|error| failed("a temporary folder", &error))?;
    for file in files {
        std::fs::write(folder.path().join(file.name), file.text).map_err(|error| failed(file.name, &error))?;
    }
    let program = folder.path().join("play");
    let compiled = Command::new("cc").args(["-O2", "-o"]).arg(&program).arg(folder.path().join("main.c")).output();
    let compiled = compiled.map_err(|_| Unplayed::Skipped("there is no C compiler; install gcc".to_owned()))?;
    if !compiled.status.success() {
        return Err(failed("cc", &String::from_utf8_lossy(&compiled.stderr).lines().next().unwrap_or("no reason")));
    }
    let mut child = Command::new(&program)
        .arg(played.seed.0.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed("the program", &error))?;
    let text: String = played.operations.iter().map(|operation| format!("{operation}\n")).collect();
    let input = child.stdin.take();
    let writer = std::thread::spawn(move || input.map(|mut input| input.write_all(text.as_bytes())));
    let output = child.wait_with_output().map_err(|error| failed("the program", &error))?;
    // That it stopped reading shows in its answers.
    let _ = writer.join();
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    lines.lines().map(|line| line.parse().map_err(|error| failed("the program", &error))).collect()
}
