//! What keeps state, killed at random moments: sweeps, the switch under traffic, commands that deploy to a kernel, and a program with a
//! loading cache. After each kill the account balances, and nothing is left behind.

use crate::files::{ChoreResult, root};
use crate::workspace;

/// Tests that take so many kills as `FOREBAY_KILLS` says.
const TESTS: u64 = 4;

/// Kills so many processes in all.
pub(crate) fn run(kills: &str) -> ChoreResult<String> {
    let wrong = || vec![format!("`{kills}` should be a number of kills, such as 1000")];
    let share = kills.parse::<u64>().map_err(|_| wrong())?.div_ceil(TESTS);
    let kernel = root().join("target/kernel");
    for (suite, filter) in [("it", &["kills::", "is_killed"][..]), ("kernel", &["kills::"])] {
        let mut command = workspace::cargo("test");
        command.args(["--test", suite, "--", "--nocapture", "--test-threads", "1"]).args(filter);
        command.env("FOREBAY_KILLS", share.to_string());
        if kernel.join("environment").is_file() {
            command.env("FOREBAY_KERNEL", &kernel);
        }
        let status = command.status().map_err(|error| vec![format!("cargo: {error}")])?;
        if !status.success() {
            return Err(vec!["after a kill a promise was broken".to_owned()]);
        }
    }
    let moments = TESTS * share;
    Ok(format!(
        "killed at {moments} moments, some after the end: all accounts balance, nothing was left; what is skipped stands above"
    ))
}
