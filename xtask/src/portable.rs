//! Checks that crates build for systems other than Linux, without such a system, its linker or its C compiler.
//!
//! The compiler is Debian's `rustc-web`, which comes with the source of the standard library. It is fetched into
//! `target/portable/root`, without being root, and kept there; apt checks signatures and hashes. For each target, `cargo check` of
//! the standard library leaves the metadata that `cargo check` of a crate needs. Crates are then checked without their default
//! features, since those build C.
//!
//! A target that cannot be had is skipped, and one line says why.

use crate::apt::{self, KEY, archives_in, run, unpack};
use crate::files::{Outcome, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
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

/// Where packages are taken from: the ending of the archive's address, and the suite. Debian 12's compiler runs on later ones.
const SUITES: [(&str, &str); 2] = [("", "bookworm"), ("-security", "bookworm-security")];

/// The oldest compiler that will do.
const MIN_RUST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Checks all crates for all targets, or for the one that is named.
pub(crate) fn check(only: Option<&str>) -> Outcome<String> {
    let targets: Vec<_> = TARGETS.into_iter().filter(|(target, _)| only.is_none_or(|only| *target == only)).collect();
    if targets.is_empty() {
        let known = TARGETS.map(|(target, _)| target).join(", ");
        return Err(vec![format!("check-portable: there is no such target; there are {known}")]);
    }
    let folder = root().join("target/portable");
    let toolchain = match fetch(&folder) {
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

/// Debian's compiler, in a folder.
struct Toolchain {
    /// Of all that is built.
    folder: PathBuf,
    /// Where packages are unpacked.
    unpacked: PathBuf,
}

/// Fetches the compiler unless it is there.
fn fetch(folder: &Path) -> Result<Toolchain, String> {
    apt::make(folder)?;
    let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    let toolchain = Toolchain { unpacked: folder.join("root"), folder };
    // Of a package that was unpacked for an older version of this workspace, nothing is of use.
    if !toolchain.version().is_some_and(|version| is_enough(&version)) {
        remove(&toolchain.unpacked)?;
        remove(&toolchain.build())?;
        toolchain.unpack()?;
        match toolchain.version() {
            Some(version) if is_enough(&version) => {}
            Some(version) => return Err(format!("Debian's rustc-web {version} is older than {MIN_RUST}")),
            None => return Err("Debian's rustc-web does not run here".to_owned()),
        }
    }
    Ok(toolchain)
}

impl Toolchain {
    /// Downloads and unpacks the packages.
    fn unpack(&self) -> Result<(), String> {
        let (apt, archives, new) = (self.folder.join("apt"), self.folder.join("apt/new"), self.folder.join("apt/root"));
        apt::make(&archives)?;
        let archive = apt::archive()?;
        let archive = archive.trim_end_matches('/');
        let source = |(end, suite): (&str, &str)| format!("deb [signed-by={KEY}] {archive}{end} {suite} main\n");
        let options = apt::own(&apt, &SUITES.map(source).concat())?;
        apt::update(&options, &apt.join("lists"))?;
        let packages = packages(&options).map_err(|why| format!("Debian's rustc-web cannot be found ({why})"))?;
        for package in packages {
            let mut command = Command::new("apt-get");
            run(command.args(&options).args(["--quiet", "download", &package]).current_dir(&archives))?;
        }
        for archive in archives_in(&archives)? {
            unpack(&archive, &new)?;
        }
        fs::rename(&new, &self.unpacked).map_err(|error| format!("{}: {error}", self.unpacked.display()))?;
        // Some hundred megabytes; and the compiler's own source.
        remove(&apt)?;
        let source = self.source()?;
        remove(&source.join("compiler"))?;
        remove(&source.join("src"))
    }

    /// What the compiler says of its version, if it runs.
    fn version(&self) -> Option<String> {
        let output =
            Command::new(self.rustc()).arg("--version").env("LD_LIBRARY_PATH", self.libraries()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        text.split(' ').nth(1).map(str::to_owned)
    }

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

    /// Whether all crates pass. What is wrong goes to the terminal.
    fn check(&self, target: &str, crates: &[&str]) -> bool {
        let mut command = self.cargo(&self.build());
        command.args(["check", "--quiet", "--locked", "--offline", "--no-default-features", "--target", target]);
        let package = |name: &&str| {
            if *name == "forebay" { "--package=forebay".to_owned() } else { format!("--package=forebay-{name}") }
        };
        command.args(crates.iter().map(package));
        command.current_dir(root()).stdin(Stdio::null()).status().is_ok_and(|status| status.success())
    }

    /// Cargo with this compiler, building into a folder. No machine code is made but for build scripts and macros.
    fn cargo(&self, to: &Path) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"] {
            command.env_remove(variable);
        }
        command.env("RUSTC", self.rustc()).env("LD_LIBRARY_PATH", self.libraries()).env("CARGO_TARGET_DIR", to);
        command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").env("CARGO_PROFILE_DEV_DEBUG", "false");
        // The workspace says the level of what others wrote; macros are made for one check.
        command.args(["--config", "profile.dev.package.'*'.opt-level=0"]);
        command
    }

    fn build(&self) -> PathBuf {
        self.folder.join("build")
    }

    fn rustc(&self) -> PathBuf {
        self.unpacked.join("usr/bin/rustc")
    }

    fn libraries(&self) -> PathBuf {
        self.unpacked.join("usr/lib").join(format!("{}-linux-gnu", std::env::consts::ARCH))
    }

    /// Where the source is, of which the folder's name has the version.
    fn source(&self) -> Result<PathBuf, String> {
        let folder = self.unpacked.join("usr/src");
        let mut entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?.flatten();
        let source = entries.find(|entry| entry.file_name().to_string_lossy().starts_with("rustc-"));
        source.map(|entry| entry.path()).ok_or("rust-web-src has no source of rustc".to_owned())
    }
}

/// The compiler, its libraries and the source of the standard library, all of the newest version.
fn packages(options: &[String]) -> Result<Vec<String>, String> {
    let field = |package: &str, field: &str| {
        let mut command = Command::new("apt-cache");
        let output = run(command.args(options).args(["show", "--no-all-versions", package]))?;
        let text = String::from_utf8_lossy(&output).into_owned();
        let value = text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(": "));
        value.map(str::to_owned).ok_or(format!("Debian's {package} has no field {field}"))
    };
    let version = field("rustc-web", "Version")?;
    let release: Vec<&str> = version.split('.').take(2).collect();
    let driver = format!("libstd-rust-web-{}", release.join("."));
    let needed = field(&driver, "Depends")?;
    let llvm = needed.split([',', ' ']).find(|word| word.starts_with("libllvm"));
    let llvm = llvm.ok_or(format!("Debian's {driver} needs no LLVM"))?.to_owned();
    let mut packages: Vec<String> =
        ["rustc-web", &driver, "libstd-rust-web-dev", "rust-web-src"].map(|name| format!("{name}={version}")).into();
    packages.push(llvm);
    Ok(packages)
}

/// Runs cargo; the first error that it names.
fn succeed(cargo: &mut Command) -> Result<(), String> {
    let output = cargo.output().map_err(|error| format!("cargo: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let error = text.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or("cargo does not say why");
    Err(error.to_owned())
}

/// Whether a compiler of this version builds the workspace.
fn is_enough(version: &str) -> bool {
    let numbers = |text: &str| text.split('.').map_while(|part| part.parse().ok()).collect::<Vec<u32>>();
    numbers(version) >= numbers(MIN_RUST)
}

fn remove(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if folder.exists() => Err(format!("{}: {error}", folder.display())),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(is_enough("1.100.0") && is_enough(&format!("{MIN_RUST}.1")) && is_enough("2.0.0-nightly"));
        assert!(!is_enough("1.85.0") && !is_enough("1.9.0") && !is_enough(""));
    }

    #[test]
    fn what_is_checked_is_there() {
        for name in TARGETS.iter().flat_map(|(_, crates)| crates.concat()) {
            assert!(["crates", "labs"].iter().any(|folder| root().join(folder).join(name).exists()), "{name}");
        }
    }
}
