//! The model with delayed hits as a reader would write it: every tick, every object.

use forebay_cache::{Access, CachePolicy, Counts, Fetched, Future, Slot, Victim};
use forebay_core::Request;

/// How long a fetch of the object with this key takes.
pub(crate) type LatencyOf<'a> = Box<dyn Fn(u64) -> u64 + 'a>;

/// What one tick after the other does with one cache of `capacity` units.
pub(crate) struct Naive<'a, P> {
    pub(crate) policy: P,
    pub(crate) capacity: u64,
    pub(crate) latency: LatencyOf<'a>,
    /// Key and size by place.
    pub(crate) places: Vec<Option<(u64, u64)>>,
    flights: Vec<Fetched>,
    pub(crate) counts: Counts,
}

impl<'a, P: CachePolicy> Naive<'a, P> {
    pub(crate) fn new(policy: P, capacity: u64, latency: impl Fn(u64) -> u64 + 'a) -> Self {
        let latency = Box::new(latency);
        Self { policy, capacity, latency, places: Vec::new(), flights: Vec::new(), counts: Counts::default() }
    }

    /// Plays all requests; `futures` says what comes after each.
    pub(crate) fn play(&mut self, requests: &[Request], futures: &[Future]) {
        let end = requests.last().map_or(0, |request| request.time);
        let mut at = 0;
        for now in 0..=end {
            // What was fetched enters before the requests of this tick.
            while let Some(first) = self.flights.iter().position(|flight| flight.time <= now) {
                let new = self.flights.remove(first);
                self.enter(&new);
            }
            while requests.get(at).is_some_and(|request| request.time == now) {
                self.request(&requests[at], futures.get(at).copied().unwrap_or(Future::NONE));
                at += 1;
            }
        }
    }

    fn request(&mut self, request: &Request, future: Future) {
        let Request { time, key, size } = *request;
        let access = Access { time, key, size, latency: (self.latency)(key), future };
        self.counts.requests += 1;
        let place = self.places.iter().position(|place| place.is_some_and(|(other, _)| other == key));
        let slot = place.map(|place| Slot::try_from(place).unwrap());
        self.policy.request(&access, slot);
        if let Some(slot) = slot {
            self.policy.hit(slot, &access);
            self.counts.hits += 1;
        } else if let Some(flight) = self.flights.iter_mut().find(|flight| flight.key == key) {
            flight.waiting += 1;
            flight.last = time;
            flight.future = future;
            self.counts.delayed_hits += 1;
            self.counts.total_latency += flight.time - time;
        } else {
            let (waiting, latency) = (1, access.latency);
            self.flights.push(Fetched { time: time + latency, key, size, latency, last: time, waiting, future });
            self.counts.misses += 1;
            self.counts.total_latency += latency;
        }
    }

    fn enter(&mut self, new: &Fetched) {
        let used = |places: &[Option<(u64, u64)>]| places.iter().flatten().map(|(_, size)| size).sum::<u64>();
        if new.size > self.capacity || !self.policy.admits(new) {
            return self.policy.refuse(new);
        }
        while used(&self.places) + new.size > self.capacity {
            let Victim::Slot(slot) = self.policy.victim(new) else { return self.policy.refuse(new) };
            let place = &mut self.places[slot as usize];
            let (key, size) = place.take().expect("a victim is in the cache");
            self.policy.evict(slot, &forebay_cache::Entry { key, size });
        }
        let free = self.places.iter().position(Option::is_none).unwrap_or(self.places.len());
        if free == self.places.len() {
            self.places.push(None);
        }
        self.places[free] = Some((new.key, new.size));
        self.policy.insert(Slot::try_from(free).unwrap(), new);
    }
}
