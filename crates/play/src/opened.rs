//! The files that a page has opened.

use forebay::demo::{RECORDING, RECORDING_NAME};
use forebay::error::{Result, UserError};
use forebay::scenario::Files;
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::sync::Arc;

/// Files that a program opens for the room, such as those of its command line.
pub(crate) type OtherFiles = Arc<dyn Files + Send + Sync>;

/// The contents of files by their names. The recording of the demo is always included.
#[derive(Default)]
pub(crate) struct Opened {
    contents: BTreeMap<String, Vec<u8>>,
    others: Option<OtherFiles>,
}

impl Opened {
    /// Creates the files of the demo, and uses those of the program.
    pub(crate) fn with(others: OtherFiles) -> Self {
        Self { contents: BTreeMap::new(), others: Some(others) }
    }

    /// Adds a file, or replaces its content.
    pub(crate) fn put(&mut self, name: &str, content: Vec<u8>) {
        self.contents.insert(name.to_owned(), content);
    }

    /// Returns the content of a file.
    pub(crate) fn content(&self, name: &str) -> Result<&[u8]> {
        match self.contents.get(name) {
            Some(content) => Ok(content),
            None if name == RECORDING_NAME => Ok(RECORDING),
            None => Err(UserError::at(name, "this file is not open; drop it on the page")),
        }
    }
}

impl Files for Opened {
    fn open(&self, name: &str) -> Result<(String, Box<dyn Read + Send + '_>)> {
        if let Some(others) =
            self.others.as_ref().filter(|_| !self.contents.contains_key(name) && name != RECORDING_NAME)
        {
            return others.open(name);
        }
        Ok((name.to_owned(), Box::new(Cursor::new(self.content(name)?))))
    }
}
