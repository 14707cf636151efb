//! Files of a simulated disk: their present content, and the content that remains after a loss of power.

use super::locks::Locks;
use forebay_core::Rng;
use rand::RngExt as _;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

/// A file.
#[derive(Debug, Clone, Default)]
struct File {
    content: Vec<u8>,
    /// The content at the last sync.
    safe: Vec<u8>,
}

/// The files of a disk.
#[derive(Debug, Default)]
pub(crate) struct Content {
    files: Vec<File>,
    /// The number of the file of each path.
    names: BTreeMap<PathBuf, usize>,
    /// The names at the last sync of their folders.
    safe_names: BTreeMap<PathBuf, usize>,
    folders: BTreeSet<PathBuf>,
    pub(crate) locks: Locks,
}

impl Content {
    pub(crate) fn create_folders(&mut self, path: &Path) {
        self.folders.extend(path.ancestors().map(Path::to_owned));
    }

    /// Fails if the path is not a folder.
    pub(crate) fn folder(&self, path: &Path) -> io::Result<()> {
        if self.folders.contains(path) { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
    }

    /// Creates a file; the number is its handle, which outlives its name.
    pub(crate) fn create(&mut self, path: &Path, replaces: bool) -> io::Result<usize> {
        self.folder(path.parent().unwrap_or(path))?;
        if self.names.contains_key(path) && !replaces {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.files.push(File::default());
        self.names.insert(path.to_owned(), self.files.len() - 1);
        Ok(self.files.len() - 1)
    }

    pub(crate) fn number(&self, path: &Path) -> io::Result<usize> {
        self.names.get(path).copied().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    pub(crate) fn write(&mut self, number: usize, bytes: &[u8]) {
        self.files[number].content.extend_from_slice(bytes);
    }

    /// Returns the bytes of a file from an offset on.
    pub(crate) fn read(&self, number: usize, from: usize) -> &[u8] {
        self.files[number].content.get(from..).unwrap_or_default()
    }

    pub(crate) fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.folder(folder)?;
        let within = self.names.keys().chain(&self.folders).filter(|path| path.parent() == Some(folder));
        Ok(within.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect())
    }

    pub(crate) fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let number = self.number(from)?;
        self.names.remove(from);
        self.names.insert(to.to_owned(), number);
        Ok(())
    }

    pub(crate) fn remove(&mut self, path: &Path) -> io::Result<()> {
        self.number(path)?;
        self.names.remove(path);
        Ok(())
    }

    pub(crate) fn sync_file(&mut self, path: &Path) -> io::Result<()> {
        let number = self.number(path)?;
        let file = &mut self.files[number];
        file.safe.clone_from(&file.content);
        Ok(())
    }

    pub(crate) fn sync_folder(&mut self, folder: &Path) -> io::Result<()> {
        self.folder(folder)?;
        self.safe_names.retain(|path, _| path.parent() != Some(folder));
        let within = self.names.iter().filter(|(path, _)| path.parent() == Some(folder));
        self.safe_names.extend(within.map(|(path, number)| (path.clone(), *number)));
        Ok(())
    }

    /// Changes a bit of a file on the disk.
    pub(crate) fn change_bit(&mut self, number: usize, random: &mut Rng) {
        let content = &mut self.files[number].content;
        if !content.is_empty() {
            let place = random.random_range(0..content.len());
            content[place] ^= 1 << random.random_range(0..8);
        }
    }

    /// Sets the checksum of a sealed file to that of its present content, as if nobody compared it.
    pub(crate) fn seal(&mut self, number: usize) {
        let content = &mut self.files[number].content;
        let Ok(text) = std::str::from_utf8(content) else { return };
        let Some((_, rest)) = text.split_once("\",\"content\":") else { return };
        let Some(value) = rest.strip_suffix("}\n") else { return };
        let sum: String = Sha256::digest(value).iter().map(|byte| format!("{byte:02x}")).collect();
        *content = format!("{{\"sha256\":\"{sum}\",\"content\":{value}}}\n").into_bytes();
    }

    /// Truncates a file on the disk.
    pub(crate) fn cut(&mut self, number: usize, random: &mut Rng) {
        let content = &mut self.files[number].content;
        content.truncate(random.random_range(0..=content.len()));
    }

    /// Loses power. Each name is then as it was when its folder was synced last, or as it is now. Each file has its content of the last
    /// sync, and any part of later writes, as written or as zeros.
    pub(crate) fn lose_power(&mut self, random: &mut Rng) {
        let all: BTreeSet<PathBuf> = self.names.keys().chain(self.safe_names.keys()).cloned().collect();
        for path in all {
            let (is, was) = (self.names.get(&path).copied(), self.safe_names.get(&path).copied());
            if is != was && random.random() {
                match was {
                    Some(number) => self.names.insert(path, number),
                    None => self.names.remove(&path),
                };
            }
        }
        for file in &mut self.files {
            if file.content == file.safe {
                continue;
            }
            let safe = file.safe.len().min(file.content.len());
            match random.random_range(0..4) {
                0 => file.content.clone_from(&file.safe),
                1 => file.content.truncate(random.random_range(safe..=file.content.len())),
                2 => file.content[safe..].fill(0),
                _ => {}
            }
            file.safe.clone_from(&file.content);
        }
        self.safe_names.clone_from(&self.names);
    }

    /// Returns all files with their numbers.
    pub(crate) fn all(&self) -> Vec<(PathBuf, usize)> {
        self.names.iter().map(|(path, number)| (path.clone(), *number)).collect()
    }

    pub(crate) fn files(&self, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let within = self.names.iter().filter_map(|(path, number)| Some((path.strip_prefix(folder).ok()?, *number)));
        within.map(|(path, number)| (path.to_owned(), self.files[number].content.clone())).collect()
    }
}
