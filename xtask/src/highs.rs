//! Libraries for the tests of the exact linear programme: HiGHS, and libclang, through which HiGHS' crate reads its
//! header. Also CMake, with which a crate of the proxy builds zlib-ng.
//!
//! They are fetched from PyPI into `target/tools`, pinned by hash, unless the system has them.
//! `target/tools/environment` then has the variables that the build needs ([`crate::workspace`]). Where that cannot be
//! done, a message gives the reason, and the workspace is built and tested without the exact linear programme.

use crate::files::{ChoreResult, root};
use crate::workspace::KERNEL;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Versions and hashes.
const PINNED: &str = "xtask/highs.txt";

/// Fetches HiGHS if it is missing.
pub(crate) fn fetch() -> ChoreResult<String> {
    let folder = root().join("target/tools");
    let told = folder.join("environment");
    Ok(match find(&folder).and_then(|variables| write(&told, &variables)) {
        Ok(()) => "HiGHS is installed for the exact linear programme".to_owned(),
        Err(why) => {
            // Nothing may be built with half an installation.
            let _was_never_there = fs::remove_file(&told);
            format!("skipped: the exact linear programme ({why})")
        }
    })
}

/// Variables of the build and of the tests, as the shell takes them.
fn find(folder: &Path) -> Result<String, String> {
    let Some(pkg_config) = pkg_config() else { return Err("pkg-config is missing; install it".to_owned()) };
    let has_highs = works(Command::new(&pkg_config).args(["--exists", "highs >= 1.5"]));
    let libclang = installed_libclang();
    let has_cmake = works(Command::new("cmake").arg("--version"));
    if !has_highs || libclang.is_none() || !has_cmake {
        fetch_pinned(folder)?;
    }
    let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut variables = Vec::new();
    if !has_highs {
        variables.push(("PKG_CONFIG", pkg_config));
        variables.push(("PKG_CONFIG_PATH", describe(&folder)?.display().to_string()));
        variables.push(("LD_LIBRARY_PATH", folder.join("highsbox/highs_dist/lib").display().to_string()));
    }
    if libclang.is_none() {
        variables.push(("LIBCLANG_PATH", folder.join("clang/native").display().to_string()));
        // That libclang comes without the compiler's own headers; those of gcc will do.
        let headers =
            Command::new("gcc").arg("-print-file-name=include").output().map_err(|error| format!("gcc: {error}"))?;
        variables.push(("BINDGEN_EXTRA_CLANG_ARGS", format!("-I{}", String::from_utf8_lossy(&headers.stdout).trim())));
    }
    if !has_cmake {
        variables.push(("CMAKE", folder.join("cmake/data/bin/cmake").display().to_string()));
    }
    Ok(variables.iter().map(|(name, value)| format!("export {name}='{value}'\n")).collect())
}

/// Tells pkg-config where the HiGHS of PyPI is; its own description names the folder in which it was built.
fn describe(folder: &Path) -> Result<PathBuf, String> {
    let built = folder.join("highsbox/highs_dist");
    let told = fs::read_to_string(built.join("lib/pkgconfig/highs.pc")).map_err(|error| error.to_string())?;
    let version = told.lines().find(|line| line.starts_with("Version:")).ok_or("highs.pc has no version")?;
    let here = built.display();
    let description = format!(
        "Name: HiGHS\nDescription: Linear optimisation\n{version}\nLibs: -L{here}/lib -lhighs\nCflags: -I{here}/include/highs\n"
    );
    let place = folder.join("highs");
    fs::create_dir_all(&place).map_err(|error| format!("{}: {error}", place.display()))?;
    write(&place.join("highs.pc"), &description)?;
    Ok(place)
}

/// Writes a file, unless it has that content: builds go by its time.
fn write(path: &Path, text: &str) -> Result<(), String> {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The system's pkg-config, or the one that `fetch-kernel` has unpacked.
fn pkg_config() -> Option<String> {
    let fetched = root().join(KERNEL).join("pkgconf");
    let candidates = ["pkg-config".to_owned(), fetched.display().to_string()];
    candidates.into_iter().find(|program| works(Command::new(program).arg("--version")))
}

/// The folder of a libclang of the system.
fn installed_libclang() -> Option<PathBuf> {
    if let Some(told) = std::env::var_os("LIBCLANG_PATH") {
        return Some(told.into());
    }
    let folders = fs::read_dir("/usr/lib").ok()?.flatten().map(|entry| entry.path());
    let llvm = folders.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("llvm-")));
    llvm.map(|path| path.join("lib")).find(|lib| {
        fs::read_dir(lib).is_ok_and(|files| {
            files.flatten().any(|file| {
                let name = file.file_name().to_string_lossy().into_owned();
                name.starts_with("libclang.so") || name.starts_with("libclang-") && !name.starts_with("libclang-cpp")
            })
        })
    })
}

/// Installs the packages of PyPI into `folder`, if they are not those that are there.
fn fetch_pinned(folder: &Path) -> Result<(), String> {
    let wanted = fs::read_to_string(root().join(PINNED)).map_err(|error| format!("{PINNED}: {error}"))?;
    let stamp = folder.join("made-from");
    if fs::read_to_string(&stamp).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    let mut pip = Command::new("python3");
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--upgrade",
        "--no-deps",
        "--require-hashes",
    ]);
    pip.arg("--target").arg(folder).arg("--requirement").arg(root().join(PINNED));
    let output = pip.output().map_err(|error| format!("python3: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let why = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("pip does not say why");
        return Err(format!("HiGHS cannot be had from PyPI: {why}"));
    }
    write(&stamp, &wanted)
}

fn works(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}
