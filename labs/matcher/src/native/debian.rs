//! Where the packages of Debian are: installed, or unpacked into a folder of the build.

use std::path::{Path, PathBuf};

/// Where the files of the packages are looked for.
#[derive(Debug, Clone)]
pub struct Debian {
    roots: Vec<PathBuf>,
}

impl Debian {
    /// In the system, and in `unpacked`, where `cargo xtask fetch-debian` puts packages.
    #[must_use]
    pub fn new(unpacked: &Path) -> Self {
        Self { roots: vec![PathBuf::from("/"), unpacked.to_path_buf()] }
    }

    /// Folders with libraries beside those that the system's loader knows.
    #[must_use]
    pub fn library_folders(&self) -> Vec<PathBuf> {
        let mut folders = Vec::new();
        for root in &self.roots {
            let Ok(entries) = std::fs::read_dir(root.join("usr/lib")) else { continue };
            let mut here: Vec<PathBuf> = entries
                .flatten()
                .filter(|entry| entry.file_name().to_string_lossy().ends_with("-linux-gnu"))
                .map(|entry| entry.path())
                .collect();
            here.sort();
            folders.extend(here);
        }
        folders
    }

    /// The folder with the rules of `modsecurity-crs`.
    #[must_use]
    pub fn rules(&self) -> Option<PathBuf> {
        self.roots.iter().map(|root| root.join("usr/share/modsecurity-crs/rules")).find(|folder| folder.is_dir())
    }
}
