//! Files that a scenario reads: each once, and remembered by what it holds.

use crate::error::{Result, UserError};
use crate::scenario::Files;
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::sync::Arc;

/// Reads each file once; so all runs of a sweep see the same content.
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

    /// Names and checksums of the files that were asked for since the last call.
    pub(super) fn take_asked(&self) -> BTreeMap<String, String> {
        self.asked.take()
    }

    /// Counts files as asked for since the last call of [`ReadOnce::take_asked`].
    pub(super) fn note(&self, asked: BTreeMap<String, String>) {
        self.asked.borrow_mut().extend(asked);
    }

    fn content(&self, name: &str) -> Result<Arc<Content>> {
        if let Some(content) = self.read.borrow().get(name) {
            return Ok(Arc::clone(content));
        }
        let (path, mut input) = self.inner.open(name)?;
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes).map_err(|error| UserError::new(format!("{path}: cannot be read: {error}")))?;
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
}

/// Bytes that several readers share.
struct Shared(Arc<Content>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0.bytes
    }
}

/// SHA-256 in hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
