//! Eviction: Algorithm 2 (section 3.2), and a rule that does not assume unannounced entries to be wanted last.

use crate::seer::arrivals::Arrivals;
use crate::seer::recency::Recency;
use crate::{Entry, Fetched, StateSet};
use forebay_core::{Duration, Time};

/// The entry that is to be inserted, and the knowledge of what is wanted when.
pub(crate) struct Eviction<'a> {
    pub(crate) arrivals: &'a Arrivals,
    /// The recency of entries, where it counts.
    pub(crate) recency: Option<&'a Recency>,
    /// When the new entry is wanted, if that is known.
    pub(crate) wanted: Option<Time>,
    /// Whether it enters even if all others are wanted before it.
    pub(crate) always: bool,
    /// How long before its packet a fetch must begin to be in time.
    pub(crate) lead: Duration,
}

/// The outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    /// This entry was evicted.
    Of(Entry),
    /// No entry leaves before this time, unless something changes.
    NotBefore(Time),
}

/// The entry that is to leave.
enum Leaver {
    /// An entry that no expected packet wants; the set's policy says which.
    Unannounced,
    /// The entry of this key.
    Announced(u64),
    /// None before this time, unless something changes.
    NotBefore(Time),
}

impl Room {
    pub(crate) fn evicted(self) -> Option<Entry> {
        match self {
            Self::Of(entry) => Some(entry),
            Self::NotBefore(_) => None,
        }
    }
}

impl From<Option<Entry>> for Room {
    fn from(evicted: Option<Entry>) -> Self {
        evicted.map_or(Self::NotBefore(Time::MAX), Self::Of)
    }
}

impl Eviction<'_> {
    /// Makes room for `new` in a full set. Entries in flight are not evicted: their fetches cannot be called back.
    pub(crate) fn make_room(&self, set: &mut StateSet, new: &Fetched) -> Room {
        match self.recency {
            None => self.unannounced_first(set, new).into(),
            Some(recency) => match self.wanted_last(recency, set, Time::from_ps(new.time)) {
                Leaver::Unannounced => set.evict_among(new, |entry| !self.arrivals.knows(entry.key)).into(),
                Leaver::Announced(key) => set.evict(key).into(),
                Leaver::NotBefore(time) => Room::NotBefore(time),
            },
        }
    }

    /// Entries that no expected packet wants (B) leave first, as the set's own policy says. If there are none, the entry that
    /// is wanted last leaves (of A; Belady), if the new one is wanted earlier. An entry is wanted when the first packet
    /// arrives that wants it.
    fn unannounced_first(&self, set: &mut StateSet, new: &Fetched) -> Option<Entry> {
        let mut unknown = false;
        let evicted = set.evict_among(new, |entry| {
            let is_unknown = !self.arrivals.knows(entry.key);
            unknown |= is_unknown;
            is_unknown
        });
        if evicted.is_some() || unknown {
            return evicted;
        }
        let (last, key) = set.entries().map(|entry| (self.arrivals.next(entry.key), entry.key)).max()?;
        let earlier = self.wanted.is_some_and(|wanted| last.is_some_and(|last| wanted < last));
        if self.always || earlier { set.evict(key) } else { None }
    }

    /// Number of entries of a full set that could leave for the new one now. If none can, the time before which none
    /// can, unless something changes.
    pub(crate) fn leavers(&self, set: &StateSet, now: Time) -> Result<usize, Time> {
        if let Some(recency) = self.recency
            && let Leaver::NotBefore(time) = self.wanted_last(recency, set, now)
        {
            return Err(time);
        }
        let later = |entry: &Entry| {
            let next = self.arrivals.next(entry.key);
            next.is_none_or(|next| self.wanted.is_some_and(|wanted| wanted < next))
        };
        Ok(set.entries().filter(later).count())
    }

    /// The entry that is wanted last leaves, if the new one is wanted earlier. An entry that no expected packet wants is
    /// assumed to be wanted after as long a time as has passed since its last request. The set's own policy says which of
    /// these leaves. One of them also leaves for a fetch that would otherwise be late.
    fn wanted_last(&self, recency: &Recency, set: &StateSet, now: Time) -> Leaver {
        let mut known: Option<(Time, u64)> = None;
        let mut oldest: Option<Time> = None;
        for entry in set.entries() {
            match self.arrivals.next(entry.key) {
                Some(next) => known = known.max(Some((next, entry.key))),
                None => {
                    let last = recency.last(entry.key);
                    oldest = Some(oldest.map_or(last, |oldest| oldest.min(last)));
                }
            }
        }
        let wanted = self.wanted.unwrap_or(now);
        let guess = oldest.map(|last| now + now.since(last));
        if guess.is_some_and(|guess| known.is_none_or(|(next, _)| guess >= next)) {
            if self.always || guess.is_some_and(|guess| wanted < guess) || wanted <= now + self.lead {
                return Leaver::Unannounced;
            }
        } else if let Some((next, key)) = known
            && (self.always || wanted < next)
        {
            return Leaver::Announced(key);
        }
        let Some(last) = oldest else { return Leaver::NotBefore(Time::MAX) };
        // From then on, the guess is no earlier than the known time. It is also later than the time at which the new
        // one is wanted, or it is urgent.
        let reaches = |time: Time| last + Duration::from_ps(time.since(last).as_ps().div_ceil(2));
        let urgent = Time::from_ps(wanted.since(Time::ZERO + self.lead).as_ps());
        let passes = reaches(wanted + Duration::from_ps(1));
        Leaver::NotBefore(passes.min(urgent).max(known.map_or(Time::ZERO, |(next, _)| reaches(next))))
    }
}
