//! Crates of which a lock file has several versions: each but the newest is in the list `skip` of `deny.toml`, with a reason.

use super::cargo_lock::packages;
use std::collections::{BTreeMap, BTreeSet};

/// Names the packages that are twice in a lock file and not in the list, and those in the list that are no longer
/// twice.
pub(crate) fn check(deny: &str, lock: &str) -> Vec<String> {
    let (doubled, skipped) = (doubled(lock), skipped(deny));
    let missing = doubled.difference(&skipped);
    let missing = missing.map(|one| {
        format!("Cargo.lock: {one} is the older of two versions; update who wants it, or name it in deny.toml")
    });
    let needless = skipped.difference(&doubled);
    missing
        .chain(needless.map(|one| format!("deny.toml: {one} is no longer the older of two versions; remove it")))
        .collect()
}

/// `name@version` of all but the newest version.
fn doubled(lock: &str) -> BTreeSet<String> {
    let mut versions = BTreeMap::<&str, Vec<&str>>::new();
    for package in packages(lock) {
        versions.entry(package.name).or_default().push(package.version);
    }
    let older = |(name, mut versions): (&str, Vec<&str>)| {
        versions.sort_by_key(|version| {
            version.split(['.', '-', '+']).map(|part| part.parse().unwrap_or(0)).collect::<Vec<u64>>()
        });
        versions.pop();
        versions.into_iter().map(|version| format!("{name}@{version}")).collect::<Vec<_>>()
    };
    versions.into_iter().flat_map(older).collect()
}

/// The entries of the list of `deny.toml`, each with a reason.
fn skipped(deny: &str) -> BTreeSet<String> {
    let entry = |line: &str| {
        let (name, reason) = line.trim().strip_prefix("{ crate = \"")?.split_once("\", reason = \"")?;
        (!reason.starts_with('"')).then(|| name.to_owned())
    };
    deny.lines().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_double_without_a_reason_and_a_reason_without_a_double_are_found() {
        let package = |version: &str| format!("[[package]]\nname = \"a\"\nversion = \"{version}\"\n\n");
        let lock = format!("{}{}", package("0.10.1"), package("0.9.0"));
        let deny = "    { crate = \"a@0.9.0\", reason = \"b\" },\n";
        assert_eq!(check(deny, &lock), Vec::<String>::new());
        assert_eq!(check("", &lock).len(), 1);
        assert_eq!(check("    { crate = \"a@0.9.0\", reason = \"\" },\n", &lock).len(), 1);
        assert_eq!(check(deny, &package("0.10.1")).len(), 1);
        assert_eq!(check(deny, &lock.replace("0.9.0", "0.11.0")).len(), 2);
    }
}
