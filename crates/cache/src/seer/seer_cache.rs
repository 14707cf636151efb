//! A cache of state whose manager is notified of packets before they arrive (section 3.2).

mod corrections;
mod expected_arrivals;
mod forecasts;
mod held_packets;
mod insertion;
mod prefetch_start;
mod store;

use crate::seer::arrivals::{Arrivals, Change, Expected};
use crate::seer::counts::SeerCounts;
use crate::seer::fpm::{Fpm, Says};
use crate::seer::manager::Loop;
use crate::seer::recency::Recency;
use crate::seer::slotless_prefetches::Unplaced;
use crate::seer::spec::{Admit, AfterEviction, AfterFailure, Enters, SeerSpec, ToX, Unannounced};
use crate::{Choice, Future, Lookup, StateCache, Whereabouts};
use forebay_core::{Duration, ParamError, Rate, Time};
use rustc_hash::FxHashSet;

/// A fetch that began before a packet looked the entry up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prefetch {
    /// The fetched key.
    pub key: u64,
    /// The port whose packet it is for.
    pub port: usize,
    /// The entry that was evicted for it.
    pub evicted: Option<u64>,
    /// When the fetch ends.
    pub end: Time,
}

/// A [`StateCache`] with Seer's manager, Algorithms 1 and 2.
///
/// The caller that runs the node reports all events, in order of time. Iterations come after everything else that happens
/// at their instant. Their effects become visible with the next call here, which makes up for iterations that have ended
/// before. To see each in time, call [`iterate`](Self::iterate) when [`next_iteration`](Self::next_iteration) says so.
///
/// A prefetch begins only when the store has a channel free for it. It takes its slot in the set then, and the victim
/// leaves then. A packet that arrives before the fetch has ended waits for the rest of it (a delayed hit). A state that
/// packets themselves have to fetch enters when the fetch has ended. Then Algorithm 2 chooses the victim, with the new
/// entry as one more candidate. As long as no notification arrives, all is as with a [`StateCache`] under the same policy.
///
/// An entry may leave though an expected packet wants it. The prefetcher then no longer considers it, unless
/// [`AfterEviction::Refetch`] says otherwise. As in Algorithm 1, that packet is in X already, and will have to fetch the
/// entry itself.
pub struct SeerCache {
    cache: StateCache,
    arrivals: Arrivals,
    turns: Loop,
    after_failure: AfterFailure,
    to_x: ToX,
    admit: Admit,
    /// Where it is heeded.
    recency: Option<Recency>,
    /// How long before its packet a fetch must begin to be in time.
    lead: Duration,
    /// Where prefetches enter when they have ended.
    unplaced: Option<Unplaced>,
    after_eviction: AfterEviction,
    patience: Option<Duration>,
    /// No packet is overdue before.
    overdue: Time,
    horizon: Duration,
    /// Keys that were prefetched and not looked up since.
    unused: FxHashSet<u64>,
    /// In an iteration: the packets that ports offer, one each at most.
    offers: Vec<Expected>,
    /// For each port: a key that was seen to be in the store only, and of which no fetch began since.
    seen_away: Vec<Option<u64>>,
    /// Packets that have arrived and are held up, which are expected, too.
    held: usize,
    counts: SeerCounts,
}

impl SeerCache {
    /// An empty cache; the policy is the default heuristic of Algorithm 2.
    ///
    /// # Errors
    /// If entries, ways, latency or the policy's parameters do not fit together, if there is no port, or if the policy
    /// needs a whole trace.
    pub fn new(spec: &SeerSpec, policy: &Choice) -> Result<Self, ParamError> {
        if policy.offline() {
            let message = format!("`{policy}` must know the whole trace; take one that does not, e.g. lru");
            return Err(ParamError::of("policy", message));
        }
        if spec.rates.is_empty() {
            return Err(ParamError::of("rates", "nothing can arrive without ports; give the rate of at least one"));
        }
        Ok(Self {
            cache: StateCache::new(&spec.cache, policy)?,
            arrivals: Arrivals::new(&spec.rates, spec.list_capacity),
            turns: Loop::new(spec.iteration()),
            after_failure: spec.after_failure,
            to_x: spec.to_x,
            admit: spec.admit,
            recency: (spec.unannounced == Unannounced::ByRecency).then(Recency::default),
            lead: Duration::from_ps(spec.cache.latency) + spec.iteration(),
            unplaced: (spec.enters == Enters::WhenEnded).then(Unplaced::default),
            after_eviction: spec.after_eviction,
            patience: spec.patience,
            overdue: Time::MAX,
            horizon: spec.horizon.unwrap_or(Duration::from_ps(u64::MAX)),
            unused: FxHashSet::default(),
            offers: Vec::with_capacity(spec.rates.len()),
            seen_away: vec![None; 2 * spec.rates.len()],
            held: 0,
            counts: SeerCounts::default(),
        })
    }

    /// Notifications have arrived on a port.
    ///
    /// # Panics
    /// As all others, if there is no such port.
    pub fn notify(&mut self, now: Time, port: usize, fpms: &[Fpm]) {
        self.notify_all(now, port, fpms.iter().copied());
    }

    /// The same for notifications that are not in one slice.
    pub fn notify_all(&mut self, now: Time, port: usize, fpms: impl IntoIterator<Item = Fpm>) {
        self.catch_up(now);
        for fpm in fpms {
            if fpm.says != Says::Comes {
                self.is_corrected(now, port, &fpm);
                continue;
            }
            let since = if self.arrivals.has_forecasts() { self.replace(now, port, &fpm) } else { now };
            let change = self.arrivals.tell(now, since, port, &fpm);
            self.was_told(now, fpm.id, change);
        }
        self.first_changed(now, port);
    }

    #[inline]
    fn was_told(&mut self, now: Time, key: u64, change: Change) {
        self.counts.fpms.received += 1;
        self.counts.fpms.full += u64::from(!change.entered);
        if change.pushed {
            self.turns.arrivals_changed(now);
        } else {
            self.may_be_offered(now, change);
        }
        // An entry that was assumed to be wanted soon may be known to be wanted late.
        if self.recency.is_some() {
            self.set_changed(now, key);
        }
    }

    /// A packet is expected whose state may be the next to be fetched.
    #[inline]
    fn may_be_offered(&mut self, now: Time, change: Change) {
        if change.leads || (change.entered && self.after_failure == AfterFailure::Next) {
            self.turns.wake(now);
        }
    }

    /// A control packet took the link of a port for so long: the packets that are expected there arrive later by that.
    /// Packets that the control packet itself notifies of are not among them; report them afterwards.
    pub fn pushed_back(&mut self, now: Time, port: usize, by: Duration) {
        self.catch_up(now);
        if self.arrivals.push_back(port, by) {
            self.turns.arrivals_changed(now);
        }
    }

    /// The link of a port sends at another rate from now on. Earlier notifications keep their expected times.
    pub fn set_rate(&mut self, port: usize, rate: Rate) {
        self.arrivals.set_rate(port, rate);
    }

    /// A packet has arrived that wants the entry of `key`: through a port, where it is then no longer expected, or from the
    /// node itself.
    pub fn access(&mut self, now: Time, port: Option<usize>, key: u64) -> Lookup {
        self.catch_up(now);
        if let Some(port) = port {
            self.arrived(now, port, key);
        }
        self.look_up(now, key)
    }

    fn look_up(&mut self, now: Time, key: u64) -> Lookup {
        if let Some(recency) = &mut self.recency {
            recency.asked(now, key);
        }
        let lookup = self.cache.look_up(now.as_ps(), key, Future::NONE);
        let was_unused = !self.unused.is_empty() && self.unused.remove(&key);
        self.counts.prefetches_used += u64::from(was_unused);
        match lookup {
            Lookup::Hit => {}
            Lookup::DelayedHit(_) => self.counts.prefetches_late += u64::from(was_unused),
            Lookup::Miss(_) => {
                self.is_on_its_way(key);
                // There is no need to prefetch it.
                if self.arrivals.knows(key) {
                    self.turns.wake(now);
                }
            }
        }
        lookup
    }

    /// A packet that may be expected on a port was dropped on its way to the cache: it will not look up its entry.
    /// Returns whether it was expected.
    pub fn expire(&mut self, now: Time, port: usize, key: u64) -> bool {
        self.catch_up(now);
        let was_expected = self.forget_surest(now, port, key).is_some();
        self.counts.fpms.expired += u64::from(was_expected);
        self.first_changed(now, port);
        was_expected
    }

    /// When [`iterate`](Self::iterate) is to be called next; [`None`]: not before something else happens.
    #[inline]
    #[must_use]
    pub fn next_iteration(&self) -> Option<Time> {
        let one_leaves = self.after_failure == AfterFailure::Next || self.after_eviction == AfterEviction::Refetch;
        let heeded = self.turns.has_failed() || (one_leaves && !self.arrivals.is_empty());
        let landing = if heeded { self.cache.next_landing() } else { None };
        self.turns.next(landing.map(Time::from_ps))
    }

    /// Makes up for the iterations that ended before `now`.
    #[inline]
    pub fn iterate_before(&mut self, now: Time) {
        if self.next_iteration().is_some_and(|due| due < now) {
            self.make_up(now);
        }
    }

    /// As [`iterate_before`](Self::iterate_before), when there is one.
    fn make_up(&mut self, now: Time) {
        while let Some(due) = self.next_iteration().filter(|due| *due < now) {
            self.iterate(due);
        }
    }

    /// The same, and all other events by `now` that need no call.
    #[inline]
    fn catch_up(&mut self, now: Time) {
        self.iterate_before(now);
        self.land(now);
    }

    /// An iteration of Algorithm 1, if one is due: at most one fetch begins.
    pub fn iterate(&mut self, now: Time) -> Option<Prefetch> {
        self.land(now);
        if !self.turns.begin(now) {
            return None;
        }
        self.counts.iterations += 1;
        self.turns.wake_in_time(self.overdue);
        // Lines 8 to 16.
        let mut changed = false;
        self.offers.clear();
        let mut from = 0;
        while let Some(head) = self.arrivals.head_from(from) {
            from = head.port + 1;
            if self.is_away(&head) {
                let offer = self.in_sight(now, head);
                self.offers.extend(offer);
            } else {
                self.arrivals.fetched(head.place);
                changed = true;
            }
        }
        // Lines 17 to 27.
        let mut prefetch = None;
        if self.cache.store().is_free(now.as_ps()) {
            prefetch = self.fetch_first(now);
        } else if !self.offers.is_empty() {
            self.turns.wake(Time::from_ps(self.cache.store().free_at(now.as_ps())));
        }
        if changed || prefetch.is_some() {
            self.turns.wake(now);
        }
        prefetch
    }

    /// Whether the state of a head has yet to be fetched.
    fn is_away(&mut self, head: &Expected) -> bool {
        let seen = &mut self.seen_away[head.port];
        if *seen != Some(head.key) {
            *seen = Some(head.key).filter(|&key| self.cache.find(key) == Whereabouts::Away);
        }
        seen.is_some()
    }

    /// A fetch has begun.
    fn is_on_its_way(&mut self, key: u64) {
        self.seen_away.iter_mut().for_each(|seen| *seen = seen.filter(|&other| other != key));
    }

    /// Fetches for the packet that arrives first among those that are offered and whose sets make room.
    fn fetch_first(&mut self, now: Time) -> Option<Prefetch> {
        loop {
            let offers = self.offers.iter().enumerate();
            let (at, first) = offers.min_by_key(|(_, offer)| (offer.arrival, offer.port))?;
            let first = *first;
            let prefetch = self.fetch_for(now, &first);
            if prefetch.is_some() || self.after_failure == AfterFailure::Stop {
                return prefetch;
            }
            self.offers.swap_remove(at);
            if self.after_failure == AfterFailure::Next {
                let next = self.next_offer(first.place).and_then(|next| self.in_sight(now, next));
                self.offers.extend(next);
            }
        }
    }

    /// A packet that arrives soon enough for a fetch to begin; for others it is tried again in time.
    fn in_sight(&mut self, now: Time, packet: Expected) -> Option<Expected> {
        let begins = Time::from_ps(packet.arrival.since(Time::ZERO + self.horizon).as_ps());
        if begins > now {
            self.turns.wake(begins);
            return None;
        }
        Some(packet)
    }

    /// The packet of the same port after one for which nothing could be fetched.
    fn next_offer(&self, mut place: u32) -> Option<Expected> {
        loop {
            let next = self.arrivals.waiting_after(place)?;
            if self.cache.find(next.key) == Whereabouts::Away {
                return Some(next);
            }
            place = next.place;
        }
    }

    /// Begins the fetch for a packet, if its set has a place or makes room.
    fn fetch_for(&mut self, now: Time, packet: &Expected) -> Option<Prefetch> {
        let Expected { place, key, port, arrival, .. } = *packet;
        let set = self.cache.set_of(key);
        if self.is_full(key, set) && self.turns.in_vain(now, set, arrival) {
            return None;
        }
        let begun = if self.unplaced.is_some() {
            self.begin_unplaced(now, key, arrival)
        } else {
            self.begin(now, key, arrival)
        };
        let (evicted, end) = match begun {
            Ok(begun) => begun,
            Err(time) => {
                self.turns.failed(set, arrival, time);
                self.counts.aborted += 1;
                return None;
            }
        };
        self.is_on_its_way(key);
        self.unused.insert(key);
        self.counts.prefetches += 1;
        self.turns.set_changed(now, set);
        if evicted.is_some() || self.to_x == ToX::AtOnce {
            self.arrivals.fetched(place);
        }
        Some(Prefetch { key, port: self.arrivals.link_of(port), evicted, end })
    }

    /// The set of a key has changed.
    #[inline]
    fn set_changed(&mut self, at: Time, key: u64) {
        if self.turns.has_failed() {
            self.turns.set_changed(at, self.cache.set_of(key));
        }
    }

    /// The expected packets.
    #[must_use]
    pub fn arrivals(&self) -> &Arrivals {
        &self.arrivals
    }

    /// Where an entry is, as of the last event.
    #[must_use]
    pub fn find(&self, key: u64) -> Whereabouts {
        self.cache.find(key)
    }

    /// The counts so far.
    #[must_use]
    pub fn counts(&self) -> SeerCounts {
        let mut counts = self.counts;
        counts.cache = self.cache.counts();
        counts.fpms.expected = self.announced() as u64;
        counts.fpms.max_expected = self.arrivals.most();
        counts
    }
}
