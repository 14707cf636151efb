//! Writes files completely or not at all. If a file cannot be written, its old content stays. If several processes
//! write it, one of them is the last.

use crate::interrupt::Unfinished;
use forebay::error::{Result, UserError};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Whether the path is no regular file, such as a pipe or `/dev/stdout`. Such a path is written into and never
/// replaced.
pub(crate) fn is_special(path: &Path) -> bool {
    path.starts_with("/dev") || path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Writes a file, which gets its name when it is complete. A link stays a link, and the new file has the mode of the
/// file that it replaces.
pub(crate) fn write_whole<T>(path: &Path, write: impl FnOnce(BufWriter<File>) -> Result<T>) -> Result<T> {
    let failed = |error: &std::io::Error| UserError::io(path, "written", error);
    if is_special(path) {
        let file = File::options().write(true).truncate(true).open(path);
        return write(BufWriter::new(file.map_err(|error| failed(&error))?));
    }
    let name = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (unfinished, file) = Unfinished::create(&name).map_err(|error| failed(&error))?;
    if let Ok(found) = name.metadata() {
        file.set_permissions(found.permissions()).map_err(|error| failed(&error))?;
    }
    let written = write(BufWriter::new(file))?;
    unfinished.finish(&name).map_err(|error| failed(&error))?;
    Ok(written)
}

/// Writes this text.
pub(crate) fn write_text(path: &Path, text: &str) -> Result<()> {
    let failed = |error: std::io::Error| UserError::io(path, "written", &error);
    write_whole(path, |mut file| file.write_all(text.as_bytes()).and_then(|()| file.flush()).map_err(failed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_cannot_be_written_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.oq");
        write_text(&path, "before").unwrap();
        let failed = write_whole(&path, |mut file| {
            file.write_all(b"half").unwrap();
            file.flush().unwrap();
            Err::<(), _>(UserError::new("no space left".to_owned()))
        });
        assert!(failed.is_err());
        assert_eq!(
            (std::fs::read_to_string(&path).unwrap(), names(folder.path())),
            ("before".into(), vec!["p.oq".into()])
        );
    }

    #[test]
    fn two_who_write_at_once_do_not_mix() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        write_whole(&path, |mut one| {
            one.write_all(b"one").unwrap();
            write_text(&path, "another")?;
            one.write_all(b" and the rest").and_then(|()| one.flush()).unwrap();
            Ok(())
        })
        .unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!((text.as_str(), names(folder.path())), ("one and the rest", vec!["t.csv".to_owned()]));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_modes_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("p.oq"), folder.path().join("link.oq"));
        write_text(&path, "before").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        symlink("p.oq", &link).unwrap();
        write_text(&link, "after").unwrap();
        assert!(link.is_symlink() && !path.is_symlink());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "after");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    }
}
