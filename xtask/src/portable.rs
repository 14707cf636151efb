//! Checks that crates build for systems other than Linux, without such a system, its linker or its C compiler.
//!
//! The compiler is Debian's `rustc-web` (`debian_rustc.rs`). For each target, `cargo check` of the standard library
//! leaves the metadata that `cargo check` of a crate needs. Crates are then checked without their default features,
//! since those build C.
//!
//! A target that cannot be had is skipped, and one line says why.

use crate::apt;
use crate::debian_rustc::{self, Toolchain, remove, succeed};
use crate::files::{ChoreResult, root};
use std::fs;
use std::process::Stdio;
use std::time::Instant;

/// Libraries that need no operating system.
const LIBRARIES: &[&str] = &[
    "core", "sched", "lang", "engine", "sim", "cache", "targets", "traces", "surge", "loading", "clock", "conform",
    "forebay",
];

/// Needs an operating system; `linux` is empty where that is not Linux.
const PROGRAMS: &[&str] = &["linux", "matcher", "repro", "cli"];

/// Targets, and the crates to check for each.
const TARGETS: [(&str, &[&[&str]]); 3] = [
    ("wasm32-unknown-unknown", &[LIBRARIES]),
    ("x86_64-pc-windows-gnu", &[LIBRARIES, PROGRAMS]),
    ("aarch64-apple-darwin", &[LIBRARIES, PROGRAMS]),
];

/// Checks all crates for all targets, or for the one that is named.
pub(crate) fn check(only: Option<&str>) -> ChoreResult<String> {
    let targets: Vec<_> = TARGETS.into_iter().filter(|(target, _)| only.is_none_or(|only| *target == only)).collect();
    if targets.is_empty() {
        let known = TARGETS.map(|(target, _)| target).join(", ");
        return Err(vec![format!("check-portable: there is no such target; there are {known}")]);
    }
    let folder = root().join("target/portable");
    let toolchain = match debian_rustc::fetch(&folder) {
        Ok(toolchain) => toolchain,
        Err(why) => {
            for (target, _) in targets {
                println!("skipped: {target}: {why}");
            }
            return Ok("no other system was checked".to_owned());
        }
    };
    let mut problems = Vec::new();
    let mut checked = 0;
    for (target, crates) in &targets {
        let begin = Instant::now();
        if let Err(why) = toolchain.standard_library(target).and_then(|()| toolchain.fetch_crates(target)) {
            println!("skipped: {target}: {why}");
            continue;
        }
        let prepared = begin.elapsed().as_secs_f64();
        let crates = crates.concat();
        if toolchain.check(target, &crates) {
            let seconds = begin.elapsed().as_secs_f64() - prepared;
            println!("{target}: {} crates in {seconds:.1} s, after {prepared:.1} s for its library", crates.len());
            checked += 1;
        } else {
            problems.push(format!("{target}: the errors stand above"));
        }
    }
    if problems.is_empty() {
        Ok(format!("{checked} of {} other systems were checked", targets.len()))
    } else {
        Err(problems)
    }
}

impl Toolchain {
    /// Leaves the metadata of the standard library where the compiler looks for it, unless they are there.
    fn standard_library(&self, target: &str) -> Result<(), String> {
        let place = self.unpacked.join("usr/lib/rustlib").join(target);
        if place.exists() {
            return Ok(());
        }
        let (built, new) = (self.folder.join("std"), self.folder.join("std").join("new"));
        let source = self.source()?.join("library");
        let mut command = self.cargo(&built);
        command.args(["check", "--quiet", "--locked", "--target", target]).current_dir(&source);
        command.arg("--manifest-path").arg(source.join("sysroot/Cargo.toml"));
        // As the compiler's own build does it: unstable features are allowed, and no crate of a user is taken for one of these.
        command.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zforce-unstable-if-unmarked");
        command.env("__CARGO_DEFAULT_LIB_METADATA", "forebay").env("CARGO_INCREMENTAL", "0");
        succeed(&mut command).map_err(|why| format!("its standard library cannot be checked ({why})"))?;
        apt::make(&new.join("lib"))?;
        let from = built.join(target).join("debug/deps");
        let files = fs::read_dir(&from).map_err(|error| format!("{}: {error}", from.display()))?;
        for file in files.flatten().filter(|file| file.path().extension().is_some_and(|end| end == "rmeta")) {
            let to = new.join("lib").join(file.file_name());
            fs::copy(file.path(), &to).map_err(|error| format!("{}: {error}", to.display()))?;
        }
        fs::rename(&new, &place).map_err(|error| format!("{}: {error}", place.display()))?;
        remove(&built)
    }

    /// Downloads crates that only this target uses.
    fn fetch_crates(&self, target: &str) -> Result<(), String> {
        let mut command = self.cargo(&self.build());
        command.args(["fetch", "--quiet", "--locked", "--target", target]).current_dir(root());
        succeed(&mut command).map_err(|why| format!("its crates cannot be fetched ({why})"))
    }

    /// Whether all crates pass. Errors go to the terminal.
    fn check(&self, target: &str, crates: &[&str]) -> bool {
        let mut command = self.cargo(&self.build());
        command.args(["check", "--quiet", "--locked", "--offline", "--no-default-features", "--target", target]);
        let package = |name: &&str| {
            if *name == "forebay" { "--package=forebay".to_owned() } else { format!("--package=forebay-{name}") }
        };
        command.args(crates.iter().map(package));
        command.current_dir(root()).stdin(Stdio::null()).status().is_ok_and(|status| status.success())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_checked_is_there() {
        for name in TARGETS.iter().flat_map(|(_, crates)| crates.concat()) {
            assert!(["crates", "labs"].iter().any(|folder| root().join(folder).join(name).exists()), "{name}");
        }
    }
}
