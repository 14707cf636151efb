//! Files for the tests of programs for the kernel: fetched into `target/kernel`, without being root, and kept there.
//!
//! - `vmlinuz`, `modules/`, `busybox`: a kernel of Debian 13 (backports), whose queueing disciplines may be in BPF, and
//!   the programs of its machine.
//! - `root/`: packages of the system's own archive that the system lacks of QEMU, clang 19, pkgconf, libelf-dev and
//!   zlib1g-dev.
//! - `environment`: variables for a shell that builds from `root`.
//!
//! Where that cannot be done, a message gives the reason, and the tests that need the files are skipped.

use crate::apt::{self, KEY, archives_in, run, unpack, write};
use crate::files::{ChoreResult, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where kernels that are new enough are, in the archive of Debian that the system uses.
const SUITES: [&str; 2] = ["trixie", "trixie-backports"];

/// The oldest kernel there that is new enough, in one package.
const FALLBACK: &str = "linux-image-6.17.13+deb13-cloud-amd64";

/// Modules that the machine loads.
const MODULES: [&str; 12] = [
    "veth.ko",
    "sch_ingress.ko",
    "cls_bpf.ko",
    "sch_tbf.ko",
    "llc.ko",
    "stp.ko",
    "garp.ko",
    "mrp.ko",
    "8021q.ko",
    "bridge.ko",
    "tls.ko",
    "bonding.ko",
];

/// Programs to build and to run: a file by which each is recognised on the system, and its packages. libelf1 is there
/// so that the link in libelf-dev leads somewhere.
const PROGRAMS: [(&str, &[&str]); 5] = [
    ("usr/bin/qemu-system-x86_64", &["qemu-system-x86"]),
    ("usr/bin/clang-19", &["clang-19", "libclang-cpp19", "libllvm19"]),
    ("usr/bin/pkg-config", &["pkgconf", "pkgconf-bin", "libpkgconf3"]),
    ("usr/include/libelf.h", &["libelf-dev", "libelf1"]),
    ("usr/include/zlib.h", &["zlib1g-dev", "zlib1g"]),
];

/// Programs that builds find by a variable.
const NAMED: [(&str, &str); 2] = [("usr/lib/llvm-19/bin/clang", "CLANG"), ("usr/bin/pkgconf", "PKG_CONFIG")];

const LIBRARIES: [&str; 3] = ["usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu", "usr/lib/llvm-19/lib"];

/// Fetches the files that are missing.
pub(crate) fn fetch() -> ChoreResult<String> {
    let folder = root().join("target/kernel");
    Ok(match fetch_kernel(&folder).and_then(|()| fetch_programs(&folder)) {
        Ok(()) => "the kernel, and what runs it, is in target/kernel".to_owned(),
        Err(reason) => format!("skipped: a kernel and what runs it ({reason})"),
    })
}

fn fetch_kernel(folder: &Path) -> Result<(), String> {
    let wanted = ["vmlinuz", "busybox"].map(|name| folder.join(name));
    let modules = MODULES.map(|name| folder.join("modules").join(name));
    if wanted.iter().chain(&modules).all(|path| path.exists()) {
        return Ok(());
    }
    let (apt, archives, unpacked) = (folder.join("apt"), folder.join("apt/new"), folder.join("apt/unpacked"));
    for folder in [&archives, &unpacked, &folder.join("modules")] {
        apt::make(folder)?;
    }
    let options = apt::own(&apt, &sources()?)?;
    apt::update(&options, &apt.join("lists"))?;
    for package in kernel_packages(&options)?.iter().map(String::as_str).chain(["busybox-static"]) {
        let mut command = Command::new("apt-get");
        run(command.args(&options).args(["--quiet", "download", package]).current_dir(&archives))?;
    }
    for archive in archives_in(&archives)? {
        unpack(&archive, &unpacked)?;
    }
    let one = |name: &str| {
        find(&unpacked, &|file| file.starts_with(name))
            .ok_or_else(|| format!("there is no {name} in the packages; they may have changed"))
    };
    for (name, to) in MODULES.iter().zip(&modules) {
        // Compressed modules would need a program for that in the machine.
        let content = run(Command::new("xz").arg("-dc").arg(one(name)?))?;
        fs::write(to, content).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    for (name, to) in ["vmlinuz", "busybox"].into_iter().zip(&wanted) {
        fs::copy(one(name)?, to).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    // Some hundred megabytes.
    fs::remove_dir_all(&apt).map_err(|error| format!("{}: {error}", apt.display()))
}

/// The sources of kernels.
fn sources() -> Result<String, String> {
    let archive = apt::archive()?;
    Ok(SUITES.map(|suite| format!("deb [signed-by={KEY}] {archive} {suite} main\n")).concat())
}

/// The newest kernel for virtual machines: from 6.19 on it is in two packages. Older versions are taken from the archive
/// without notice, so that the version is looked up.
fn kernel_packages(options: &[String]) -> Result<Vec<String>, String> {
    let names = |pattern: &str| {
        let mut command = Command::new("apt-cache");
        let output = run(command.args(options).args(["search", "--names-only", pattern]))?;
        let text = String::from_utf8_lossy(&output).into_owned();
        Ok::<_, String>(text.lines().filter_map(|line| Some(line.split(' ').next()?.to_owned())).collect::<Vec<_>>())
    };
    let modules = names("^linux-modules-[0-9].*-cloud-amd64$")?;
    let pair = |binary: String| {
        let module = binary.replacen("linux-binary-", "linux-modules-", 1);
        modules.contains(&module).then_some(vec![binary, module])
    };
    let mut kernels: Vec<Vec<String>> =
        names("^linux-binary-[0-9].*-cloud-amd64$")?.into_iter().filter_map(pair).collect();
    kernels.sort_by_key(|packages| numbers(&packages[0]));
    Ok(kernels.pop().unwrap_or_else(|| vec![FALLBACK.to_owned()]))
}

/// The numbers in a name, to compare versions.
fn numbers(name: &str) -> Vec<u32> {
    name.split(|letter: char| !letter.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
}

/// The packages that the system lacks, with all that they depend on.
fn fetch_programs(folder: &Path) -> Result<(), String> {
    let (to, archives) = (folder.join("root"), folder.join("archives"));
    let missing: Vec<_> = PROGRAMS
        .iter()
        .filter(|(file, _)| !Path::new("/").join(file).exists() && fs::symlink_metadata(to.join(file)).is_err())
        .flat_map(|(_, packages)| *packages)
        .collect();
    if !missing.is_empty() {
        apt::make(&archives.join("partial"))?;
        apt::make(&to)?;
        let install = |options: &[String]| {
            let mut command = Command::new("apt-get");
            command.args(options).arg(format!("-oDir::Cache::archives={}", archives.display()));
            command.args(["-oDebug::NoLocking=1", "-oAPT::Sandbox::User=", "--quiet", "--yes", "--reinstall"]);
            run(command.args(["--no-install-recommends", "--download-only", "install"]).args(&missing)).map(drop)
        };
        if install(&[]).is_err() {
            // The system has no lists, or old ones: lists of our own need no rights.
            let lists = folder.join("lists");
            apt::update(&[], &lists)?;
            install(&apt::lists_in(&lists))?;
        }
        for archive in archives_in(&archives)? {
            unpack(&archive, &to)?;
        }
        fs::remove_dir_all(&archives).map_err(|error| format!("{}: {error}", archives.display()))?;
    }
    environment(folder, &to)
}

/// Writes the variables with which a shell builds from `root`.
fn environment(folder: &Path, to: &Path) -> Result<(), String> {
    let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    let to_absolute = folder.join("root");
    let libraries = LIBRARIES.map(|place| to_absolute.join(place).display().to_string());
    let mut text = String::new();
    for (program, variable) in NAMED.into_iter().filter(|(program, _)| to.join(program).exists()) {
        let name = program.rsplit_once('/').map_or(program, |(_, name)| name);
        let script = format!(
            "#!/bin/sh\n# {name} with the libraries that were unpacked with it.\nLD_LIBRARY_PATH={} exec {} \"$@\"\n",
            libraries.join(":"),
            to_absolute.join(program).display()
        );
        let path = folder.join(name);
        write(&path, &script)?;
        run(Command::new("chmod").arg("+x").arg(&path))?;
        text.push_str(&format!("export {variable}={}\n", path.display()));
    }
    let headers = ["libelf.h", "zlib.h"].iter().any(|name| to.join("usr/include").join(name).exists());
    if headers {
        text.push_str(&format!(
            "export LIBBPF_SYS_LIBRARY_PATH={}:/usr/lib/x86_64-linux-gnu\nexport LIBBPF_SYS_EXTRA_CFLAGS=-I{}\n",
            libraries[0],
            to_absolute.join("usr/include").display()
        ));
    }
    write(&folder.join("environment"), &text)
}

/// The first file with such a name, in a folder or below.
fn find(folder: &Path, is_wanted: &dyn Fn(&str) -> bool) -> Option<PathBuf> {
    let mut below = Vec::new();
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let kind = entry.file_type().ok()?;
        if kind.is_dir() {
            below.push(entry.path());
        } else if kind.is_file() && is_wanted(&entry.file_name().to_string_lossy()) {
            return Some(entry.path());
        }
    }
    below.sort();
    below.iter().find_map(|folder| find(folder, is_wanted))
}
