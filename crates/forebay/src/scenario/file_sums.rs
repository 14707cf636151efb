//! Files whose contents are summed while they are read, so that a run knows its inputs.

use super::{Files, Own};
use crate::error::Result;
use crate::run::digits;
use sha2::{Digest as _, Sha256};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// Names and checksums of files.
pub(crate) type Asked = BTreeMap<String, String>;

/// Sums the contents of files.
pub(crate) struct Summed<'a> {
    inner: &'a dyn Files,
    asked: RefCell<BTreeMap<String, Sum>>,
}

type Sum = Arc<Mutex<Sha256>>;

impl<'a> Summed<'a> {
    pub(crate) fn new(inner: &'a dyn Files) -> Self {
        Self { inner, asked: RefCell::default() }
    }

    /// Returns the names and checksums of the files that were read since the last call, over the bytes that were read.
    pub(crate) fn take_asked(&self) -> Asked {
        let so_far = |sum: &Sum| digits(sum.lock().unwrap_or_else(PoisonError::into_inner).clone());
        self.asked.take().iter().map(|(name, sum)| (name.clone(), so_far(sum))).collect()
    }
}

impl Files for Summed<'_> {
    fn open(&self, name: &str) -> Result<(String, Box<dyn Read + Send + '_>)> {
        let (path, input) = self.inner.open(name)?;
        let sum = Sum::default();
        self.asked.borrow_mut().insert(name.to_owned(), Arc::clone(&sum));
        Ok((path, Box::new(Summing { input, sum })))
    }

    fn own(&self) -> &Own {
        self.inner.own()
    }
}

/// Sums what is read.
struct Summing<'a> {
    input: Box<dyn Read + Send + 'a>,
    sum: Sum,
}

impl Read for Summing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.sum.lock().unwrap_or_else(PoisonError::into_inner).update(&buffer[..read]);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{Embedded, RECORDING};
    use crate::run::hex;

    #[test]
    fn what_is_read_is_summed() {
        let files = Summed::new(&Embedded);
        let (_, mut input) = files.open("mixed.pcap").unwrap();
        io::copy(&mut input, &mut io::sink()).unwrap();
        drop(input);
        assert_eq!(files.take_asked(), BTreeMap::from([("mixed.pcap".to_owned(), hex(RECORDING))]));
        assert!(files.take_asked().is_empty());
    }
}
