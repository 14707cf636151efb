//! The bounded model checker CBMC: the system's, or that of Debian 13, fetched into `target/cbmc` without being root.
//!
//! Debian 12 has none. The parts of the C library that Debian 13's CBMC needs come with it, and its own loader starts
//! it.

use crate::apt::{self, KEY, archives_in, run, unpack};
use crate::files::{ChoreResult, root};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

const SUITE: &str = "trixie";
const PACKAGES: [&str; 5] = ["cbmc", "minisat", "libc6", "libgcc-s1", "libstdc++6"];

/// Leaves a program `target/cbmc/cbmc`.
pub(crate) fn fetch() -> ChoreResult<String> {
    let folder = root().join("target/cbmc");
    let program = folder.join("cbmc");
    if runs(&program) {
        return Ok("CBMC is in target/cbmc".to_owned());
    }
    let made =
        if runs(Path::new("cbmc")) { write(&program, "#!/bin/sh\nexec cbmc \"$@\"\n") } else { unpacked(&folder) };
    Ok(match made {
        Ok(()) if runs(&program) => "CBMC is in target/cbmc".to_owned(),
        Ok(()) => "skipped: CBMC (Debian's does not run here)".to_owned(),
        Err(why) => format!("skipped: CBMC ({why})"),
    })
}

fn runs(program: &Path) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Fetches the packages and unpacks them, with a script that starts the program.
fn unpacked(folder: &Path) -> Result<(), String> {
    let (apt, archives, unpacked) = (folder.join("apt"), folder.join("apt/new"), folder.join("root"));
    apt::make(&archives)?;
    let archive = apt::archive()?;
    let source = format!("deb [signed-by={KEY}] {} {SUITE} main\n", archive.trim_end_matches('/'));
    let options = apt::own(&apt, &source)?;
    apt::update(&options, &apt.join("lists"))?;
    for package in PACKAGES {
        let mut command = Command::new("apt-get");
        run(command.args(&options).args(["--quiet", "download", package]).current_dir(&archives))?;
    }
    for archive in archives_in(&archives)? {
        unpack(&archive, &unpacked)?;
    }
    fs::remove_dir_all(&apt).map_err(|error| format!("{}: {error}", apt.display()))?;
    let place = unpacked.display();
    write(
        &folder.join("cbmc"),
        &format!(
            "#!/bin/sh\nexec {place}/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 --library-path \
             {place}/usr/lib:{place}/usr/lib/x86_64-linux-gnu {place}/usr/bin/cbmc \"$@\"\n"
        ),
    )
}

/// Writes a script that can be run.
fn write(program: &Path, text: &str) -> Result<(), String> {
    if let Some(folder) = program.parent() {
        apt::make(folder)?;
    }
    apt::write(program, text)?;
    fs::set_permissions(program, fs::Permissions::from_mode(0o755))
        .map_err(|error| format!("{}: {error}", program.display()))
}
