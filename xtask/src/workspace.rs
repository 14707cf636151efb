//! Cargo on the whole workspace, with all features that its tests use together, so that every crate is built once.
//!
//! Two features need files that `make test` fetches, and are on where these exist: programs that load policies into the
//! kernel (`cargo xtask fetch-kernel`), and the exact linear programme (`cargo xtask fetch-highs`).

use crate::files::{ChoreResult, root};
use std::path::Path;
use std::process::Command;

/// The folder that `fetch-kernel` fills.
pub(crate) const KERNEL: &str = "target/kernel";

/// Features, and the folder that has the files that each needs, with a file of variables for the shell.
const FETCHED: [(&str, &str); 2] = [("forebay-cli/kernel", KERNEL), ("forebay-cache/exact-installed", "target/tools")];

/// Cargo with this verb, such as `test`, in the repository.
pub(crate) fn cargo(verb: &str) -> Command {
    cargo_in(&root(), verb)
}

/// The same in a copy of the repository.
pub(crate) fn cargo_in(folder: &Path, verb: &str) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder).args([verb, "--workspace", "--features", "forebay-surge/tower"]);
    for (feature, folder) in FETCHED {
        if let Ok(text) = std::fs::read_to_string(root().join(folder).join("environment")) {
            command.args(["--features", feature]).envs(variables(&text));
        }
    }
    command
}

/// Runs cargo with a verb and arguments, and passes its output on.
pub(crate) fn run(verb: &str, arguments: &[&str]) -> ChoreResult<String> {
    let status = cargo(verb).args(arguments).status().map_err(|error| vec![format!("cargo: {error}")])?;
    if status.success() { Ok(format!("cargo {verb}: done")) } else { Err(vec![format!("cargo {verb} has failed")]) }
}

/// The compiler's and Clippy's warnings are errors.
pub(crate) fn lint() -> ChoreResult<String> {
    let has_clippy = Command::new("cargo-clippy").arg("--version").output().is_ok_and(|output| output.status.success());
    if has_clippy {
        return run("clippy", &["--all-targets", "--", "--deny", "warnings"]);
    }
    println!("skipped: Clippy's warnings (clippy is not installed; run: rustup component add clippy)");
    run("check", &["--all-targets"])
}

/// The variables of lines such as `export NAME=value`.
fn variables(text: &str) -> Vec<(String, String)> {
    let pair = |line: &str| {
        let (name, value) = line.strip_prefix("export ")?.split_once('=')?;
        Some((name.to_owned(), value.trim_matches('\'').to_owned()))
    };
    text.lines().filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_read_as_the_shell_reads_them() {
        let pairs = variables("export A=/b/c\nexport D='e f'\n");
        assert_eq!(pairs, [("A".to_owned(), "/b/c".to_owned()), ("D".to_owned(), "e f".to_owned())]);
    }
}
