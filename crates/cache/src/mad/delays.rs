//! The estimate of an object's aggregate delay from its past (thesis, algorithm 1), and
//! whose estimates are kept.

use super::options::{Counters, MadDefaults, Options, WindowLatency};
use crate::access::{Access, Fetched, Slot};
use crate::structures::Lists;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// What is known of the delays of objects.
#[derive(Debug, Clone)]
pub(super) struct Delays {
    counting: MadDefaults,
    /// How many objects that left are remembered; `None`: all.
    remembered: Option<usize>,
    /// `None`: the model says what a window lasts.
    measured: Option<Mean>,
    places: FxHashMap<u64, u32>,
    objects: Vec<Object>,
    free: Vec<u32>,
    /// Objects that left, the oldest at the back; unused if all are remembered.
    left: Lists<1>,
    /// Per place of the cache: the place in `objects`.
    of_slot: Vec<u32>,
}

/// The counters of one object, as if all its requests had been misses.
#[derive(Debug, Clone, Copy)]
struct Object {
    key: u64,
    requests: u64,
    /// Windows, and their delay in ticks; the latest window is among them.
    windows: u64,
    cumulative: u64,
    /// When the latest window began, its delay, and what a window lasted then.
    start: u64,
    latest: u64,
    latency: u64,
    /// The moving mean of the latencies of its fetches; 0 before the first.
    measured: f64,
}

/// The mean of all measured latencies.
#[derive(Debug, Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: f64,
}

/// The weight of the latest fetch in the moving mean of an object's latency; as for
/// round-trip times in RFC 6298.
const GAIN: f64 = 0.125;

/// With shorter fetches every object is proven.
const SHORT: u64 = 100;

/// An aggregate delay that is none, but leaves an order among several.
const NO_DELAY: f64 = 1e-30;

const FRESH: Object =
    Object { key: 0, requests: 0, windows: 0, cumulative: 0, start: 0, latest: 0, latency: 1, measured: 0.0 };

impl Delays {
    pub(super) fn new(options: &Options, entries: usize) -> Self {
        let remembered = match options.counting.counters {
            Counters::Forever => None,
            Counters::Cached => Some(0),
            Counters::Ghosts(ghosts) => {
                Some(ghosts.map_or(entries, |ghosts| usize::try_from(ghosts).unwrap_or(entries)))
            }
        };
        Self {
            counting: options.counting,
            remembered,
            measured: (options.latency == WindowLatency::Measured).then(Mean::default),
            places: FxHashMap::default(),
            objects: Vec::new(),
            free: Vec::new(),
            left: Lists::new(0),
            of_slot: Vec::with_capacity(entries),
        }
    }

    /// A request: it opens a window of one latency, or waits for the rest of the open one.
    #[inline]
    pub(super) fn request(&mut self, access: &Access, slot: Option<Slot>) {
        let place = match slot {
            Some(slot) => self.of_slot[slot as usize],
            None => self.find(access.key),
        };
        let object = &mut self.objects[place as usize];
        object.latency = match self.measured {
            None => access.latency,
            Some(all) => object.expected(all),
        };
        object.requests += 1;
        let since = access.time.saturating_sub(object.start);
        let delay = if object.windows == 0 || since >= object.latency {
            object.windows += 1;
            object.start = access.time;
            object.latest = 0;
            object.latency
        } else {
            object.latency - since
        };
        object.latest += delay;
        object.cumulative += delay;
    }

    /// A fetch is complete, and its object is in the cache now.
    #[inline]
    pub(super) fn insert(&mut self, slot: Slot, new: &Fetched) {
        let place = self.find(new.key);
        if self.of_slot.len() <= slot as usize {
            self.of_slot.resize(slot as usize + 1, 0);
        }
        self.of_slot[slot as usize] = place;
        self.measure(place, new.latency);
    }

    /// A fetch is complete, but its object does not enter.
    pub(super) fn refuse(&mut self, new: &Fetched) {
        let place = self.find(new.key);
        self.measure(place, new.latency);
        self.leave(place);
    }

    /// The object at a place of the cache is gone. What was found about it is still true.
    #[inline]
    pub(super) fn remove(&mut self, slot: Slot) {
        self.leave(self.of_slot[slot as usize]);
    }

    /// The mean aggregate delay per window of an object in the cache, in ticks. That of
    /// an object without any window is the latency of its miss.
    #[inline]
    pub(super) fn of(&self, slot: Slot) -> f64 {
        let object = &self.objects[self.of_slot[slot as usize] as usize];
        if object.requests < self.counting.proven && object.latency > SHORT {
            return NO_DELAY;
        }
        let (windows, cumulative) = if self.counting.open_window {
            (object.windows, object.cumulative)
        } else {
            (object.windows.saturating_sub(1), object.cumulative - object.latest)
        };
        if windows == 0 { object.latency as f64 } else { cumulative as f64 / windows as f64 }
    }

    /// The place of an object, which is not forgotten while it is in flight.
    #[inline]
    fn find(&mut self, key: u64) -> u32 {
        let vacant = match self.places.entry(key) {
            Entry::Occupied(known) => {
                let place = *known.get();
                if self.remembered.is_some() && self.left.list_of(place).is_some() {
                    self.left.remove(place);
                }
                return place;
            }
            Entry::Vacant(vacant) => vacant,
        };
        let fresh = Object { key, ..FRESH };
        let place = self.free.pop().unwrap_or_else(|| {
            self.objects.push(fresh);
            u32::try_from(self.objects.len() - 1).expect("fewer than 2^32 objects are counted")
        });
        self.objects[place as usize] = fresh;
        *vacant.insert(place)
    }

    #[inline]
    fn measure(&mut self, place: u32, latency: u64) {
        let object = &mut self.objects[place as usize];
        if let Some(all) = &mut self.measured {
            let latency = latency as f64;
            all.sum += latency;
            all.count += 1.0;
            object.measured =
                if object.measured == 0.0 { latency } else { object.measured + GAIN * (latency - object.measured) };
        }
    }

    /// The object is neither in the cache nor in flight.
    #[inline]
    fn leave(&mut self, place: u32) {
        let Some(remembered) = self.remembered else { return };
        self.left.push_front(0, place, 0);
        if self.left.len(0) > remembered
            && let Some(oldest) = self.left.back(0)
        {
            self.left.remove(oldest);
            self.places.remove(&self.objects[oldest as usize].key);
            self.free.push(oldest);
        }
    }
}

impl Object {
    /// How long its next fetch is expected to take, if that of all objects so far took
    /// `all`; 1 tick if nothing was fetched yet.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    fn expected(&self, all: Mean) -> u64 {
        let mean = if self.measured > 0.0 { self.measured } else { all.sum / all.count.max(1.0) };
        (mean.round() as u64).max(1)
    }
}
