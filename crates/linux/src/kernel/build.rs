//! Builds the programs of a policy with clang.

use crate::kernel::error::{Error, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The paths of the compiled programs of a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    /// The object file of the queueing discipline, which is the same for all policies.
    pub qdisc: PathBuf,
    /// The object file of the policy.
    pub policy: PathBuf,
}

impl Built {
    /// Returns the paths of the programs that `make` has built in `folder`.
    ///
    /// # Errors
    /// If a file is missing.
    pub fn in_folder(folder: &Path) -> Result<Self> {
        let object = |name: &str| {
            let path = folder.join(name);
            if path.is_file() { Ok(path) } else { Err(Error::NotBuilt { path }) }
        };
        Ok(Self { qdisc: object("qdisc.bpf.o")?, policy: object("policy.bpf.o")? })
    }
}

/// The compilers to try, in this order. Before version 19, clang omits information on pointers that the kernel needs.
const COMPILERS: [&str; 4] = ["clang-19", "clang-20", "clang-21", "clang"];

/// The folder where `cargo xtask fetch-kernel` installs a compiler, unless `FOREBAY_KERNEL` names another folder.
const FETCHED: &str = "target/kernel";

/// The compiler's flags, as in the `Makefile` of the target.
const FLAGS: [&str; 5] = ["-g", "-O2", "-target", "bpf", "-mcpu=v3"];

/// Builds the files that the target `bpf` has written to `folder`, in this folder.
///
/// # Errors
/// If there is no compiler, or it reports an error.
pub fn build(folder: &Path) -> Result<Built> {
    let compiler = compiler()?;
    for name in ["qdisc.bpf", "policy.bpf"] {
        let output = Command::new(&compiler)
            .args(FLAGS)
            .arg("-c")
            .arg(folder.join(format!("{name}.c")))
            .arg("-o")
            .arg(folder.join(format!("{name}.o")))
            .output()
            .map_err(Error::file(PathBuf::from(&compiler)))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let first = said.lines().find(|line| line.contains("error")).or(said.lines().next());
            return Err(Error::Compiler {
                compiler: compiler.to_string_lossy().into_owned(),
                message: first.unwrap_or("it gave no reason").trim().to_owned(),
            });
        }
    }
    Built::in_folder(folder)
}

/// Returns the compiler that `CLANG` names, or else the first that is installed on the system or was fetched for tests.
///
/// # Errors
/// If no compiler is found.
pub fn compiler() -> Result<OsString> {
    let works =
        |name: &OsString| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    let missing = |program: String| Error::Missing { program, package: "clang-19", clang: true };
    if let Some(named) = std::env::var_os("CLANG") {
        return if works(&named) { Ok(named) } else { Err(missing(named.to_string_lossy().into_owned())) };
    }
    let fetched =
        std::env::var_os("FOREBAY_KERNEL").map_or_else(|| PathBuf::from(FETCHED), PathBuf::from).join("clang");
    let all = COMPILERS.into_iter().map(OsString::from).chain([fetched.into_os_string()]);
    all.into_iter().find(works).ok_or_else(|| missing("clang".to_owned()))
}
