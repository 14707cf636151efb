//! Fetched entries are inserted, and others are evicted for them.

use super::SeerCache;
use crate::Entering;
use crate::seer::eviction::Eviction;
use crate::seer::spec::{Admit, AfterEviction, AfterFailure};
use forebay_core::Time;

impl SeerCache {
    /// Inserts entries whose fetches ended by `now`, and gives up packets that are overdue by then, in order of time.
    #[inline]
    pub(super) fn land(&mut self, now: Time) {
        while let Some(end) = self.cache.next_landing().filter(|end| *end <= now.as_ps()) {
            self.give_up_by(Time::from_ps(end));
            self.land_first(now);
        }
        self.give_up_by(now);
    }

    /// Inserts the entry whose fetch ended first.
    fn land_first(&mut self, now: Time) {
        let Self { cache, arrivals, admit, recency, lead, unplaced, .. } = self;
        let mut entering = None;
        let landed = cache.land(now.as_ps(), |set, new| {
            let was_prefetched = unplaced.as_mut().is_some_and(|unplaced| unplaced.ended(new.key));
            let result = if set.room() > 0 || (arrivals.is_empty() && !set.is_empty()) {
                Entering::by_policy(set, new)
            } else {
                let eviction = Eviction {
                    arrivals,
                    recency: recency.as_ref(),
                    wanted: arrivals.next(new.key),
                    always: *admit == Admit::Always && !was_prefetched,
                    lead: *lead,
                };
                match eviction.make_room(set, new).evicted() {
                    None => Entering::refused(set, new),
                    evicted => Entering { evicted, ..Entering::by_policy(set, new) },
                }
            };
            entering = Some(result);
            result
        });
        let Some((end, key)) = landed else { return };
        let end = Time::from_ps(end);
        self.set_changed(end, key);
        let Some(Entering { entered, evicted }) = entering else { return };
        if let Some(evicted) = evicted {
            self.is_gone(end, evicted.key);
        }
        if !entered {
            self.is_gone(end, key);
        }
        // A packet behind a head may want a state that is away now and was not before.
        let is_away = evicted.map(|entry| entry.key).or_else(|| (!entered).then_some(key));
        if self.after_failure == AfterFailure::Next && is_away.is_some_and(|key| self.arrivals.knows(key)) {
            self.turns.wake(end);
        }
    }

    /// A state was cached or in flight, and is no longer.
    pub(super) fn is_gone(&mut self, now: Time, key: u64) {
        if !self.unused.is_empty() && self.unused.remove(&key) {
            self.counts.prefetches_evicted += 1;
        }
        if let Some(recency) = &mut self.recency {
            recency.left(key);
        }
        if self.after_eviction == AfterEviction::Refetch && self.arrivals.lost(key) {
            self.turns.wake(now);
        }
    }
}
