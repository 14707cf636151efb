//! Entries that left the cache, and who hears of them.

use crate::quiet::quietly;
use crate::rules::Rules;
use crate::stored::Stored;

/// The reason why an entry left the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Removal {
    /// The policy chose it to make room, for another entry or under a smaller capacity.
    Evicted,
    /// Its time to live or its time to idle was over.
    Expired,
    /// It was invalidated or removed.
    Invalidated,
    /// Another value of its key took its place.
    Replaced,
}

/// Entries that were removed while a lock was held, with the reasons. An entry without one never entered.
pub(crate) type Garbage<K, V> = Vec<(Stored<K, V>, Option<Removal>)>;

/// Entries that are reported and dropped at the end of an operation, when no lock is held any more.
pub(crate) struct Removed<'a, K, V> {
    pub(crate) entries: Garbage<K, V>,
    rules: &'a Rules<K, V>,
}

impl<'a, K, V> Removed<'a, K, V> {
    pub(crate) fn new(rules: &'a Rules<K, V>) -> Self {
        Self { entries: Vec::new(), rules }
    }
}

impl<K, V> Drop for Removed<'_, K, V> {
    fn drop(&mut self) {
        let Some(listener) = &self.rules.on_removal else { return };
        for (entry, removal) in &self.entries {
            if let Some(removal) = removal {
                quietly(|| listener(&entry.key, &entry.value, *removal));
            }
        }
    }
}
