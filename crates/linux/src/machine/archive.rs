//! The initial file system of the kernel: an archive in the format "newc" (Documentation/driver-api/early-userspace of Linux).

use std::collections::BTreeSet;

/// An archive.
#[derive(Debug, Default)]
pub(crate) struct Archive {
    bytes: Vec<u8>,
    folders: BTreeSet<String>,
    entries: u32,
}

const FOLDER: u32 = 0o40_755;
const PROGRAM: u32 = 0o100_755;

impl Archive {
    /// Adds a folder and its parents.
    pub(crate) fn folder(&mut self, path: &str) {
        if let Some((parent, _)) = path.rsplit_once('/') {
            self.folder(parent);
        }
        if self.folders.insert(path.to_owned()) {
            self.entry(path, FOLDER, &[]);
        }
    }

    /// Adds a file that every user may execute.
    pub(crate) fn file(&mut self, path: &str, content: &[u8]) {
        if let Some((parent, _)) = path.rsplit_once('/') {
            self.folder(parent);
        }
        self.entry(path, PROGRAM, content);
    }

    /// Returns the bytes of the finished archive.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.entry("TRAILER!!!", 0, &[]);
        self.bytes
    }

    fn entry(&mut self, path: &str, mode: u32, content: &[u8]) {
        self.entries += 1;
        let length = |bytes: usize| u32::try_from(bytes).expect("files of the machine are below 4 GiB");
        // Number, mode, owner, group, links, time, length, device (two), device of a special file (two), length of the name,
        // checksum.
        let fields = [self.entries, mode, 0, 0, 1, 0, length(content.len()), 0, 0, 0, 0, length(path.len() + 1), 0];
        self.bytes.extend(b"070701");
        for field in fields {
            self.bytes.extend(format!("{field:08X}").bytes());
        }
        self.bytes.extend(path.bytes());
        self.bytes.push(0);
        self.fill();
        self.bytes.extend(content);
        self.fill();
    }

    /// Pads the archive to a multiple of four bytes.
    fn fill(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_before_what_is_in_them_and_once() {
        let mut archive = Archive::default();
        archive.file("a/b/c", b"12345");
        archive.file("a/b/d", b"");
        let bytes = archive.finish();
        assert_eq!(bytes.len() % 4, 0);
        let text = String::from_utf8_lossy(&bytes);
        let names: Vec<&str> =
            text.split("070701").skip(1).map(|entry| entry[104..].split('\0').next().unwrap()).collect();
        assert_eq!(names, ["a", "a/b", "a/b/c", "a/b/d", "TRAILER!!!"]);
        assert_eq!(&text[..6], "070701");
    }
}
