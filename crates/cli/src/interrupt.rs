//! Ctrl-C, or a signal to terminate: the first asks running work to stop and to report what it has, another
//! one ends the program at once.

use forebay::error::{Result, UserError};
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Exit status after an interrupt, as shells have it (128 + SIGINT).
pub(crate) const EXIT_STATUS: u8 = 130;

/// Signals sooner than this after the first are taken for the same one: `timeout` sends its signal to the program and to
/// its group, so that it comes twice.
const SAME_WITHIN: Duration = Duration::from_secs(1);

/// How often a folder is removed in which somebody writes meanwhile.
const REMOVALS: u32 = 100;

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
    let made = Arc::new(Mutex::new(PathBuf::new()));
    // Whoever asks for the end while the folder is made waits for its name.
    let mut name = made.lock().unwrap_or_else(PoisonError::into_inner);
    let of_handler = Arc::clone(&made);
    let _unsupported = ctrlc::set_handler(move || {
        let path = of_handler.lock().unwrap_or_else(PoisonError::into_inner);
        // What still runs may write there until it hears of the end itself.
        for _ in 0..REMOVALS {
            match std::fs::remove_dir_all(&*path) {
                Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {}
                _ => break,
            }
        }
        std::process::exit(EXIT_STATUS.into());
    });
    let folder = tempfile::tempdir().map_err(|error| {
        let at = std::env::temp_dir();
        UserError::at(
            at.display(),
            format!("no temporary folder can be made there: {error}; TMPDIR names another place"),
        )
    })?;
    name.push(folder.path());
    // Who is first decides; nobody else does.
    let _is_first = tempfile::env::override_temp_dir(folder.path());
    drop(name);
    Ok(folder)
}

/// Whether Ctrl-C was pressed.
pub(crate) fn requested() -> bool {
    FIRST.get().is_some()
}
