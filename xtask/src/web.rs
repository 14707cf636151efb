//! Builds the playground: the library as WebAssembly by Debian's compiler, and its pages by Node.
//!
//! The compiler builds the standard library for the target, too (`-Z build-std`), since no registry has it in binary form. A machine
//! without the compiler or without Node skips the playground, and one line says why.

use crate::debian_rustc::{self, Toolchain, remove};
use crate::files::{ChoreResult, root};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const TARGET: &str = "wasm32-unknown-unknown";

/// Where the pages are left.
const PAGES: &str = "target/web/pages";

/// Builds the pages into a folder.
pub(crate) fn run(words: &[&str]) -> ChoreResult<String> {
    let pages = match words {
        [] => root().join(PAGES),
        [folder] => std::path::absolute(folder).map_err(|error| vec![format!("{folder}: {error}")])?,
        _ => return Err(vec!["web: name at most one folder".to_owned()]),
    };
    let begin = Instant::now();
    if !runs("node") || !runs("npm") {
        return Ok("skipped: the playground needs node and npm; run: apt-get install nodejs npm".to_owned());
    }
    let toolchain = match debian_rustc::fetch(&root().join("target/portable")) {
        Ok(toolchain) => toolchain,
        Err(why) => return Ok(format!("skipped: the playground: {why}")),
    };
    let module = compile(&toolchain).map_err(|why| vec![why])?;
    let web = root().join("web");
    let npm = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    succeed(Command::new("npm").args(npm).current_dir(&web)).map_err(|why| vec![why])?;
    for script in ["check", "build"] {
        let mut command = Command::new("npm");
        command.args(["run", "--silent", script]);
        if script == "build" {
            command.arg("--").args([pages.as_path(), module.as_path()]);
        }
        succeed(command.current_dir(&web)).map_err(|why| vec![why])?;
    }
    Ok(format!("{} in {:.0} s", shown(&pages), begin.elapsed().as_secs_f64()))
}

/// The module, small rather than fast: it is loaded before the first answer.
fn compile(toolchain: &Toolchain) -> Result<PathBuf, String> {
    // What `check-portable` left there would be taken for the library that is built here.
    remove(&toolchain.unpacked.join("usr/lib/rustlib").join(TARGET))?;
    let build = root().join("target/web/build");
    let mut command = toolchain.cargo(&build);
    command.args(["build", "--quiet", "--release", "--locked", "--package", "forebay-web", "--target", TARGET]);
    command.args(["-Z", "build-std=std,panic_abort"]).env("RUSTC_BOOTSTRAP", "1");
    command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "z").env("CARGO_PROFILE_RELEASE_PANIC", "abort");
    // With level s the module was 8 % larger after compression. Optimising across crates took more than twice as long.
    command.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "4");
    let linker = toolchain.wasm_linker()?;
    command.arg("--config").arg(format!("target.{TARGET}.linker={:?}", linker.display().to_string()));
    succeed(command.current_dir(root()))?;
    Ok(build.join(TARGET).join("release/forebay_web.wasm"))
}

/// Tests the pages in a browser, beside the program that was built last.
pub(crate) fn test() -> ChoreResult<String> {
    let pages = root().join(PAGES);
    if !pages.join("forebay.wasm").exists() {
        return Ok("skipped: the playground was not built; `make web` says why".to_owned());
    }
    let mut command = Command::new("node");
    command.args(["--test", "--test-reporter=spec", "test/"]).current_dir(root().join("web"));
    command.env("FOREBAY_PAGES", &pages).env("FOREBAY_REPOSITORY", root());
    command.env("FOREBAY", root().join("target/debug/forebay"));
    command.env("FOREBAY_SCREENSHOTS", root().join("target/web/screenshots"));
    succeed(&mut command).map_err(|why| vec![why])?;
    Ok("the playground is tested".to_owned())
}

fn runs(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

/// Runs it where its messages can be seen.
fn succeed(command: &mut Command) -> Result<(), String> {
    match command.stdin(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("{:?} failed", command.get_program())),
        Err(error) => Err(format!("{:?}: {error}", command.get_program())),
    }
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
