//! Random events, and the actions of a [`SeerCache`] at each, as lines of text.
//!
//! The cache runs algorithms 1 and 2 as printed. If no entry can leave for the first packet, it fetches nothing more. A
//! state that is fetched into a free slot joins X an iteration later. Iterations take no time: after each event, the
//! cache does all that can be done.

use forebay_cache::seer::{AfterFailure, Fpm, Pace, SeerCache, SeerSpec, ToX};
use forebay_cache::{Choice, Lookup, StateCache, StateCacheSpec, Whereabouts};
use forebay_core::{Duration, Rate, Rng, Seed, Time};
use rand::RngExt as _;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const KEYS: u64 = 24;
const TICKS: u64 = 10_000;
/// States that packets have being fetched at once.
const DEMANDS: usize = 7;

/// A cache and its ports.
pub(crate) struct Shape {
    name: &'static str,
    ports: usize,
    sets: u64,
    ways: u64,
    entries: usize,
    latency: u64,
}

pub(crate) const SHAPES: [Shape; 3] = [
    Shape { name: "two-ports", ports: 2, sets: 2, ways: 2, entries: 8, latency: 6 },
    Shape { name: "one-set", ports: 3, sets: 1, ways: 4, entries: 16, latency: 4 },
    Shape { name: "direct-mapped", ports: 1, sets: 4, ways: 1, entries: 12, latency: 9 },
];

/// Where the streams are.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/seer")
}

impl Shape {
    pub(crate) fn path(&self) -> PathBuf {
        folder().join(format!("{}.txt", self.name))
    }
}

struct Run<'a> {
    shape: &'a Shape,
    seer: SeerCache,
    /// Returns the set of a key, and does nothing else.
    sets: StateCache,
    rng: Rng,
    /// The fetches in flight, when they end, and whether a packet had looked up the state.
    flights: VecDeque<(u64, u64, bool)>,
    /// The packets that are expected on each port, more or less: arrivals and keys.
    told: Vec<Vec<(u64, u64)>>,
    text: String,
}

/// The stream of a shape.
pub(crate) fn stream(shape: &Shape) -> Result<String, Box<dyn std::error::Error>> {
    let entries = shape.sets * shape.ways;
    let parallel = Some(1);
    let cache = StateCacheSpec { entries, ways: Some(shape.ways), latency: shape.latency, parallel, seed: Seed(1) };
    // A byte takes a tick, which is a picosecond.
    let rates = vec![Rate::from_bits_per_second(8_000_000_000_000).ok_or("a rate is above 0")?; shape.ports];
    let spec = SeerSpec {
        list_capacity: shape.entries,
        after_failure: AfterFailure::Stop,
        to_x: ToX::NextIteration,
        ..SeerSpec::of(cache, rates, Pace::Iteration(Duration::ZERO))
    };
    let lru: Choice = "lru".parse()?;
    let mut run = Run {
        shape,
        seer: SeerCache::new(&spec, &lru)?,
        sets: StateCache::new(&cache, &lru)?,
        rng: Seed(1).stream(shape.name),
        flights: VecDeque::new(),
        told: vec![Vec::new(); shape.ports],
        text: format!(
            "# Written by the example make_hardware_streams; what it means: testdata/seer/README.md\n\
             ports {} sets {} ways {} entries {}\n",
            shape.ports, shape.sets, shape.ways, shape.entries
        ),
    };
    let mut density = 10;
    for tick in 1..=TICKS {
        if tick.is_multiple_of(500) {
            density = [8, 20, 60][run.rng.random_range(0..3)];
        }
        if run.flights.front().is_some_and(|&(end, _, _)| end == tick) {
            run.land(tick);
        } else {
            run.event(tick, density);
        }
        run.iterate(tick);
    }
    Ok(run.text)
}

impl Run<'_> {
    /// In hardware the lowest bits of an id say which set it is in.
    fn id(&self, key: u64) -> u64 {
        key * self.shape.sets + self.sets.set_of(key) as u64
    }

    fn say(&mut self, tick: u64, what: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{tick} {what}").expect("text grows");
    }

    /// A fetch has ended.
    fn land(&mut self, tick: u64) {
        let Some((_, key, demanded)) = self.flights.pop_front() else { return };
        let here = |run: &Self, other| run.seer.find(other) == Whereabouts::Here;
        let before: Vec<u64> = (0..KEYS).filter(|&other| here(self, other)).collect();
        // A packet that is not expected is dropped: only time goes on.
        self.seer.expire(Time::from_ps(tick), 0, KEYS);
        let gone = before.into_iter().find(|&other| !here(self, other)).map(|other| self.id(other));
        let gone = gone.map_or("-".to_owned(), |id| id.to_string());
        let id = self.id(key);
        match (demanded, here(self, key)) {
            (false, _) => self.say(tick, format_args!("fill {id}")),
            (true, true) => self.say(tick, format_args!("place {id} enters {gone}")),
            (true, false) => self.say(tick, format_args!("place {id} refused {gone}")),
        }
    }

    /// Something happens, or nothing.
    fn event(&mut self, tick: u64, density: u32) {
        let now = Time::from_ps(tick);
        let port = self.rng.random_range(0..self.shape.ports);
        let key = self.rng.random_range(0..KEYS).min(self.rng.random_range(0..KEYS));
        match self.rng.random_range(0..density) {
            0 => {
                let size_bytes: u32 = self.rng.random_range(1..20);
                let last = self.told[port].iter().map(|&(arrival, _)| arrival).max().unwrap_or(0).max(tick);
                let behind = self.rng.random_range(0..4) > 0;
                let start = if behind { last } else { tick + self.rng.random_range(0..150) };
                let arrival = start + u64::from(size_bytes);
                let delay = arrival - tick;
                self.seer.notify(now, port, &[Fpm::of(key, size_bytes, Duration::from_ps(delay))]);
                self.told[port].push((arrival, key));
                let id = self.id(key);
                self.say(tick, format_args!("fpm {port} {id} {size_bytes} {delay}"));
            }
            1 => self.packet(tick, port, key),
            2 if self.rng.random_range(0..6) == 0 => {
                self.seer.pushed_back(now, port, Duration::from_ps(6));
                self.told[port].iter_mut().for_each(|(arrival, _)| *arrival += 6);
                self.say(tick, format_args!("push {port} 6"));
            }
            _ => {}
        }
    }

    /// A packet arrives, mostly one that is expected about now. Some are dropped.
    fn packet(&mut self, tick: u64, port: usize, key: u64) {
        let now = Time::from_ps(tick);
        let expected = self.told[port].iter().copied().enumerate().min_by_key(|(_, (arrival, _))| *arrival);
        let mut key = key;
        if let Some((at, (arrival, first))) = expected.filter(|_| self.rng.random_range(0..6) > 0) {
            if arrival > tick + 10 {
                return;
            }
            self.told[port].swap_remove(at);
            key = first;
        }
        let id = self.id(key);
        if self.rng.random_range(0..10) == 0 {
            self.seer.expire(now, port, key);
            return self.say(tick, format_args!("drop {port} {id}"));
        }
        if self.flights.iter().filter(|(_, _, demanded)| *demanded).count() >= DEMANDS {
            return;
        }
        let found = match self.seer.access(now, Some(port), key) {
            Lookup::Hit => "here",
            Lookup::DelayedHit(_) => "coming",
            Lookup::Miss(end) => {
                self.flights.push_back((end, key, true));
                "away"
            }
        };
        self.say(tick, format_args!("come {port} {id} {found}"));
    }

    /// All that the manager does now.
    fn iterate(&mut self, tick: u64) {
        let now = Time::from_ps(tick);
        while self.seer.next_iteration().is_some_and(|due| due <= now) {
            let Some(prefetch) = self.seer.iterate(now) else { continue };
            self.flights.push_back((prefetch.end.as_ps(), prefetch.key, false));
            let id = self.id(prefetch.key);
            let evicted = prefetch.evicted.map_or("-".to_owned(), |key| self.id(key).to_string());
            self.say(tick, format_args!("fetch {} {id} {evicted}", prefetch.port));
        }
    }
}
