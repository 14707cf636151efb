//! Debian's compiler `rustc-web`, which comes with the source of the standard library, and the linker for WebAssembly.
//!
//! Packages are unpacked into a folder, without being root, and kept there; apt checks signatures and hashes.

use crate::apt::{self, KEY, archives_in, run, unpack};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where packages are taken from: the ending of the archive's address, and the suite. Debian 12's compiler runs on later ones.
const SUITES: [(&str, &str); 2] = [("", "bookworm"), ("-security", "bookworm-security")];

/// The oldest compiler that will do.
const MIN_RUST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Debian's compiler, in a folder.
pub(crate) struct Toolchain {
    /// Of all that is built.
    pub(crate) folder: PathBuf,
    /// Where packages are unpacked.
    pub(crate) unpacked: PathBuf,
}

/// Fetches the compiler unless it is there.
pub(crate) fn fetch(folder: &Path) -> Result<Toolchain, String> {
    apt::make(folder)?;
    let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    let toolchain = Toolchain { unpacked: folder.join("root"), folder };
    // Packages that were unpacked for an older version of this workspace may lack files that are needed now.
    let is_whole = toolchain.wasm_linker().is_ok();
    if !is_whole || !toolchain.version().is_some_and(|version| is_enough(&version)) {
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

    /// The compiler's version, if it runs.
    fn version(&self) -> Option<String> {
        let output =
            Command::new(self.rustc()).arg("--version").env("LD_LIBRARY_PATH", self.libraries()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        text.split(' ').nth(1).map(str::to_owned)
    }

    /// Cargo with this compiler, building into a folder. Machine code is made only for build scripts and macros.
    pub(crate) fn cargo(&self, to: &Path) -> Command {
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

    pub(crate) fn build(&self) -> PathBuf {
        self.folder.join("build")
    }

    pub(crate) fn rustc(&self) -> PathBuf {
        self.unpacked.join("usr/bin/rustc")
    }

    /// The linker for WebAssembly.
    pub(crate) fn wasm_linker(&self) -> Result<PathBuf, String> {
        let folder = self.unpacked.join("usr/lib");
        let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?.flatten();
        let linkers = entries.map(|entry| entry.path().join("bin/wasm-ld"));
        linkers.into_iter().find(|path| path.exists()).ok_or("Debian's lld has no wasm-ld".to_owned())
    }

    pub(crate) fn libraries(&self) -> PathBuf {
        self.unpacked.join("usr/lib").join(format!("{}-linux-gnu", std::env::consts::ARCH))
    }

    /// Where the source is, of which the folder's name has the version.
    pub(crate) fn source(&self) -> Result<PathBuf, String> {
        let folder = self.unpacked.join("usr/src");
        let mut entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?.flatten();
        let source = entries.find(|entry| entry.file_name().to_string_lossy().starts_with("rustc-"));
        source.map(|entry| entry.path()).ok_or("rust-web-src has no source of rustc".to_owned())
    }
}

/// The compiler, its libraries, its linker and the source of the standard library, all of the newest version.
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
    let version_of_llvm = llvm.trim_start_matches("libllvm").to_owned();
    packages.extend([llvm, format!("lld-{version_of_llvm}")]);
    Ok(packages)
}

/// Runs cargo; the first error that it names.
pub(crate) fn succeed(cargo: &mut Command) -> Result<(), String> {
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

pub(crate) fn remove(folder: &Path) -> Result<(), String> {
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
}
