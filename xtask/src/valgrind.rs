//! The software switch under valgrind's memcheck: under traffic, while its policy changes and its interfaces come and go, with both back ends.
//!
//! A folder in `target` has an `ip` that starts the switch under valgrind and stands first in PATH, so that the soak of the tests runs it.

use crate::files::{ChoreResult, root};
use crate::workspace;
use crate::wrapper::before_path;
use std::fs;
use std::path::Path;
use std::process::Command;

/// How long each back end runs.
const SECONDS: &str = "20";

pub(crate) fn run() -> ChoreResult<String> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        return Ok("skipped: the switch under valgrind (valgrind is missing; install valgrind)".to_owned());
    }
    let folder = std::path::absolute(root().join("target/valgrind"));
    let path = folder.and_then(|folder| {
        fs::create_dir_all(&folder)?;
        before_path(&folder, "ip", script)
    });
    let path = path.map_err(|error| vec![format!("target/valgrind: ip: {error}")])?;
    let mut command = workspace::cargo("test");
    command.args(["--test", "it", "--", "--nocapture", "--test-threads", "1", "switch_soak"]);
    command.env("PATH", path).env("SOAK_SECONDS", SECONDS).env("FOREBAY_VALGRIND", "1");
    let status = command.status().map_err(|error| vec![format!("cargo: {error}")])?;
    if status.success() {
        Ok("valgrind: no error in the switch; tests that were skipped are named above".to_owned())
    } else {
        Err(vec!["valgrind has found an error in the switch, or its account does not balance".to_owned()])
    }
}

/// Calls `ip`, but starts valgrind where that is to start a switch: `ip netns exec NAME PROGRAM switch ...`. An error ends the program with 99, which
/// the soak does not take.
fn script(ip: &Path) -> String {
    let ip = ip.display();
    format!(
        "if [ \"$1 $2\" = \"netns exec\" ] && [ \"$5\" = switch ]; then\n  name=$3\n  shift 3\n  \
         exec {ip} netns exec \"$name\" valgrind --quiet --error-exitcode=99 \"$@\"\nfi\nexec {ip} \"$@\"\n"
    )
}
