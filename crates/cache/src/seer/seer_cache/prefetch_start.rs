//! A fetch begins before a packet looks the entry up, if there is or will be a slot for it.

use super::SeerCache;
use crate::seer::eviction::{Eviction, Room};
use forebay_core::{Time, convert};

impl SeerCache {
    /// Whether an entry has to leave for a key, or will have to.
    pub(super) fn is_full(&self, key: u64, set: usize) -> bool {
        let others = self.unplaced.as_ref().map_or(0, |unplaced| unplaced.of_set(set));
        usize::try_from(self.cache.room(key)).is_ok_and(|room| room <= others)
    }

    /// The fetch takes its slot now. Returns the victim and the end of the fetch, or the time before which no entry can
    /// leave.
    pub(super) fn begin(&mut self, now: Time, key: u64, wanted: Time) -> Result<(Option<u64>, Time), Time> {
        let mut evicted = None;
        if self.cache.room(key) == 0 {
            let Self { cache, arrivals, recency, lead, .. } = self;
            let eviction =
                Eviction { arrivals, recency: recency.as_ref(), wanted: Some(wanted), always: false, lead: *lead };
            let mut room = Room::NotBefore(Time::MAX);
            evicted = cache.make_room(now.as_ps(), key, |set, new| {
                room = eviction.make_room(set, new);
                room.evicted()
            });
            match room {
                Room::Of(evicted) => self.is_gone(now, evicted.key),
                Room::NotBefore(time) => return Err(time),
            }
        }
        let end = self.cache.prefetch(now.as_ps(), key).ok_or(Time::MAX)?;
        Ok((evicted.map(|entry| entry.key), Time::from_ps(end)))
    }

    /// The fetch will take its slot when it has ended, if more entries could leave now than there are such fetches for
    /// the set.
    pub(super) fn begin_unplaced(&mut self, now: Time, key: u64, wanted: Time) -> Result<(Option<u64>, Time), Time> {
        let Self { cache, arrivals, recency, lead, unplaced, .. } = self;
        let Some(unplaced) = unplaced else { return Err(Time::MAX) };
        let set = cache.set_of(key);
        let others = unplaced.of_set(set);
        let room: usize = convert::saturate(cache.room(key));
        if room <= others {
            let eviction =
                Eviction { arrivals, recency: recency.as_ref(), wanted: Some(wanted), always: false, lead: *lead };
            if eviction.leavers(cache.set(key), now)? <= others - room {
                return Err(Time::MAX);
            }
        }
        unplaced.begun(key, set);
        Ok((None, Time::from_ps(cache.prefetch_without_place(now.as_ps(), key))))
    }
}
