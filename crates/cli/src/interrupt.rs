//! Ctrl-C, or a signal to terminate: the first asks running work to stop and to report what it has, another
//! one ends the program at once.

use forebay::error::{Result, UserError};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Exit status after an interrupt, as shells have it (128 + SIGINT).
pub(crate) const EXIT_STATUS: u8 = 130;

/// Signals sooner than this after the first are taken for the same one: `timeout` sends its signal to the program and to
/// its group, so that it comes twice.
const SAME_WITHIN: Duration = Duration::from_secs(1);

static FIRST: OnceLock<Instant> = OnceLock::new();

/// Watches for Ctrl-C from now on. Where the system has no such thing, nothing
/// changes.
pub(crate) fn watch() {
    let _unsupported = ctrlc::set_handler(|| {
        if FIRST.get_or_init(Instant::now).elapsed() >= SAME_WITHIN {
            std::process::exit(EXIT_STATUS.into());
        }
    });
}

/// A folder for all temporary files of the program, which goes away when it ends, by Ctrl-C too.
pub(crate) fn scratch() -> Result<TempDir> {
    let folder = tempfile::tempdir().map_err(|error| {
        let at = std::env::temp_dir();
        UserError::at(
            at.display(),
            format!("no temporary folder can be made there: {error}; TMPDIR names another place"),
        )
    })?;
    // Who is first decides; nobody else does.
    let _is_first = tempfile::env::override_temp_dir(folder.path());
    let path = folder.path().to_owned();
    let _unsupported = ctrlc::set_handler(move || {
        // What still runs may write there until it hears of the end itself.
        let _ = std::fs::remove_dir_all(&path);
        std::process::exit(EXIT_STATUS.into());
    });
    Ok(folder)
}

/// Whether Ctrl-C was pressed.
pub(crate) fn requested() -> bool {
    FIRST.get().is_some()
}
