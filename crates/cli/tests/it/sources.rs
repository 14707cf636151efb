//! `docs/sources.md`: every command on it runs, and every scenario of an experiment is one that `forebay run` takes.

use crate::support::long;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a command of a shell in the repository. Returns the printed text if the command failed.
fn failure(command: &str) -> Option<String> {
    let program = env!("CARGO_BIN_EXE_forebay");
    let rest = command.strip_prefix("forebay ")?;
    let output = Command::new("sh").arg("-c").arg(format!("{program} {rest}")).current_dir(root()).output().unwrap();
    (!output.status.success()).then(|| format!("{command}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The rows of the page: what forebay has, and the command that shows it.
fn rows(page: &str) -> Vec<(&str, Option<&str>)> {
    let is_row = |line: &&str| line.starts_with("| ") && !line.starts_with("| section ") && !line.starts_with("| ---");
    page.lines()
        .filter(is_row)
        .map(|line| {
            let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let [_, _, has, command] = cells[..] else { panic!("four cells are needed: {line}") };
            (has, command.strip_prefix('`').and_then(|command| command.strip_suffix('`')))
        })
        .collect()
}

#[test]
fn commands_of_the_page_run() {
    let page = std::fs::read_to_string(root().join("docs/sources.md")).unwrap();
    let rows = rows(&page);
    assert!(rows.len() >= 180, "{}", rows.len());
    for (has, command) in &rows {
        assert!(!has.is_empty() && command.is_none_or(|command| command.starts_with("forebay ")), "{has}: {command:?}");
    }
    let mut commands: Vec<_> = rows.iter().filter_map(|row| row.1).collect();
    commands.sort_unstable();
    commands.dedup();
    // The whole page takes a minute of the processor; pages of `explain` take little.
    let (explained, played): (Vec<_>, Vec<_>) = commands.into_iter().partition(|it| it.starts_with("forebay explain "));
    let every = if long() { 1 } else { 4 };
    let failures: Vec<_> = explained.into_iter().chain(played.into_iter().step_by(every)).filter_map(failure).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn scenarios_of_experiments_can_be_run_by_themselves() {
    let mut tried = 0;
    for source in folders(&root().join("experiments")) {
        for figure in folders(&source) {
            for entry in std::fs::read_dir(&figure).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                let text = || std::fs::read_to_string(&path).unwrap();
                // Recorded traces are too large to be a part of the project.
                if name.starts_with("scenario") && !text().contains("\"traces/") {
                    assert_eq!(failure(&format!("forebay run {} --dry-run", path.display())), None);
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 80, "{tried}");
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    all.filter(|path| path.is_dir()).collect()
}
