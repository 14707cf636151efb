//! Things that C knows by numbers, which are never given twice.

use crate::status::Status;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// Objects that are known by numbers.
pub(crate) struct Registry<T> {
    all: RwLock<Numbered<T>>,
    /// The status for a wrong number.
    wrong: Status,
}

struct Numbered<T> {
    last: u64,
    known: Option<HashMap<u64, Arc<T>>>,
}

impl<T> Registry<T> {
    /// An empty registry; `wrong` is the status for a wrong number.
    pub(crate) const fn new(wrong: Status) -> Self {
        Self { all: RwLock::new(Numbered { last: 0, known: None }), wrong }
    }

    /// Gives a thing a number, from 1.
    pub(crate) fn add(&self, thing: T) -> u64 {
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        all.last += 1;
        let number = all.last;
        all.known.get_or_insert_default().insert(number, Arc::new(thing));
        number
    }

    /// The object with this number.
    pub(crate) fn get(&self, number: u64) -> Result<Arc<T>, Status> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        all.known.as_ref().and_then(|known| known.get(&number)).cloned().ok_or(self.wrong)
    }

    /// Forgets the object with this number.
    pub(crate) fn remove(&self, number: u64) -> Result<Arc<T>, Status> {
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        all.known.as_mut().and_then(|known| known.remove(&number)).ok_or(self.wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_with_one_and_are_not_given_again() {
        let registry = Registry::new(Status::NoTicket);
        assert_eq!(registry.get(0), Err(Status::NoTicket));
        assert_eq!([registry.add('a'), registry.add('b')], [1, 2]);
        assert_eq!(registry.remove(1).as_deref(), Ok(&'a'));
        assert_eq!([registry.remove(1), registry.get(1)], [Err(Status::NoTicket), Err(Status::NoTicket)]);
        assert_eq!(registry.add('c'), 3);
        assert_eq!(registry.get(2).as_deref(), Ok(&'b'));
    }
}
