//! The files that a scenario names: in a folder, or held in memory by Python.

use forebay::error::{Result, UserError};
use forebay::scenario::{Files, Own};
use forebay_traces::requests::HeldRequests;
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

/// The files that are held, and the folder of all others.
#[derive(Debug, Default)]
pub(crate) struct HeldFiles {
    pub(crate) folder: PathBuf,
    pub(crate) requests: BTreeMap<String, HeldRequests>,
    pub(crate) contents: BTreeMap<String, Vec<u8>>,
    pub(crate) own: Own,
}

impl Files for HeldFiles {
    fn open(&self, name: &str) -> Result<(String, Box<dyn Read + Send + '_>)> {
        if let Some(bytes) = self.contents.get(name) {
            return Ok((name.to_owned(), Box::new(Cursor::new(bytes))));
        }
        let path = Files::path(self, name);
        let file = std::fs::File::open(&path).map_err(|error| UserError::io(&path, "opened", &error))?;
        Ok((path.display().to_string(), Box::new(file)))
    }

    fn path(&self, name: &str) -> PathBuf {
        if self.folder == Path::new("") { PathBuf::from(name) } else { self.folder.join(name) }
    }

    fn requests(&self, name: &str) -> Option<HeldRequests> {
        self.requests.get(name).cloned()
    }

    fn own(&self) -> &Own {
        &self.own
    }
}
