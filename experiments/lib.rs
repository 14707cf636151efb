//! The files of all experiments, as part of a program.

use include_dir::{Dir, include_dir};

/// This folder.
static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR");

/// A path below this folder, with `/` between names, and the content of the file.
pub type File = (String, &'static [u8]);

/// Every file of every experiment, and those that experiments share.
pub fn files() -> Vec<File> {
    let mut files = Vec::new();
    // The top folder has only the files of this crate.
    FOLDER.dirs().for_each(|folder| add(folder, &mut files));
    files
}

fn add(folder: &Dir<'static>, files: &mut Vec<File>) {
    for file in folder.files() {
        let names: Vec<_> = file.path().iter().map(|name| name.to_string_lossy()).collect();
        files.push((names.join("/"), file.contents()));
    }
    folder.dirs().for_each(|inner| add(inner, files));
}
