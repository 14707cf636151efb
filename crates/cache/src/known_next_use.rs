//! Eviction in a cache that knows the next requests of some objects.

use crate::access::{Entry, Fetched, Slot};
use crate::cache::{Admission, Cache};
use crate::policy::CachePolicy;

impl<P: CachePolicy> Cache<P> {
    /// As [`admit`](Self::admit), where `comes` gives the next request of an object, as far as it is known. If the next
    /// request of some entries is unknown, one of these leaves, or the new object does not enter, as the policy
    /// decides. If all are known, the entry with the latest one leaves. The new object then does not enter if its own
    /// is later or unknown. Looks at all entries where all are known.
    pub fn admit_knowing(
        &mut self,
        new: &Fetched,
        comes: impl Fn(u64) -> Option<u64>,
        mut evicted: impl FnMut(Slot, &Entry),
    ) -> Admission {
        while self.room() < new.size && new.size <= self.room() + self.used() && !self.is_empty() {
            let is_unknown = |entry: &Entry| comes(entry.key).is_none();
            if let Some((slot, entry)) = self.let_one_go(new, is_unknown) {
                evicted(slot, &entry);
                continue;
            }
            if self.entries().any(is_unknown) {
                self.give_up(new);
                return Admission::Refused;
            }
            let last = self.entries().filter_map(|entry| Some((comes(entry.key)?, entry.key))).max();
            let is_later = |&(last, _): &(u64, u64)| comes(new.key).is_some_and(|own| own < last);
            let victim = last.filter(is_later).and_then(|(_, key)| Some((self.find(key)?, self.evict(key)?)));
            let Some((slot, entry)) = victim else {
                self.give_up(new);
                return Admission::Refused;
            };
            evicted(slot, &entry);
        }
        self.admit(new, evicted)
    }
}
