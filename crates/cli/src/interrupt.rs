//! Ctrl-C, or a signal to terminate. The first one asks running work to stop and to report its results so far. Another
//! one ends the program at once.

use forebay::error::{Result, UserError};
use forebay::output::temporary_file;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Exit status after an interrupt, as in shells (128 + SIGINT).
pub(crate) const EXIT_STATUS: u8 = 130;

/// Signals that arrive sooner than this after the first count as the same signal: `timeout` sends its signal to the
/// program and to its group, so it arrives twice.
const SAME_WITHIN: Duration = Duration::from_secs(1);

/// Attempts to remove a folder into which another thread writes meanwhile.
const REMOVALS: u32 = 100;

static FIRST: OnceLock<Instant> = OnceLock::new();

/// Watches for Ctrl-C from now on. If the system has no such signal, nothing changes.
pub(crate) fn watch() {
    let _unsupported = ctrlc::set_handler(|| {
        if FIRST.get_or_init(Instant::now).elapsed() >= SAME_WITHIN {
            std::process::exit(EXIT_STATUS.into());
        }
    });
}

/// Paths to remove if the program ends before it is done: its temporary folder and incomplete files.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ctrl-C ends the program at once from now on.
fn end_at_once() {
    let _unsupported = ctrlc::set_handler(|| end(EXIT_STATUS));
}

/// A folder for all temporary files of the program. It is removed when the program ends, also by Ctrl-C.
pub(crate) fn scratch() -> Result<TempDir> {
    // A signal handler that ends the program while the folder is created waits for its name.
    let mut names = unfinished();
    end_at_once();
    let folder = tempfile::tempdir().map_err(|error| {
        let at = std::env::temp_dir();
        UserError::at(
            at.display(),
            format!("no temporary folder can be made there: {error}; set TMPDIR to another folder"),
        )
    })?;
    names.push(folder.path().to_owned());
    // The first caller sets the folder; later ones do not change it.
    let _is_first = tempfile::env::override_temp_dir(folder.path());
    drop(names);
    Ok(folder)
}

/// An incomplete file. It is removed when this is dropped, and by Ctrl-C, which ends the program at once.
pub(crate) struct Unfinished(temporary_file::Unfinished);

impl Unfinished {
    /// Creates a file beside `name`, under a name that no other process uses. [`finish`](Self::finish) renames it to
    /// `name`.
    pub(crate) fn create(name: &Path) -> io::Result<(Self, File)> {
        // A signal handler that ends the program while the file is created waits for its name.
        let mut names = unfinished();
        end_at_once();
        let (unfinished, file) = temporary_file::Unfinished::create(name)?;
        names.push(unfinished.path().to_owned());
        Ok((Self(unfinished), file))
    }

    /// Gives the complete file its name.
    pub(crate) fn finish(self, name: &Path) -> io::Result<()> {
        std::fs::rename(self.0.path(), name)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // The file has been renamed by now. If it cannot be removed, its name says that it is temporary.
        let _still_there = std::fs::remove_file(self.0.path());
        unfinished().retain(|other| other != self.0.path());
    }
}

/// Ends the program at once, without its temporary files.
pub(crate) fn end(status: u8) -> ! {
    for path in unfinished().iter() {
        // Running threads may write there until they notice the end.
        for _ in 0..REMOVALS {
            let removed = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
            match removed {
                Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {}
                _ => break,
            }
        }
    }
    std::process::exit(status.into())
}

/// Whether Ctrl-C was pressed.
pub(crate) fn requested() -> bool {
    FIRST.get().is_some()
}
