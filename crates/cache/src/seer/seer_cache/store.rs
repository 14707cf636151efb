//! A cache with notifications, in front of another store than one whose fetches all take the same time.

use super::SeerCache;
use crate::BackingStore;
use forebay_core::Time;

impl SeerCache {
    /// The same cache, empty as it is, in front of another store.
    #[must_use]
    pub fn in_front_of(self, store: BackingStore) -> Self {
        Self { cache: self.cache.in_front_of(store), ..self }
    }

    /// The keys of the fetches that have begun since the last call, if the store [reports](BackingStore::reporting)
    /// their ends, in the order in which they began.
    pub fn requested(&mut self) -> impl Iterator<Item = u64> {
        self.cache.requested()
    }

    /// The store reports that the fetch of `key` ends now: its entry enters. Returns whether there was such a fetch.
    pub fn answered(&mut self, now: Time, key: u64) -> bool {
        self.catch_up(now);
        let answered = self.cache.answered(now.as_ps(), key);
        self.land(now);
        answered
    }
}
