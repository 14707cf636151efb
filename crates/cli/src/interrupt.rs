//! Ctrl-C, or a signal to terminate: the first asks running work to stop and to report what it has, another
//! one ends the program at once.

use forebay::error::{Result, UserError};
use forebay::output::temporary_file;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
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

/// What is removed when the program is ended before it is done: its temporary folder, files that are not whole.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ctrl-C ends the program at once from now on.
fn end_at_once() {
    let _unsupported = ctrlc::set_handler(|| end(EXIT_STATUS));
}

/// A folder for all temporary files of the program, which goes away when it ends, by Ctrl-C too.
pub(crate) fn scratch() -> Result<TempDir> {
    // Whoever asks for the end while the folder is made waits for its name.
    let mut names = unfinished();
    end_at_once();
    let folder = tempfile::tempdir().map_err(|error| {
        let at = std::env::temp_dir();
        UserError::at(
            at.display(),
            format!("no temporary folder can be made there: {error}; TMPDIR names another place"),
        )
    })?;
    names.push(folder.path().to_owned());
    // Who is first decides; nobody else does.
    let _is_first = tempfile::env::override_temp_dir(folder.path());
    drop(names);
    Ok(folder)
}

/// A file that is not whole: it is removed when this is dropped, and by Ctrl-C, which ends the program at once.
pub(crate) struct Unfinished(temporary_file::Unfinished);

impl Unfinished {
    /// Begins what will be called `name`, beside it, under a name that no other process has.
    pub(crate) fn create(name: &Path) -> io::Result<(Self, File)> {
        // Whoever asks for the end while the file is made waits for its name.
        let mut names = unfinished();
        end_at_once();
        let (unfinished, file) = temporary_file::Unfinished::create(name)?;
        names.push(unfinished.path().to_owned());
        Ok((Self(unfinished), file))
    }

    /// Gives it its name, since it is whole.
    pub(crate) fn finish(self, name: &Path) -> io::Result<()> {
        std::fs::rename(self.0.path(), name)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // It has another name by now, or if it cannot be removed, its name says what it is.
        let _still_there = std::fs::remove_file(self.0.path());
        unfinished().retain(|other| other != self.0.path());
    }
}

/// Ends the program at once, without its temporary files.
pub(crate) fn end(status: u8) -> ! {
    for path in unfinished().iter() {
        // What still runs may write there until it hears of the end itself.
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
