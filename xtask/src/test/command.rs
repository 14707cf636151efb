//! Runs the command of a part, keeps its output in `target/test`, and measures it.

use super::part::{End, Ended, Part};
use crate::files::root;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs the words after its own name, and leaves the times of the processor in the file of that name.
const TIMED: &str = r#""$@"; status=$?; times > "$0"; exit $status"#;

/// Runs a part to its end.
pub(crate) fn run(part: Part) -> Ended {
    let begin = Instant::now();
    let passed = try_run(part);
    let seconds = begin.elapsed().as_secs_f64();
    let end = if matches!(passed, Ok(true)) { End::Passed } else { End::Failed };
    let mut output = String::from_utf8_lossy(&fs::read(log(part)).unwrap_or_default()).into_owned();
    if let Err(error) = passed {
        output.push_str(&format!("{}: {error}\n", part.command.join(" ")));
    }
    let cpu_seconds = fs::read_to_string(times(part)).ok().and_then(|text| cpu_seconds(&text));
    Ended { part, end, seconds, cpu_seconds, output }
}

fn try_run(part: Part) -> std::io::Result<bool> {
    fs::create_dir_all(folder())?;
    let output = File::create(log(part))?;
    let mut command = Command::new("sh");
    command.args(["-c", TIMED]).arg(times(part)).args(part.command.iter().map(|word| program(word)));
    command.current_dir(root()).stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    // Verilator's makefiles compile with it. Its own sources are the same for each simulator and take longest.
    if Command::new("ccache").arg("--version").output().is_ok() {
        let folder = std::path::absolute(root().join("target/ccache"))?;
        command.env("OBJCACHE", "ccache").env("CCACHE_DIR", folder);
    }
    Ok(command.status()?.success())
}

/// The cargo and the make that run these tests.
fn program(word: &str) -> String {
    let variable = match word {
        "cargo" => "CARGO",
        "make" => "MAKE",
        _ => return word.to_owned(),
    };
    std::env::var(variable).unwrap_or_else(|_| word.to_owned())
}

/// Where a part's output is kept.
pub(crate) fn log(part: Part) -> PathBuf {
    folder().join(part.name).with_extension("log")
}

fn times(part: Part) -> PathBuf {
    folder().join(part.name).with_extension("times")
}

fn folder() -> PathBuf {
    root().join(Path::new("target/test"))
}

/// The sum of the four times that a shell prints, such as `0m0.01s 0m0.00s` of itself and `1m2.50s 0m3.00s` of all that
/// it ran.
fn cpu_seconds(told: &str) -> Option<f64> {
    told.split_whitespace()
        .map(|time| {
            let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
            Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_a_shell_are_added() {
        assert_eq!(cpu_seconds("0m0.25s 0m0.25s\n1m2.50s 0m3.00s\n"), Some(66.0));
        assert_eq!(cpu_seconds("not found"), None);
    }
}
