//! Circles: files of one crate that use each other, so that none can be understood alone.
//!
//! An arrow leads from a file to each file whose names it uses. It does so by `use`, or by a path in the code whose
//! first word is `crate`, `self`, `super`, a module, or a name that `use` brings in. A name that a file hands on (`pub
//! use`) is followed to the file that defines it.
//!
//! Three things are not read: methods, since their types are inferred; code that macros make; code that is compiled
//! only for tests. An arrow from a file to the file that declares it as a module does not count: the one is a part of
//! the other.

mod modules;
mod tokens;

use crate::files::{ChoreResult, read};
use modules::Modules;
use std::collections::BTreeSet;

/// Circles that are natural: their files, and why.
const ALLOWED: [(&[&str], &str); 2] = [
    (
        &["crates/lang/src/check/objects.rs", "crates/lang/src/check/scope.rs"],
        "an object keeps the counters of its loop, a counter is a local name, and a local name may be an object",
    ),
    (
        &["crates/sim/src/net/endpoint.rs", "crates/sim/src/net/host_transport.rs"],
        "the protocol of a host gives its flows endpoints, and an endpoint may act for another flow of its host",
    ),
];

/// Crates whose circles are still to be cut.
const NOT_YET: [&str; 6] =
    ["crates/cli/", "crates/forebay/", "crates/loading/", "crates/repro/", "crates/surge/", "labs/matcher/"];

/// Names every circle that is not allowed, and every one that is allowed without need.
pub(crate) fn check(files: &[String]) -> ChoreResult<Vec<String>> {
    let mut problems = Vec::new();
    let mut needed = BTreeSet::new();
    for root in files.iter().filter(|file| is_root(file)) {
        let modules = Modules::of(root, &|file| read(file).ok());
        let uses: Vec<_> = (0..modules.0.len()).map(|index| modules.used_by(index)).collect();
        for circle in circles(&uses) {
            let name = |index: &usize| modules.0[*index].file.as_str();
            let among = |allowed: &[&str]| circle.iter().all(|index| allowed.contains(&name(index)));
            match ALLOWED.iter().position(|(allowed, _)| among(allowed)) {
                Some(place) => {
                    needed.insert(place);
                }
                None => {
                    let names: Vec<&str> = circle.iter().map(name).collect();
                    problems.push(format!(
                        "{}: these files use each other in a circle; move what they share into a file of its own",
                        names.join(", ")
                    ));
                }
            }
        }
    }
    for (place, (allowed, _)) in ALLOWED.iter().enumerate() {
        if !needed.contains(&place) {
            problems.push(format!("{}: no circle; take them out of xtask/src/circles", allowed.join(", ")));
        }
    }
    Ok(problems)
}

/// Whether a crate begins with this file.
fn is_root(file: &str) -> bool {
    let in_crate = ["crates/", "labs/", "xtask/"].iter().any(|folder| file.starts_with(folder));
    let is_begin = file.ends_with("/src/lib.rs") || file.contains("/src/") && file.ends_with("/main.rs");
    in_crate && is_begin && !NOT_YET.iter().any(|folder| file.starts_with(folder))
}

/// The sets of nodes that reach each other. `uses` gives for each node where its arrows lead.
fn circles(uses: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let reached: Vec<BTreeSet<usize>> = uses.iter().map(|first| reach(uses, first)).collect();
    let mut done = BTreeSet::new();
    let mut found = Vec::new();
    for from in 0..uses.len() {
        if reached[from].contains(&from) && !done.contains(&from) {
            let circle: Vec<usize> = reached[from].iter().copied().filter(|to| reached[*to].contains(&from)).collect();
            done.extend(circle.iter().copied());
            found.push(circle);
        }
    }
    found
}

fn reach(uses: &[BTreeSet<usize>], first: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut left: Vec<usize> = first.iter().copied().collect();
    while let Some(at) = left.pop() {
        if seen.insert(at) {
            left.extend(&uses[at]);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The circles of a crate with these files, as the names of its files.
    fn found(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let read = |file: &str| files.iter().find(|(name, _)| *name == file).map(|(_, text)| (*text).to_owned());
        let modules = Modules::of(files[0].0, &read);
        assert_eq!(modules.0.len(), files.len(), "every file is a module");
        let uses: Vec<_> = (0..modules.0.len()).map(|index| modules.used_by(index)).collect();
        circles(&uses)
            .iter()
            .map(|circle| circle.iter().map(|index| modules.0[*index].file.clone()).collect())
            .collect()
    }

    #[test]
    fn files_that_use_each_other_are_found() {
        let root = ("src/lib.rs", "mod a;\nmod b;\npub use a::A;\npub use b::B;\n");
        let b = ("src/b.rs", "pub struct B(crate::A);\n");
        assert_eq!(found(&[root, ("src/a.rs", "use crate::b::{B, C as D};\npub struct A(Box<B>, D);\n"), b]).len(), 1);
        assert_eq!(
            found(&[root, ("src/a.rs", "use super::B;\npub struct A(Box<B>);\n"), b]),
            [["src/a.rs", "src/b.rs"]]
        );
        assert!(found(&[root, ("src/a.rs", "// crate::b::B\npub struct A(u8);\n"), b]).is_empty());
        assert!(
            found(&[root, ("src/a.rs", "pub struct A;\n#[cfg(test)]\nmod tests { use crate::B; }\n"), b]).is_empty()
        );
    }

    #[test]
    fn a_part_may_use_the_file_that_declares_it_and_paths_of_modules_are_followed() {
        let root = ("src/lib.rs", "mod a;\n#[path = \"c/registry.rs\"]\nmod c;\n");
        let part = ("src/a/part.rs", "use super::A;\npub fn f(_: A) {}\n");
        let registry = ("src/c/registry.rs", "registry! { mod d; }\npub struct Entry;\n");
        let a = ("src/a/mod.rs", "mod part;\npub struct A;\npub fn g() { part::f(A) }\n");
        assert!(found(&[root, a, part, registry, ("src/c/d.rs", "use crate::c::Entry;\nEntry\n")]).is_empty());
        let d = ("src/c/d.rs", "use crate::a::A;\nA\n");
        let a = ("src/a/mod.rs", "mod part;\nuse crate::c::d;\npub struct A;\npub fn g() { d::h() }\n");
        assert_eq!(found(&[root, a, part, registry, d]).len(), 1);
    }
}
