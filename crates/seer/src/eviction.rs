//! Who leaves: Algorithm 2 (section 3.2).

use crate::arrivals::Arrivals;
use forebay_cache::{Entry, Fetched, StateSet};
use forebay_core::Time;

/// Makes room for `new` in a full set; says what left, if anything did.
///
/// Entries that no expected packet wants (B) leave first, as the set's own policy says. If there are none, the entry that
/// is wanted last leaves (of A; Belady), if `new` is wanted earlier, or in any case if `always`. An entry is wanted when
/// the first packet arrives that wants it. Entries on their way are not for eviction: their fetches cannot be called
/// back.
pub(crate) fn make_room(
    arrivals: &Arrivals,
    set: &mut StateSet,
    new: &Fetched,
    wanted: Option<Time>,
    always: bool,
) -> Option<Entry> {
    let mut unknown = false;
    let evicted = set.evict_among(new, |entry| {
        let is_unknown = !arrivals.knows(entry.key);
        unknown |= is_unknown;
        is_unknown
    });
    if evicted.is_some() || unknown {
        return evicted;
    }
    let (last, key) = set.entries().map(|entry| (arrivals.next(entry.key), entry.key)).max()?;
    let earlier = wanted.is_some_and(|wanted| last.is_some_and(|last| wanted < last));
    if always || earlier { set.evict(key) } else { None }
}
