//! The commit that a benchmark measures, from git.

use std::process::Command;
use std::sync::OnceLock;

/// The sources of the benchmarks. Pages and figures do not change a count.
const CODE: [&str; 4] = [":/Cargo.lock", ":/Cargo.toml", ":/crates", ":/policies"];

/// A commit and its date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    /// Twelve digits of the commit, followed by [`Measured::CHANGED`] if the code has uncommitted changes.
    pub commit: String,
    /// The day of the commit, such as `2026-11-30`.
    pub date: String,
}

impl Measured {
    /// The end of a commit whose tree has changes.
    pub const CHANGED: &str = "-changed";

    /// Returns the commit that is checked out in the present folder. Git is called once.
    ///
    /// # Errors
    ///
    /// If git cannot be run, or the folder is in no repository.
    pub fn now() -> Result<Self, String> {
        static NOW: OnceLock<Result<Measured, String>> = OnceLock::new();
        NOW.get_or_init(Self::ask).clone()
    }

    fn ask() -> Result<Self, String> {
        let (ok, text) = git(&["log", "-1", "--abbrev=12", "--format=%h %cs"])?;
        let Some((commit, date)) = text.trim().split_once(' ').filter(|_| ok) else {
            return Err("git log names no commit; measure in a clone of the repository".to_owned());
        };
        let (unchanged, _) = git(&[&["diff", "--quiet", "HEAD", "--"], &CODE[..]].concat())?;
        let changed = if unchanged { "" } else { Self::CHANGED };
        Ok(Self { commit: format!("{commit}{changed}"), date: date.to_owned() })
    }
}

/// Runs git. Returns whether it succeeded, and its output.
fn git(arguments: &[&str]) -> Result<(bool, String), String> {
    let output = Command::new("git").args(arguments).output();
    let output = output.map_err(|error| format!("git: {error}; install git, which names the measured commit"))?;
    Ok((output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned()))
}
