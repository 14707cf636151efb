//! LHD: learns what hits per unit of space and time each object will bring, and evicts
//! the least.

mod densities;

use crate::access::{Access, Entry, Fetched, Slot};
use crate::estimate::{Estimate, first_candidate};
use crate::mad::MadDefaults;
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::{PerSlot, share};
use densities::Densities;
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params, Rng, convert};
use rand::RngExt as _;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

/// The registry's entry for [`Lhd`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "lhd",
        title: "Least hit density: evicts the object predicted to bring the fewest hits per unit of space and time",
        exactness: Exactness::NotApplicable,
        hardware: "counters per class and age; random access to entries",
        cost: "O(sample) per victim, or O(entries) where all are weighed; 44 bytes per entry, tables by age",
        source: "Beckmann, Chen and Cidon, NSDI 2018, LHD; classes by the last two hit ages",
        params: &[
            integer("classes", 1, 64, 16, "classes of objects by their last two hit ages"),
            integer("max-age", 1, 1 << 24, 20_000, "greatest age, in units of 2^age-shift requests"),
            ParamSpec {
                name: "age-shift",
                kind: ParamKind::Integer { min: 0, max: 40, default: None },
                meaning: "a unit of age is 2^age-shift requests; if not given, so many that a hundredth of the greatest age \
                          is a request for each entry",
            },
            number("ewma", 0.0, 1.0, 0.9, "share of the counts that remains after a reconfiguration"),
            number("explorers", 0.0, 1.0, 0.01, "share of the capacity for new objects that are not evicted by rank"),
            integer(
                "explore",
                1,
                1 << 31,
                32,
                "one new object in this many is an explorer while there is room for explorers",
            ),
            integer("reconfigure", 1, 1 << 40, 1 << 20, "requests from one reconfiguration to the next"),
            ParamSpec {
                name: "sample",
                kind: ParamKind::Integer { min: 1, max: u32::MAX as u64, default: None },
                meaning: "entries to draw for a victim; if not given, all up to 1024 entries, 32 above",
            },
            integer(
                "recent",
                0,
                RECENT as u64,
                RECENT as u64,
                "objects inserted last that are candidates beside those drawn",
            ),
            ParamSpec::choice(
                "first-age",
                &["least", "greatest"],
                "least",
                "hit age of an object before its first hit: least (as in the authors' program) or greatest",
            ),
        ],
    },
    also_known_as: &["least-hit-density"],
    offline: false,
    compared: Compared::Always,
    make: Make::with_mad::<Lhd>(),
};

const fn integer(name: &'static str, min: u64, max: u64, default: u64, meaning: &'static str) -> ParamSpec {
    ParamSpec { name, kind: ParamKind::Integer { min, max, default: Some(default) }, meaning }
}

const fn number(name: &'static str, min: f64, max: f64, default: f64, meaning: &'static str) -> ParamSpec {
    ParamSpec { name, kind: ParamKind::Number { min, max, default }, meaning }
}

/// So many objects that were inserted last are candidates, too, as in the authors' program.
const RECENT: usize = 8;
/// Few objects of a full cache live for more requests than this many for each entry.
const USUAL_LIFETIME: usize = 64;
/// Without `sample`, up to so many entries are all weighed.
const WEIGH_ALL: usize = 1024;
/// Without `sample`, so many are drawn of more entries.
const SAMPLE: usize = 32;

/// Ranks objects by hit density. Ages count requests, in coarse units, since the last
/// request for the object: one that waited counts, but is no hit.
#[derive(Debug, Clone)]
pub struct Lhd {
    options: LhdOptions,
    /// A unit of age is 2^`age_shift` requests.
    age_shift: u32,
    densities: Densities,
    /// Every entry, in no order that means anything.
    entries: Vec<Object>,
    /// Per slot: where its object is in `entries`.
    at: PerSlot<u32>,
    requests: u64,
    /// The number of the last request for each object that is being fetched.
    in_flight: FxHashMap<u64, u64>,
    /// How much of the capacity explorers may still take.
    explorers_left: u64,
    rng: Rng,
    /// The slots of the last insertions, in turn; one may hold another object by now.
    recent: [Slot; RECENT],
    insertions: usize,
    /// For sorting candidates: rate as bits, which look it was, position in `entries`.
    ranked: Vec<(u64, u32, u32)>,
}

#[derive(Debug, Clone)]
struct LhdOptions {
    classes: usize,
    max_age: u32,
    /// [`None`]: by the number of entries.
    age_shift: Option<u32>,
    explore: u64,
    reconfigure: u64,
    sample: Option<usize>,
    recent: usize,
    first_age: u32,
}

#[derive(Debug, Clone, Copy)]
struct Object {
    size: u64,
    /// 1 / size.
    per_size: f64,
    /// The number of the request that used it last.
    last: u64,
    slot: Slot,
    hit_age: u32,
    hit_age_before: u32,
    class: u16,
    explorer: bool,
}

impl Build for Lhd {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let whole = |name| params.integer(name).unwrap_or(0);
        let narrow = |name| u32::try_from(whole(name)).expect("these parameters are at most 2^24");
        let options = LhdOptions {
            classes: narrow("classes") as usize,
            max_age: narrow("max-age"),
            age_shift: params.integer("age-shift").map(|shift| u32::try_from(shift).expect("at most 40")),
            explore: whole("explore"),
            reconfigure: whole("reconfigure"),
            sample: params.integer("sample").map(convert::index),
            recent: narrow("recent") as usize,
            first_age: if params.text("first-age") == "least" { 0 } else { narrow("max-age") },
        };
        let age_shift = options.age_shift_for(shape.entries);
        let usual_ages = shape.entries.saturating_mul(USUAL_LIFETIME) >> age_shift;
        let ages = usual_ages.min(options.max_age as usize) + 1;
        Ok(Self {
            age_shift,
            densities: Densities::new(options.classes, params.number("ewma"), ages),
            options,
            entries: Vec::with_capacity(shape.entries),
            at: PerSlot::new(shape.entries),
            requests: 0,
            in_flight: FxHashMap::default(),
            explorers_left: share(shape.capacity, params.number("explorers")),
            rng: shape.seed.stream("lhd"),
            recent: [0; RECENT],
            insertions: 0,
            ranked: Vec::new(),
        })
    }
}

impl LhdOptions {
    /// The unit of age for so many entries: the smallest with which a hundredth of the greatest age is a request for each
    /// of them. That is what the authors' program adapts to.
    fn age_shift_for(&self, entries: usize) -> u32 {
        let units = u64::from(self.max_age).div_ceil(100);
        self.age_shift.unwrap_or_else(|| (entries as u64).div_ceil(units).next_power_of_two().trailing_zeros())
    }

    /// The class of objects whose last two hit ages have this sum: 0 from the greatest
    /// age on, then one more for each halving.
    #[inline]
    fn class(&self, ages: u32) -> u16 {
        let mut class = 0;
        let mut age = u64::from(ages);
        while age < u64::from(self.max_age) && usize::from(class) + 1 < self.classes {
            age *= 2;
            class += 1;
        }
        class
    }
}

impl Lhd {
    #[inline]
    fn age(&self, object: &Object) -> u32 {
        let age = (self.requests - object.last) >> self.age_shift;
        convert::saturate::<u32>(age).min(self.options.max_age)
    }

    /// Hits per request and unit of size. Explorers have more than any other object
    /// until the greatest age, from which on every object has next to none.
    #[inline]
    fn rate(&self, object: &Object) -> f64 {
        let age = self.age(object);
        if age == self.options.max_age {
            return f64::MIN_POSITIVE;
        }
        let density = self.densities.of(usize::from(object.class), age as usize) * object.per_size;
        let density = density.max(2.0 * f64::MIN_POSITIVE);
        if object.explorer { density + 1.0 } else { density }
    }

    /// How many entries to draw; `None` for all.
    #[inline]
    fn drawn(&self) -> Option<usize> {
        match self.options.sample {
            Some(sample) => (sample < self.entries.len()).then_some(sample),
            None => (self.entries.len() > WEIGH_ALL).then_some(SAMPLE),
        }
    }

    /// Shows the entries that a victim is chosen from, with their positions: all, or some that are drawn and those that
    /// were inserted last; one of them perhaps twice.
    #[inline]
    fn look(&self, rng: &mut Rng, mut see: impl FnMut(usize, &Object)) {
        let entries = &self.entries;
        match self.drawn() {
            None => entries.iter().enumerate().for_each(|(at, object)| see(at, object)),
            Some(count) => {
                for _ in 0..count {
                    let at = rng.random_range(0..entries.len());
                    see(at, &entries[at]);
                }
                for slot in self.recent.into_iter().take(self.insertions.min(self.options.recent)) {
                    let at = self.at[slot] as usize;
                    if let Some(object) = entries.get(at).filter(|object| object.slot == slot) {
                        see(at, object);
                    }
                }
            }
        }
    }

    /// Counts ages in another unit from now on, and converts those that are known.
    fn change_ages(&mut self, shift: u32) {
        let before = std::mem::replace(&mut self.age_shift, shift);
        if shift == before {
            return;
        }
        let max = self.options.max_age;
        let converted = |age: u32| match age {
            // Stands for no age at all.
            age if age == max => age,
            age => convert::saturate::<u32>(u64::from(age) << before >> shift).min(max - 1),
        };
        for object in &mut self.entries {
            object.hit_age = converted(object.hit_age);
            object.hit_age_before = converted(object.hit_age_before);
            object.class = self.options.class(object.hit_age.saturating_add(object.hit_age_before));
        }
        self.densities.change_ages(before, shift, max as usize);
    }

    fn forget(&mut self, slot: Slot) {
        let at = self.at[slot];
        let object = self.entries.swap_remove(at as usize);
        if let Some(moved) = self.entries.get(at as usize) {
            self.at[moved.slot] = at;
        }
        self.stop_exploring(&object);
    }

    #[inline]
    fn stop_exploring(&mut self, object: &Object) {
        if object.explorer {
            self.explorers_left += object.size;
        }
    }
}

impl CachePolicy for Lhd {
    #[inline]
    fn request(&mut self, access: &Access, slot: Option<Slot>) {
        self.requests += 1;
        if slot.is_none() {
            self.in_flight.insert(access.key, self.requests);
        }
        if self.requests.is_multiple_of(self.options.reconfigure) {
            self.change_ages(self.options.age_shift_for(self.entries.len()));
            self.densities.learn();
        }
    }

    #[inline]
    fn hit(&mut self, slot: Slot, _: &Access) {
        let at = self.at[slot] as usize;
        let object = self.entries[at];
        let age = self.age(&object);
        self.densities.hit(usize::from(object.class), age as usize);
        self.stop_exploring(&object);
        let object = &mut self.entries[at];
        object.explorer = false;
        object.hit_age_before = object.hit_age;
        object.hit_age = age;
        object.class = self.options.class(object.hit_age.saturating_add(object.hit_age_before));
        object.last = self.requests;
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        let object = &mut self.entries[self.at[slot] as usize];
        if object.explorer {
            self.explorers_left = (self.explorers_left + object.size).saturating_sub(size);
        }
        object.size = size;
        object.per_size = 1.0 / size.max(1) as f64;
    }

    #[inline]
    fn victim(&mut self, _: &Fetched) -> Victim {
        let mut best: Option<(f64, Slot)> = None;
        let mut rng = self.rng.clone();
        self.look(&mut rng, |_, object| {
            let rate = self.rate(object);
            if best.is_none_or(|(least, _)| rate < least) {
                best = Some((rate, object.slot));
            }
        });
        self.rng = rng;
        best.map_or(Victim::New, |(_, slot)| Victim::Slot(slot))
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        first_candidate(self, new, may_leave)
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.at.set(slot, u32::try_from(self.entries.len()).expect("places have numbers of 32 bits"));
        let explorer = new.size <= self.explorers_left && self.rng.random_range(0..self.options.explore) == 0;
        if explorer {
            self.explorers_left -= new.size;
        }
        if let Some(place) = self.insertions.checked_rem(self.options.recent) {
            self.recent[place] = slot;
            self.insertions += 1;
        }
        let never = self.options.max_age;
        self.entries.push(Object {
            size: new.size,
            per_size: 1.0 / new.size.max(1) as f64,
            last: self.in_flight.remove(&new.key).unwrap_or(self.requests),
            slot,
            hit_age: self.options.first_age,
            hit_age_before: never,
            class: self.options.class(never),
            explorer,
        });
    }

    fn refuse(&mut self, new: &Fetched) {
        self.in_flight.remove(&new.key);
    }

    #[inline]
    fn evict(&mut self, slot: Slot, _: &Entry) {
        let object = &self.entries[self.at[slot] as usize];
        let (class, age) = (usize::from(object.class), self.age(object) as usize);
        self.densities.evicted(class, age);
        self.forget(slot);
    }

    #[inline]
    fn remove(&mut self, slot: Slot) {
        self.forget(slot);
    }
}

impl Estimate for Lhd {
    const MAD: MadDefaults = MadDefaults::LHD;
    const SHOWS_ALL: bool = false;

    /// The hit density, of the same entries as [`CachePolicy::victim`] would look at, each once.
    /// Of equal ones, that seen first is first.
    fn candidates(&mut self, _: &Fetched, see: &mut dyn FnMut(Slot, f64) -> ControlFlow<()>) {
        let mut ranked = std::mem::take(&mut self.ranked);
        let mut rng = self.rng.clone();
        let narrow = |number: usize| u32::try_from(number).expect("places have numbers of 32 bits");
        self.look(&mut rng, |at, object| {
            // The bits of numbers above zero are in the order of the numbers.
            ranked.push((self.rate(object).to_bits(), narrow(ranked.len()), narrow(at)));
        });
        self.rng = rng;
        ranked.sort_unstable();
        for (rate, _, at) in ranked.drain(..) {
            if see(self.entries[at as usize].slot, f64::from_bits(rate)).is_break() {
                break;
            }
        }
        self.ranked = ranked;
    }
}
