//! Files beside those that they will be: under a name that no other process has, until they are whole.
//!
//! ```
//! use std::io::Write as _;
//!
//! let folder = std::env::temp_dir().join(format!("forebay-beside-{}", std::process::id()));
//! std::fs::create_dir(&folder)?;
//! let name = folder.join("trace.csv");
//! let (unfinished, mut file) = forebay::output::beside::create(&name)?;
//! file.write_all(b"slot,key\n")?;
//! std::fs::rename(&unfinished, &name)?;
//! assert_eq!(std::fs::read_to_string(&name)?, "slot,key\n");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), std::io::Error>(())
//! ```

use super::unfinished::{DIGITS, ENDING};
use std::fs::File;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Begins what will be called `name`: the path that it has for now, and the file.
///
/// # Errors
/// If no file can be made there.
pub fn create(name: &Path) -> io::Result<(PathBuf, File)> {
    loop {
        let number = RandomState::new().build_hasher().finish();
        let path = name.with_added_extension(format!("{number:0DIGITS$x}.{ENDING}"));
        match File::create_new(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}
