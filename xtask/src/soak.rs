//! Runs programs that keep state for minutes or hours: the switch under traffic with changes and interfaces that appear
//! and disappear, changes of policies, and the loading cache. Each ends with an account of its packets or requests and
//! of its memory.

use crate::files::ChoreResult;
use crate::workspace;

/// Tests that have `soak` in their names and take as long as `SOAK_SECONDS` says: two of the switch in namespaces, one of changes, one of the
/// cache.
const TESTS: u64 = 4;

/// Runs all soaks, so many seconds together.
pub(crate) fn run(seconds: &str) -> ChoreResult<String> {
    let wrong = || vec![format!("`{seconds}` should be seconds, 80 or more, such as 180")];
    let seconds: u64 = seconds.parse().map_err(|_| wrong())?;
    if seconds < 20 * TESTS {
        return Err(wrong());
    }
    let mut command = workspace::cargo("test");
    // Side by side they would measure each other's memory.
    command.args(["--test", "it", "--", "--nocapture", "--test-threads", "1", "soak"]);
    command.env("SOAK_SECONDS", (seconds / TESTS).to_string());
    let status = command.status().map_err(|error| vec![format!("cargo: {error}")])?;
    if status.success() {
        Ok("soak: all accounts balance".to_owned())
    } else {
        Err(vec!["a soak has failed".to_owned()])
    }
}
