//! Eviction in a cache that knows the next requests of some objects.

use crate::access::{Entry, Fetched, Slot};
use crate::cache::{Admission, Cache};
use crate::policy::CachePolicy;
use crate::table::Table;

impl<P: CachePolicy, T: Table> Cache<P, T> {
    /// As [`admit`](Self::admit), where `comes` gives the next request of an object, as far as it is known. If the next
    /// request of some entries is unknown, one of these leaves, or the new object does not enter, as the policy
    /// decides. If all are known, the entry with the latest one leaves. The new object then does not enter if its own
    /// is later or unknown. Looks at all entries where all are known.
    pub fn admit_knowing(
        &mut self,
        new: &Fetched,
        comes: impl Fn(u64) -> Option<u64>,
        mut evicted: impl FnMut(Slot, &Entry),
    ) -> Admission
    where
        T: Table<Item = ()>,
    {
        let entered = self.admit_item_knowing(new, (), comes, |slot, entry, ()| evicted(slot, entry));
        entered.map_or_else(|(admission, ())| admission, Admission::Entered)
    }

    /// The same, with what the table keeps of the new object.
    ///
    /// # Errors
    /// If it does not enter: the reason, and the item.
    pub fn admit_item_knowing(
        &mut self,
        new: &Fetched,
        item: T::Item,
        comes: impl Fn(u64) -> Option<u64>,
        mut evicted: impl FnMut(Slot, &Entry, T::Item),
    ) -> Result<Slot, (Admission, T::Item)> {
        while self.room() < new.size && new.size <= self.room() + self.used() && !self.is_empty() {
            let is_unknown = |entry: &Entry| comes(entry.key).is_none();
            if let Some((slot, entry, left)) = self.let_one_go(new, is_unknown) {
                evicted(slot, &entry, left);
                continue;
            }
            if self.entries().any(|entry| is_unknown(&entry)) {
                self.give_up(new);
                return Err((Admission::Refused, item));
            }
            let last = self.entries().filter_map(|entry| Some((comes(entry.key)?, entry.key))).max();
            let is_later = |&(last, _): &(u64, u64)| comes(new.key).is_some_and(|own| own < last);
            let Some(slot) = last.filter(is_later).and_then(|(_, key)| self.find(key)) else {
                self.give_up(new);
                return Err((Admission::Refused, item));
            };
            let (entry, left) = self.let_go(slot);
            evicted(slot, &entry, left);
        }
        self.admit_item(new, item, evicted)
    }
}
