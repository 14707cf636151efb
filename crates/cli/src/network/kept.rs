//! Finished runs in the result folder, so that the same command goes on where it was stopped.
//!
//! `runs/KEY.json` is written last and at once, by renaming; so it stands for all files of its run. The key is a checksum
//! of everything that the run depends on.

use super::run_result::RunResult;
use crate::error::{Result, UserError};
use crate::output::folder;
use std::path::{Path, PathBuf};

/// The folder of finished runs.
pub(super) struct Kept {
    folder: PathBuf,
}

impl Kept {
    /// Makes the folder if need be.
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let kept = Self { folder: folder.to_owned() };
        folder::create(&kept.folder.join("runs"))?;
        Ok(kept)
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join("runs").join(format!("{key}.json"))
    }

    /// A run that has finished before. What cannot be read is run again.
    pub(super) fn find(&self, key: &str) -> Option<RunResult> {
        serde_json::from_slice(&std::fs::read(self.path(key)).ok()?).ok()
    }

    /// Keeps a run: first its tables, each as folder and content, under names that begin with `title`.
    pub(super) fn keep(&self, key: &str, title: &str, result: &RunResult, tables: &[(&str, String)]) -> Result<()> {
        for (name, content) in tables {
            folder::create(&self.folder.join(name))?;
            folder::write(&self.folder.join(name), &format!("{}-{key}.csv", file_name(title)), content.as_bytes())?;
        }
        let path = self.path(key);
        let unfinished = path.with_extension("unfinished");
        let failed = |error: std::io::Error| UserError::io(&path, "written", &error);
        std::fs::write(&unfinished, folder::json(result)?).map_err(failed)?;
        std::fs::rename(&unfinished, &path).map_err(failed)
    }
}

/// A text with nothing in it that a file name may not have.
fn file_name(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { '-' };
    let mut name: String = text.chars().map(safe).take(MAX_CHARS).collect();
    while name.contains("--") {
        name = name.replace("--", "-");
    }
    name.trim_matches(['-', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_tame() {
        assert_eq!(file_name("DCTCP load 0.6 buffer 100 packets 0"), "dctcp-load-0.6-buffer-100-packets-0");
        assert_eq!(file_name("../../ä/b"), "b");
    }
}
