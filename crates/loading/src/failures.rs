//! Errors that are remembered for a time, so that a key whose fetch fails is not fetched again and again.

use crate::error::FetchError;
use std::borrow::Borrow;

/// Errors of the latest failed fetches. The hash of a key chooses its place, and the key that failed last owns the place. The
/// table never grows.
pub(crate) struct Failures<K, E> {
    places: Box<[Option<Failure<K, E>>]>,
    /// In nanoseconds; 0 if nothing is remembered.
    time: u64,
}

/// An error that is remembered.
pub(crate) struct Failure<K, E> {
    key: K,
    error: FetchError<E>,
    until: u64,
}

impl<K: Eq, E> Failures<K, E> {
    /// A table for about so many errors, each remembered for this time.
    pub(crate) fn new(errors: usize, time: u64) -> Self {
        let places = if time == 0 { 0 } else { errors.clamp(16, 1 << 16).next_power_of_two() };
        Self { places: (0..places).map(|_| None).collect(), time }
    }

    fn place(&mut self, hash: u64) -> Option<&mut Option<Failure<K, E>>> {
        let last = self.places.len().checked_sub(1)? as u64;
        self.places.get_mut(usize::try_from(hash & last).ok()?)
    }

    /// The error of a key whose fetch failed not long before `now`.
    pub(crate) fn of<Q: Eq + ?Sized>(&mut self, hash: u64, key: &Q, now: u64) -> Option<FetchError<E>>
    where
        K: Borrow<Q>,
    {
        let place = self.place(hash)?;
        let failure = place.as_ref().filter(|failure| failure.key.borrow() == key)?;
        (now < failure.until).then(|| failure.error.clone())
    }

    /// The fetch of a key failed. Returns what was remembered in its place, to be dropped with no lock held.
    #[must_use]
    pub(crate) fn remember(&mut self, hash: u64, key: K, error: &FetchError<E>, now: u64) -> Option<Failure<K, E>> {
        let until = now.saturating_add(self.time);
        let new = Failure { key, error: error.clone(), until };
        self.place(hash)?.replace(new)
    }

    /// The key is to be fetched anew. Returns what was remembered, to be dropped with no lock held.
    #[must_use]
    pub(crate) fn forget<Q: Eq + ?Sized>(&mut self, hash: u64, key: &Q) -> Option<Failure<K, E>>
    where
        K: Borrow<Q>,
    {
        self.place(hash)?.take_if(|failure| failure.key.borrow() == key)
    }

    /// All keys are to be fetched anew. Returns what was remembered, to be dropped with no lock held.
    #[must_use]
    pub(crate) fn forget_all(&mut self) -> Vec<Failure<K, E>> {
        self.places.iter_mut().filter_map(Option::take).collect()
    }
}
