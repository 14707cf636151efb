//! The sets of a cache: one, or many chosen by a hash of the key.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::cache::{Admission, Cache};
use crate::policy::{CachePolicy, Shape};
use forebay_core::{ParamError, Request, Seed, convert, mix};

/// Sets take memory even when they are empty.
const MOST_SETS: u64 = 1 << 24;

/// How large a cache is, and how it is divided.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SetsSpec {
    /// Greatest sum of sizes.
    pub(crate) capacity: u64,
    /// How many entries to expect; a hint for allocation.
    pub(crate) entries: usize,
    /// The capacity of each set; `None`: one fully associative set.
    pub(crate) ways: Option<u64>,
    pub(crate) seed: Seed,
}

/// The caches that together are the cache.
pub(crate) struct Sets<P> {
    sets: Vec<Cache<P>>,
    salt: u64,
}

/// How many sets of `ways` entries a cache has.
///
/// # Errors
/// If there is no room at all, or the capacity is no multiple of the ways.
pub fn sets(capacity: u64, ways: Option<u64>) -> Result<u64, ParamError> {
    let of_set = ways.unwrap_or(capacity);
    if capacity == 0 || of_set == 0 {
        return Err(ParamError::of("capacity", "a cache holds at least one entry; the capacity must be above 0"));
    }
    if !capacity.is_multiple_of(of_set) {
        let whole = capacity / of_set * of_set;
        let near = if whole == 0 { of_set } else { whole };
        let message = format!("{capacity} is not a multiple of {of_set} ways; take {near}");
        return Err(ParamError::of("ways", message));
    }
    let count = capacity / of_set;
    if count > MOST_SETS {
        let message = format!("{count} sets are too many; at most {MOST_SETS} can be simulated");
        return Err(ParamError::of("ways", message));
    }
    Ok(count)
}

impl<P: CachePolicy> Sets<P> {
    pub(crate) fn new(
        setup: &SetsSpec,
        mut build: impl FnMut(&Shape) -> Result<P, ParamError>,
    ) -> Result<Self, ParamError> {
        let count = sets(setup.capacity, setup.ways)?;
        let capacity = setup.ways.unwrap_or(setup.capacity);
        let sets = (0..count).map(|index| {
            let seed = setup.seed.part(&format!("set {index}"));
            let entries = setup.entries / convert::index(count);
            let shape = Shape { capacity, entries, seed };
            Ok(Cache::new(&shape, build(&shape)?))
        });
        Ok(Self { sets: sets.collect::<Result<_, ParamError>>()?, salt: setup.seed.part("sets").0 })
    }

    /// As [`CachePolicy::counts_requests`].
    pub(crate) fn counts_requests(&self) -> bool {
        self.sets.iter().any(|set| set.policy().counts_requests())
    }

    /// Announces the requests that arrive next.
    #[inline]
    pub(crate) fn expect(&mut self, requests: &[Request]) {
        for request in requests {
            self.set(request.key).expect(request.key);
        }
    }

    #[inline]
    pub(crate) fn request(&mut self, access: &Access) -> Option<Slot> {
        self.set(access.key).request(access)
    }

    /// As [`Cache::admit`].
    #[inline]
    pub(crate) fn admit(&mut self, new: &Fetched, evicted: impl FnMut(Slot, &Entry)) -> Admission {
        self.set(new.key).admit(new, evicted)
    }

    /// The set in which an object is, if it is in the cache.
    #[inline]
    pub(crate) fn set(&mut self, key: u64) -> &mut Cache<P> {
        let index = self.index(key);
        &mut self.sets[index]
    }

    /// As [`set`](Self::set), to look only.
    pub(crate) fn get(&self, key: u64) -> &Cache<P> {
        &self.sets[self.index(key)]
    }

    /// Which set that is.
    #[inline]
    pub(crate) fn index(&self, key: u64) -> usize {
        let count = self.sets.len() as u128;
        if count == 1 {
            return 0;
        }
        // The high half of hash x count is even over 0..count.
        let index = (u128::from(mix(key ^ self.salt)) * count) >> 64;
        usize::try_from(index).unwrap_or(0)
    }
}
