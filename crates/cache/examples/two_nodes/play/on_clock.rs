//! A `SeerCache` on a clock, which reports its actions.

use forebay_cache::seer::clocked::{Event, What};
use forebay_cache::seer::prototype::{Target, TargetCounts};
use forebay_cache::seer::{Fpm, SeerCache};
use forebay_cache::{Lookup, Whereabouts};
use forebay_core::{Duration, Time};

/// All times are rounded down to cycles; when packets are expected stays the same.
pub(super) struct OnClock {
    clock: Duration,
    seer: SeerCache,
    pub(super) events: Vec<Event>,
}

impl OnClock {
    pub(super) fn new(clock: Duration, seer: SeerCache) -> Self {
        Self { clock, seer, events: Vec::new() }
    }

    fn say(&mut self, at: Time, what: What) {
        self.events.push(Event { cycle: at.as_ps() / self.clock.as_ps(), what });
    }

    /// Lets the manager act on what happened before the cycle of `now`; returns when that begins.
    fn catch_up(&mut self, now: Time) -> Time {
        let now = Time::from_ps(now.as_ps() / self.clock.as_ps() * self.clock.as_ps());
        while let Some(due) = self.seer.next_iteration().filter(|due| *due < now) {
            if let Some(prefetch) = self.seer.iterate(due) {
                self.say(due, What::Fetched { id: prefetch.key, evicted: prefetch.evicted });
            }
        }
        now
    }
}

impl Target for OnClock {
    fn control(&mut self, now: Time, length: Duration) {
        let now = self.catch_up(now);
        self.seer.pushed_back(now, 0, length);
    }

    fn announced(&mut self, now: Time, fpms: &[Fpm]) {
        let begin = self.catch_up(now);
        let fpms: Vec<Fpm> = fpms.iter().map(|fpm| Fpm { delay: fpm.delay + now.since(begin), ..*fpm }).collect();
        self.seer.notify(begin, 0, &fpms);
    }

    fn packet(&mut self, now: Time, id: u64) {
        let now = self.catch_up(now);
        let found = match self.seer.access(now, Some(0), id) {
            Lookup::Hit => Whereabouts::Here,
            Lookup::DelayedHit(_) => Whereabouts::OnItsWay,
            Lookup::Miss(_) => Whereabouts::Away,
        };
        self.say(now, What::Came { id, found });
    }

    fn counts(&self) -> TargetCounts {
        Target::counts(&self.seer)
    }
}
