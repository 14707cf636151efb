//! The third-party libraries that the repository names: in manifests of cargo and npm, and in requirements of pip.

use crate::files::{ChoreResult, read};
use std::collections::{BTreeMap, BTreeSet};

/// The users of a library, and whether each uses it for tests alone.
pub(crate) type Users = BTreeMap<String, bool>;

/// Every library that a manifest names, with its users.
pub(crate) fn named(files: &[String]) -> ChoreResult<BTreeMap<String, Users>> {
    let mut named = BTreeMap::<String, Users>::new();
    for file in files {
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let (user, libraries) = if file.ends_with("/Cargo.toml") {
            (folder.strip_prefix("crates/").unwrap_or(folder), of_cargo(&read(file)?))
        } else if file.ends_with("/package.json") {
            (folder, of_npm(&read(file)?))
        } else if is_requirements(file) {
            (file.as_str(), of_pip(&read(file)?))
        } else {
            continue;
        };
        for (library, is_for_tests) in libraries {
            let users = named.entry(library).or_default();
            // A crate that uses it in both ways uses it.
            *users.entry(user.to_owned()).or_insert(true) &= is_for_tests;
        }
    }
    Ok(named)
}

/// Whether pip reads this file.
pub(crate) fn is_requirements(file: &str) -> bool {
    file.ends_with("/requirements.txt") || file == "xtask/highs.txt"
}

/// The crates that a manifest names in its tables of dependencies, and whether for tests alone.
pub(crate) fn crates_of(manifest: &str) -> BTreeSet<(String, bool)> {
    let mut table = "";
    let mut found = BTreeSet::new();
    for line in manifest.lines() {
        if let Some(header) = line.strip_prefix('[') {
            table = header.trim_end().trim_end_matches(']');
            // `[dependencies.name]`
            if let Some((_, name)) =
                table.split_once("dependencies.").filter(|(_, rest)| !rest.contains("dependencies"))
            {
                found.insert((name.to_owned(), table.contains("dev-dependencies")));
            }
        } else if table.ends_with("dependencies") && line.starts_with(|letter: char| letter.is_ascii_alphanumeric()) {
            let end = line.find(['.', ' ', '=']).unwrap_or(line.len());
            found.insert((line[..end].to_owned(), table.ends_with("dev-dependencies")));
        }
    }
    found
}

/// The same without those of the repository.
fn of_cargo(manifest: &str) -> BTreeSet<(String, bool)> {
    let mut found = crates_of(manifest);
    found.retain(|(name, _)| name != "forebay" && !name.starts_with("forebay-"));
    found
}

/// The packages in `dependencies` and `devDependencies`, which this repository writes on a line each.
fn of_npm(manifest: &str) -> BTreeSet<(String, bool)> {
    let mut found = BTreeSet::new();
    for line in manifest.lines().map(str::trim) {
        for (key, is_for_tests) in [("\"dependencies\":", false), ("\"devDependencies\":", true)] {
            let Some(packages) = line.strip_prefix(key) else { continue };
            let names = packages.split('"').skip(1).step_by(4);
            found.extend(names.map(|name| (name.to_owned(), is_for_tests)));
        }
    }
    found
}

fn of_pip(requirements: &str) -> BTreeSet<(String, bool)> {
    let lines = requirements.lines().filter_map(|line| line.split_once("=="));
    lines.map(|(name, _)| (name.to_owned(), false)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(found: BTreeSet<(String, bool)>) -> Vec<(String, bool)> {
        found.into_iter().collect()
    }

    #[test]
    fn every_table_of_a_manifest_is_read() {
        let manifest = "[package]\nname = \"x\"\n[dependencies]\na.workspace = true\nforebay-core.workspace = true\n# b = 1\n\
            [target.'cfg(unix)'.dependencies]\nc = { version = \"1\" }\n[dev-dependencies]\nd = \"1\"\n[dependencies.e]\nversion = \"1\"\n\
            [build-dependencies]\nf = \"1\"\n[features]\ng = []\n";
        let expected = [("a", false), ("c", false), ("d", true), ("e", false), ("f", false)];
        assert_eq!(words(of_cargo(manifest)), expected.map(|(name, is_for_tests)| (name.to_owned(), is_for_tests)));
    }

    #[test]
    fn packages_of_npm_and_pip_are_read() {
        let manifest = "{\n  \"dependencies\": { \"a\": \"^1\", \"b\": \"2\" },\n  \"devDependencies\": { \"@c/d\": \"3\" },\n  \"e\": \"f\"\n}";
        let expected = [("@c/d", true), ("a", false), ("b", false)];
        assert_eq!(words(of_npm(manifest)), expected.map(|(name, is_for_tests)| (name.to_owned(), is_for_tests)));
        assert_eq!(words(of_pip("# x\na==1 \\\n    --hash=sha256:00\n")), [("a".to_owned(), false)]);
    }
}
