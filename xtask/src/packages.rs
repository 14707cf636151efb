//! Debian packages for the tests of programs for DPDK and of the switch. Development files of DPDK and iperf3 are
//! installed if that is allowed. The two headers that are in DPDK's source only go to `target/dpdk`.
//!
//! Where that cannot be done, a message gives the reason, and the tests that need the packages are skipped.

use crate::apt::{self, KEY, run};
use crate::files::{ChoreResult, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file by which it is recognised on the system, and the package.
const PACKAGES: [(&str, &str); 2] = [("/usr/include/dpdk/rte_eal.h", "dpdk-dev"), ("/usr/bin/iperf3", "iperf3")];

/// What programs that DPDK makes of specifications include, of its source.
const HEADERS: [&str; 2] = ["lib/pipeline/rte_swx_pipeline_internal.h", "lib/pipeline/rte_swx_pipeline_spec.h"];

/// Installs and fetches the files that are missing.
pub(crate) fn fetch() -> ChoreResult<String> {
    Ok(match install().and_then(|()| fetch_headers(&root().join("target/dpdk"))) {
        Ok(()) => "DPDK's development files and iperf3 are installed".to_owned(),
        Err(reason) => format!("skipped: DPDK's development files and iperf3 ({reason})"),
    })
}

fn install() -> Result<(), String> {
    let missing: Vec<_> =
        PACKAGES.iter().filter(|(file, _)| !Path::new(file).exists()).map(|(_, package)| *package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let all = missing.join(" ");
    if run(Command::new("id").arg("-u"))?.trim_ascii() != b"0" {
        return Err(format!("only root may install; run: sudo apt-get install {all}"));
    }
    let install = || {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").args(["--quiet", "--yes", "--no-install-recommends"]);
        run(command.arg("install").args(&missing)).map(drop)
    };
    install().or_else(|_| {
        // The system has no lists, or old ones.
        run(Command::new("apt-get").args(["--quiet", "update"]))?;
        install()
    })
}

/// The headers of the source of the DPDK that is installed.
fn fetch_headers(folder: &Path) -> Result<(), String> {
    if HEADERS.iter().all(|header| folder.join(header).exists()) {
        return Ok(());
    }
    let installed = run(Command::new("dpkg-query").args(["--show", "--showformat", "${Version}", "libdpdk-dev"]))?;
    let version = String::from_utf8_lossy(&installed).into_owned();
    let archive = apt::archive()?;
    let suite = suite()?;
    let apt = folder.join("apt");
    let options = apt::own(&apt, &format!("deb-src [signed-by={KEY}] {archive} {suite} main\n"))?;
    apt::update(&options, &apt.join("lists"))?;
    let mut command = Command::new("apt-get");
    command.args(&options).args(["--quiet", "--download-only", "source", &format!("dpdk={version}")]);
    run(command.current_dir(&apt))?;
    let mut command = Command::new("tar");
    command.arg("--extract").arg("--file").arg(archive_of_source(&apt)?).arg("--directory").arg(folder);
    run(command.args(["--strip-components=1", "--wildcards"]).args(HEADERS.map(|header| format!("*/{header}"))))?;
    std::fs::remove_dir_all(&apt).map_err(|error| format!("{}: {error}", apt.display()))
}

/// What Debian calls the system's release.
fn suite() -> Result<String, String> {
    let text = std::fs::read_to_string("/etc/os-release").map_err(|error| format!("/etc/os-release: {error}"))?;
    let name = text.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    name.map(|name| name.trim_matches('"').to_owned()).ok_or("/etc/os-release names no release".to_owned())
}

fn archive_of_source(folder: &Path) -> Result<PathBuf, String> {
    let files = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let is_it = |path: &PathBuf| path.to_string_lossy().contains(".orig.tar");
    files
        .flatten()
        .map(|file| file.path())
        .find(is_it)
        .ok_or("the source package of dpdk has no original archive".to_owned())
}
