//! Who leaves a cache of which it is known for some objects when they are requested next.

use crate::access::{Entry, Fetched, Slot};
use crate::cache::{Admission, Cache};
use crate::policy::CachePolicy;

impl<P: CachePolicy> Cache<P> {
    /// As [`admit`](Self::admit), where `comes` says when an object is requested next, as far as that is known. An object leaves of which
    /// nothing is known, and the policy says which, or that the new object does not enter. If all are known to come, the one that comes last
    /// leaves, or the new object does not enter if it comes later or is not known to come. Looks at all entries where all are known.
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
