//! Lock files of cargo that have fallen behind a manifest: a build with `--locked` rejects them.

use super::cargo_lock::{Package, packages};
use super::manifests::crates_of;
use crate::files::{ChoreResult, read};
use std::collections::BTreeMap;

/// Names each crate that a manifest of the repository names and a lock file leaves out.
pub(crate) fn check(files: &[String]) -> ChoreResult<Vec<String>> {
    let mut manifests = BTreeMap::new();
    for file in files.iter().filter(|file| file.ends_with("/Cargo.toml")) {
        let text = read(file)?;
        if let Some(name) = text.lines().find_map(|line| line.strip_prefix("name = ")) {
            manifests.insert(name.trim_matches('"').to_owned(), text);
        }
    }
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.ends_with("Cargo.lock")) {
        let missing = left_out(&read(file)?, &manifests);
        problems.extend(missing.into_iter().map(|(line, what)| {
            format!("{file}:{line}: {what}; run: cargo metadata --manifest-path {}", file.replace(".lock", ".toml"))
        }));
    }
    Ok(problems)
}

/// With the line of the package in the lock. Crates for tests alone are not looked for, since a lock has only those of
/// its own workspace. Neither are optional ones, since it has those that its workspace turns on.
fn left_out(lock: &str, manifests: &BTreeMap<String, String>) -> Vec<(usize, String)> {
    let ours = packages(lock).filter(|package| package.source.is_none());
    ours.flat_map(|Package { line, name, dependencies, .. }| {
        let manifest = manifests.get(name).map_or("", String::as_str);
        let locked: Vec<_> = dependencies.lines().filter_map(crate_of).collect();
        crates_of(manifest)
            .into_iter()
            .filter(|(wanted, is_for_tests)| !is_for_tests && !is_optional(manifest, wanted))
            .filter(|(wanted, _)| !locked.contains(&wanted.as_str()))
            .map(|(wanted, _)| (line, format!("{name} depends on {wanted}, which this lock file leaves out")))
            .collect::<Vec<_>>()
    })
    .collect()
}

fn is_optional(manifest: &str, name: &str) -> bool {
    let is_of = |line: &str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', '.', '=']));
    manifest.lines().any(|line| is_of(line) && line.contains("optional = true"))
}

/// The name in a line such as ` "name 1.0.0",`.
fn crate_of(line: &str) -> Option<&str> {
    line.trim().strip_prefix('"')?.split(['"', ' ']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_that_the_lock_leaves_out_is_found_and_one_for_tests_is_not() {
        let manifest = "[package]\nname = \"x\"\n[dependencies]\na = \"1\"\nab = { version = \"1\", optional = true }\nforebay-core.workspace = true\n[dev-dependencies]\nd = \"1\"\n";
        let manifests = BTreeMap::from([("x".to_owned(), manifest.to_owned())]);
        let lock = |list: &str| format!("version = 4\n\n[[package]]\nname = \"x\"\ndependencies = [\n{list}]\n");
        assert_eq!(left_out(&lock(" \"a 1.0.0\",\n \"forebay-core\",\n"), &manifests), []);
        let missing = left_out(&lock(" \"forebay-core\",\n"), &manifests);
        assert_eq!(missing, [(3, "x depends on a, which this lock file leaves out".to_owned())]);
        let missing = left_out(&lock(" \"a\",\n"), &manifests);
        assert_eq!(missing, [(3, "x depends on forebay-core, which this lock file leaves out".to_owned())]);
    }
}
