//! The files that a scenario reads. Each is read once, must have an end, and is identified by its content.

use crate::error::{Result, UserError};
use crate::run::hex;
use crate::scenario::{Beside, Files, Own};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Cursor, Read};
use std::sync::Arc;

/// Bytes of a file at most, as it is on the disk.
const MOST_BYTES: u64 = 1_000_000_000;

/// Regular files next to the scenario: a device or a pipe may have no end, and opening one may block for ever.
pub struct RegularBeside<'a>(pub Beside<'a>);

impl RegularBeside<'_> {
    /// Rejects a name that is not that of a regular file.
    pub(crate) fn check(&self, name: &str) -> Result<()> {
        if name.is_empty() {
            return Err(UserError::new("the name of the file is empty"));
        }
        let path = self.0.path(name);
        let about = std::fs::metadata(&path).map_err(|error| UserError::io(&path, "opened", &error))?;
        if about.is_dir() {
            return Err(UserError::io(&path, "opened", &io::ErrorKind::IsADirectory.into()));
        }
        if !about.is_file() {
            return Err(UserError::at(
                path.display(),
                "this is a device or a pipe, not a file; write its content to a file first",
            ));
        }
        Ok(())
    }
}

impl Files for RegularBeside<'_> {
    fn open(&self, name: &str) -> Result<(String, Box<dyn Read + Send + '_>)> {
        self.check(name)?;
        self.0.open(name)
    }
}

/// Reads all bytes of an input, up to the size limit of files.
///
/// # Errors If the input cannot be read, or exceeds the limit.
pub fn read_bounded(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Bounded::new(input).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads no more bytes than a file may have.
struct Bounded<R> {
    inner: io::Take<R>,
}

impl<R: Read> Bounded<R> {
    fn new(inner: R) -> Self {
        Self { inner: inner.take(MOST_BYTES) }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.inner.limit() > 0 {
            return self.inner.read(buffer);
        }
        match self.inner.get_mut().read(&mut [0]) {
            Ok(0) => Ok(0),
            Ok(_) => {
                Err(io::Error::other(format!("it has more than {MOST_BYTES} bytes, which is the most that is read")))
            }
            Err(error) => Err(error),
        }
    }
}

/// Reads each file once, so that all runs of a sweep see the same content.
pub(super) struct ReadOnce<'a> {
    inner: &'a dyn Files,
    read: RefCell<BTreeMap<String, Arc<Content>>>,
    /// Files that were asked for since [`ReadOnce::take_asked`].
    asked: RefCell<BTreeMap<String, String>>,
}

struct Content {
    path: String,
    bytes: Vec<u8>,
    sha256: String,
}

impl<'a> ReadOnce<'a> {
    pub(super) fn new(inner: &'a dyn Files) -> Self {
        Self { inner, read: RefCell::default(), asked: RefCell::default() }
    }

    /// Returns the names and checksums of the files that were asked for since the last call.
    pub(super) fn take_asked(&self) -> BTreeMap<String, String> {
        self.asked.take()
    }

    /// Records files as asked for since the last call of [`ReadOnce::take_asked`].
    pub(super) fn note(&self, asked: BTreeMap<String, String>) {
        self.asked.borrow_mut().extend(asked);
    }

    fn content(&self, name: &str) -> Result<Arc<Content>> {
        if let Some(content) = self.read.borrow().get(name) {
            return Ok(Arc::clone(content));
        }
        let (path, input) = self.inner.open(name)?;
        let mut bytes = Vec::new();
        Bounded::new(input)
            .read_to_end(&mut bytes)
            .map_err(|error| UserError::at(&path, format!("cannot be read: {error}")))?;
        let sha256 = hex(&bytes);
        let content = Arc::new(Content { path, bytes, sha256 });
        self.read.borrow_mut().insert(name.to_owned(), Arc::clone(&content));
        Ok(content)
    }
}

impl Files for ReadOnce<'_> {
    fn open(&self, name: &str) -> Result<(String, Box<dyn Read + Send + '_>)> {
        let content = self.content(name)?;
        self.asked.borrow_mut().insert(name.to_owned(), content.sha256.clone());
        Ok((content.path.clone(), Box::new(Cursor::new(Shared(content)))))
    }

    fn own(&self) -> &Own {
        self.inner.own()
    }
}

/// Bytes that several readers share.
struct Shared(Arc<Content>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused_and_what_ends_at_the_limit_is_not() {
        let just = io::repeat(b'x').take(MOST_BYTES);
        assert_eq!(io::copy(&mut Bounded::new(just), &mut io::sink()).unwrap(), MOST_BYTES);
        let error = io::copy(&mut Bounded::new(io::repeat(b'x')), &mut io::sink()).unwrap_err();
        assert!(error.to_string().contains("more than 1000000000 bytes"), "{error}");
    }
}
