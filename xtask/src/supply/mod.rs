//! Third-party code: its list, lock files, licences and duplicates.

mod cargo_lock;
mod duplicates;
mod licences;
mod locks;
mod manifests;
mod page;
pub(crate) mod sbom;
mod stale_locks;
mod tree;

use crate::files::{ChoreResult, all, read, root};
use std::collections::BTreeMap;
use std::process::Command;
use tree::Crate;

/// The file that cargo-deny reads, too.
const DENY: &str = "deny.toml";

/// Every crate that a build may take, on any system and with any features.
const EVERYTHING: [&str; 4] = ["--workspace", "--all-features", "--target", "all"];

/// The checks of `tidy`: no network, no other program.
pub(crate) fn check(files: &[String]) -> ChoreResult<Vec<String>> {
    let mut problems = page::check(&read(page::PAGE)?, &manifests::named(files)?);
    problems.extend(locks::check(files)?);
    problems.extend(stale_locks::check(files)?);
    problems.extend(duplicates::check(&read(DENY)?, &read("Cargo.lock")?));
    Ok(problems)
}

/// Checks that need cargo as well: licences of all crates, lock files that fit the manifests, and cargo-deny, where it
/// is installed.
pub(crate) fn run() -> ChoreResult<String> {
    let mut problems = check(&all()?)?;
    let crates = match tree::ask(".", &EVERYTHING).and_then(|ours| Ok([ours, tree::ask("fuzz", &EVERYTHING)?])) {
        Ok(crates) => crates,
        // Nothing is known of crates for other systems until they were fetched once.
        Err(why) if why.iter().any(|why| why.contains("failed to download")) => {
            return Ok("skipped: licences of crates (cargo cannot download them)".to_owned());
        }
        Err(why) => return Err(why),
    };
    let others: BTreeMap<(String, String), Crate> = crates
        .into_iter()
        .flatten()
        .filter(|one| !one.is_ours)
        .map(|one| ((one.name.clone(), one.version.clone()), one))
        .collect();
    let (deny, page) = (read(DENY)?, read(page::PAGE)?);
    problems.extend(check_licences(others.values(), &licences::allowed(&deny)));
    problems.extend(check_page(&others, &page::rows(&page)));
    if !problems.is_empty() {
        return Err(problems);
    }
    println!("supply: {} crates, each with a licence that {DENY} allows", others.len());
    cargo_deny()
}

fn check_licences<'tree>(others: impl Iterator<Item = &'tree Crate>, allowed: &[&str]) -> Vec<String> {
    let wrong = others.filter(|one| !licences::is_allowed(&one.licence, allowed));
    wrong
        .map(|one| {
            format!("{} {} has the licence `{}`, which {DENY} does not allow", one.name, one.version, one.licence)
        })
        .collect()
}

/// The page names the licence of each crate as the crate itself does.
fn check_page(others: &BTreeMap<(String, String), Crate>, rows: &[page::Row<'_>]) -> Vec<String> {
    let wrong = |row: &page::Row<'_>| {
        // A package of PyPI may have the name of a crate.
        if row.users.ends_with(".txt") {
            return None;
        }
        let mut versions = others.values().filter(|one| one.name == row.name).peekable();
        let known = versions.peek()?.licence.clone();
        (!versions.any(|one| one.licence == row.licence))
            .then(|| format!("{}:{}: the licence of `{}` is {known}", page::PAGE, row.line, row.name))
    };
    rows.iter().filter_map(wrong).collect()
}

/// Advisories need the database of RustSec, which cargo-deny fetches.
fn cargo_deny() -> ChoreResult<String> {
    let is_there = Command::new("cargo-deny").arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        return Ok("skipped: cargo-deny (it is not installed; run: cargo install cargo-deny --locked)".to_owned());
    }
    deny("check", &["--hide-inclusion-graph", "licenses", "bans", "sources"])?;
    if deny("fetch", &["db"]).is_err() {
        return Ok("skipped: advisories (cargo-deny cannot fetch the database of RustSec)".to_owned());
    }
    deny("check", &["--hide-inclusion-graph", "advisories"])?;
    Ok("cargo-deny: licences, doubles, sources and advisories are in order".to_owned())
}

fn deny(verb: &str, arguments: &[&str]) -> ChoreResult<()> {
    let mut command = Command::new("cargo-deny");
    command.current_dir(root()).args(["--workspace", "--all-features", "--locked", "--log-level", "error", verb]);
    let status = command.args(arguments).status().map_err(|error| vec![format!("cargo-deny: {error}")])?;
    if status.success() { Ok(()) } else { Err(vec![format!("cargo deny {verb} has failed")]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str, licence: &str) -> Crate {
        let (name, licence) = (name.to_owned(), licence.to_owned());
        Crate { depth: 1, name, version: "1.0.0".to_owned(), licence, is_ours: false }
    }

    #[test]
    fn a_licence_that_is_not_allowed_or_not_on_the_page_is_found() {
        let crates = [one("a", "MIT"), one("b", "X")];
        assert_eq!(check_licences(crates.iter(), &["MIT"]).len(), 1);
        let others = crates.map(|one| ((one.name.clone(), one.version.clone()), one)).into();
        let rows = page::rows("| `a` | core | x | MIT | y |\n| `b` | core | x | ISC | y |\n");
        assert_eq!(check_page(&others, &rows), ["docs/dependencies.md:2: the licence of `b` is X"]);
    }
}
