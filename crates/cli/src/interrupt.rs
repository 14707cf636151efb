//! Ctrl-C, or a signal to terminate: the first asks running work to stop and to report what it has, the
//! second ends the program at once.

use std::sync::atomic::{AtomicBool, Ordering};

/// Exit status after an interrupt, as shells have it (128 + SIGINT).
pub(crate) const EXIT_STATUS: u8 = 130;

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Watches for Ctrl-C from now on. Where the system has no such thing, nothing
/// changes.
pub(crate) fn watch() {
    let _unsupported = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            std::process::exit(EXIT_STATUS.into());
        }
    });
}

/// Whether Ctrl-C was pressed.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
