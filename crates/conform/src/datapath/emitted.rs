//! Programs that targets generate from a policy: they are written to a folder, and run on the operations.

use super::{Played, Unplayed};
use crate::Answer;
use forebay_core::registry::find;
use forebay_targets::{TARGETS, TargetOptions, sv};
use std::fmt::Display;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Returns the failure of a step that should have worked, with its reason.
pub(super) fn failed(what: &str, error: &dyn Display) -> Unplayed {
    Unplayed::Failed(format!("{what}: {error}"))
}

/// Returns the text of a program's file.
pub(super) fn text(target: &str, played: &Played<'_>, options: &TargetOptions, name: &str) -> Result<String, Unplayed> {
    let file = emit(target, played, options)?.into_iter().find(|file| file.name == name);
    file.map(|file| file.text).ok_or_else(|| Unplayed::Failed(format!("the target `{target}` makes no {name}")))
}

fn emit(target: &str, played: &Played<'_>, options: &TargetOptions) -> Result<forebay_targets::Files, Unplayed> {
    let target = find("target", TARGETS, target).map_err(|unknown| Unplayed::Failed(unknown.to_string()))?;
    let files = match played.replacement {
        Some(replacement) => sv::emit_pair([played.policy, replacement], options),
        None => target.emit(played.policy, options),
    };
    files.map_err(|refusals| Unplayed::Skipped(refusals.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")))
}

/// Returns a folder with a program's files.
pub(super) fn folder(target: &str, played: &Played<'_>, options: &TargetOptions) -> Result<TempDir, Unplayed> {
    let folder = tempfile::tempdir().map_err(|error| failed("a temporary folder", &error))?;
    for file in emit(target, played, options)? {
        std::fs::write(folder.path().join(file.name), file.text).map_err(|error| failed(file.name, &error))?;
    }
    Ok(folder)
}

/// Runs a command that builds a program; `missing` is the remedy if the command does not exist.
pub(super) fn build(command: &mut Command, missing: &str) -> Result<(), Unplayed> {
    let output = command.output().map_err(|_| Unplayed::Skipped(missing.to_owned()))?;
    done("the program cannot be built", &output)
}

/// Checks that a program succeeded; the error is its output.
fn done(what: &str, output: &Output) -> Result<(), Unplayed> {
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().find(|line| line.contains("error")).or(said.lines().next());
    if output.status.success() { Ok(()) } else { Err(failed(what, &line.unwrap_or("it gave no reason"))) }
}

/// Returns a program's answers to the operations.
pub(super) fn answers(command: &mut Command, played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    Ok(answers_and_more(command, played.text_of_operations())?.0)
}

/// Returns a program's answers to the operations, and its other output.
pub(super) fn answers_and_more(command: &mut Command, text: String) -> Result<(Vec<Answer>, String), Unplayed> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed("the program", &error))?;
    let input = child.stdin.take();
    let writer = std::thread::spawn(move || input.map(|mut input| input.write_all(text.as_bytes())));
    let output = child.wait_with_output().map_err(|error| failed("the program", &error))?;
    // That it stopped reading shows in its answers.
    let _ = writer.join();
    done("the program", &output)?;
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let answers = lines.lines().map(|line| line.parse().map_err(|error| failed("the program", &error)));
    Ok((answers.collect::<Result<_, _>>()?, String::from_utf8_lossy(&output.stderr).trim_end().to_owned()))
}
