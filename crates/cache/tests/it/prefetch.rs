//! Prefetching against a model that walks through time tick by tick, with LRU as a list.

use crate::conformance::{requests, setup};
use forebay_cache::{Choice, Counts, Model, Prefetch, Service, Setup};
use forebay_core::Request;

/// A cache under LRU and what prefetches for it, as a reader would write it.
struct Naive<'a> {
    requests: &'a [Request],
    capacity: usize,
    latency: u64,
    prefetcher: Wanted,
    /// The object that was used last is at the end.
    cached: Vec<u64>,
    /// End, key, in the order of their begin.
    flights: Vec<(u64, u64)>,
    unused: Vec<u64>,
    /// Requests that have come.
    past: usize,
    counts: Counts,
}

#[derive(Clone, Copy)]
enum Wanted {
    Next(u64),
    /// The latest so many different successors.
    Markov(usize),
    /// Announced so long ahead.
    Window(u64),
}

impl Naive<'_> {
    fn play(mut self) -> Counts {
        for now in 0..=self.requests.last().unwrap().time {
            while let Some(first) = self.flights.iter().position(|(end, _)| *end <= now) {
                let (_, key) = self.flights.remove(first);
                self.land(key, now);
            }
            if let Wanted::Window(ahead) = self.prefetcher {
                for Request { time, key, .. } in self.requests {
                    let due = time.saturating_sub(ahead).max(time.saturating_sub(self.latency));
                    if due == now && self.next(*key, now).is_some() {
                        self.prefetch(*key, now);
                    }
                }
            }
            while self.requests.get(self.past).is_some_and(|request| request.time == now) {
                self.request(self.requests[self.past].key, now);
            }
        }
        self.counts
    }

    /// When an object is requested next, as far as the window says.
    fn next(&self, key: u64, now: u64) -> Option<u64> {
        let Wanted::Window(ahead) = self.prefetcher else { return None };
        let next = self.requests[self.past..].iter().find(|request| request.key == key)?;
        (next.time.saturating_sub(ahead) <= now).then_some(next.time)
    }

    fn land(&mut self, key: u64, now: u64) {
        if self.cached.len() == self.capacity {
            let victim = if matches!(self.prefetcher, Wanted::Window(_)) {
                let unknown = self.cached.iter().copied().find(|other| self.next(*other, now).is_none());
                let last = self.cached.iter().copied().max_by_key(|other| (self.next(*other, now), *other)).unwrap();
                let is_sooner = self.next(key, now).is_some_and(|own| Some(own) < self.next(last, now));
                unknown.or(is_sooner.then_some(last))
            } else {
                Some(self.cached[0])
            };
            let Some(victim) = victim else {
                self.counts.refused += 1;
                return self.unused.retain(|other| *other != key);
            };
            self.cached.retain(|other| *other != victim);
            self.unused.retain(|other| *other != victim);
            self.counts.evictions += 1;
        }
        self.cached.push(key);
    }

    fn prefetch(&mut self, key: u64, now: u64) {
        if !self.cached.contains(&key) && self.flights.iter().all(|(_, other)| *other != key) {
            self.flights.push((now + self.latency, key));
            self.unused.push(key);
            self.counts.prefetches += 1;
        }
    }

    fn request(&mut self, key: u64, now: u64) {
        let flight = self.flights.iter().find(|(_, other)| *other == key).copied();
        let is_first = self.unused.contains(&key);
        self.unused.retain(|other| *other != key);
        self.counts.prefetches_used += u64::from(is_first);
        self.counts.requests += 1;
        if self.cached.contains(&key) {
            self.cached.retain(|other| *other != key);
            self.cached.push(key);
            self.counts.hits += 1;
        } else if let Some((end, _)) = flight {
            self.counts.delayed_hits += 1;
            self.counts.prefetches_late += u64::from(is_first);
            self.counts.total_latency += end - now;
        } else {
            self.flights.push((now + self.latency, key));
            self.counts.misses += 1;
            self.counts.total_latency += self.latency;
        }
        self.past += 1;
        match self.prefetcher {
            Wanted::Next(degree) => (1..=degree).for_each(|step| self.prefetch(key + step, now)),
            Wanted::Markov(degree) => {
                for successor in self.successors(key, degree) {
                    self.prefetch(successor, now);
                }
            }
            Wanted::Window(_) => {}
        }
    }

    /// What followed this object, the latest first, each once.
    fn successors(&self, key: u64, degree: usize) -> Vec<u64> {
        let mut successors = Vec::new();
        for pair in self.requests[..self.past].windows(2).rev() {
            if pair[0].key == key && pair[1].key != key && !successors.contains(&pair[1].key) {
                successors.push(pair[1].key);
            }
        }
        successors.truncate(degree);
        successors
    }
}

fn fast(requests: &[Request], prefetch: Option<&str>, capacity: u64, latency: u64) -> Counts {
    let prefetch = prefetch.map(|text| Prefetch { choice: text.parse().unwrap(), future: requests.into() });
    let service = Service { prefetch, ..Service::default() };
    let setup = Setup { service, ..setup(Model::DelayedHits, capacity, latency) };
    let mut simulation = "lru".parse::<Choice>().unwrap().simulation(setup).unwrap();
    simulation.feed(requests, &[]);
    // The model of this file knows no sizes.
    Counts { bytes: 0, miss_bytes: 0, ..simulation.counts() }
}

#[test]
fn the_fast_model_is_the_naive_one() {
    let prefetchers = [
        ("next", Wanted::Next(1)),
        ("next(degree=3)", Wanted::Next(3)),
        ("markov", Wanted::Markov(1)),
        ("markov(degree=2)", Wanted::Markov(2)),
        ("window(ahead=1)", Wanted::Window(1)),
        ("window(ahead=12)", Wanted::Window(12)),
        ("window(ahead=100)", Wanted::Window(100)),
    ];
    for (text, prefetcher) in prefetchers {
        for (seed, (capacity, latency)) in (0..).zip([(1, 1), (3, 7), (10, 30), (25, 12), (60, 5)]) {
            let requests = requests(70 + seed, 1_000, 40, false);
            let naive = Naive {
                requests: &requests,
                capacity,
                latency,
                prefetcher,
                cached: Vec::new(),
                flights: Vec::new(),
                unused: Vec::new(),
                past: 0,
                counts: Counts::default(),
            };
            let fast = fast(&requests, Some(text), capacity as u64, latency);
            assert_eq!(fast, naive.play(), "{text}: capacity {capacity}, latency {latency}");
            // In the largest cache, little is missing that is known.
            assert!(fast.prefetches > 0 || capacity == 60, "{text}");
        }
    }
}

/// In a large cache, what is announced a fetch ahead is there when it is requested.
#[test]
fn with_room_and_notice_nothing_waits() {
    let mut requests = requests(80, 2_000, 50, false);
    requests.iter_mut().for_each(|request| request.time += 100);
    let counts = fast(&requests, Some("window(ahead=20)"), 10_000, 20);
    assert_eq!((counts.hits, counts.total_latency), (2_000, 0));
    let late = fast(&requests, Some("window(ahead=19)"), 10_000, 20);
    assert_eq!((late.misses, late.total_latency), (0, late.delayed_hits));
    let none = fast(&requests, Some("window(ahead=20,missed=1)"), 10_000, 20);
    assert_eq!(none, fast(&requests, None, 10_000, 20));
}

/// The more is announced, and the nearer announcements are to the truth, the less requests wait.
#[test]
fn errors_cost_latency() {
    let requests = requests(81, 20_000, 200, false);
    let latency = |text: &str| fast(&requests, Some(text), 40, 20).total_latency;
    let (exact, missed, late) =
        (latency("window(ahead=60)"), latency("window(ahead=60,missed=0.3)"), latency("window(ahead=60,error=30)"));
    let none = fast(&requests, None, 40, 20).total_latency;
    assert!(exact < missed && missed < none && exact < late && late < none, "{exact} {missed} {late} {none}");
}

#[test]
fn markov_forgets_what_got_a_successor_longest_ago() {
    // After 1 came 2, after 3 came 4; then 1 again: with memory for one object, only 3 is remembered.
    let keys = [1, 2, 3, 4, 1];
    let requests: Vec<_> = (0..).zip(keys).map(|(at, key)| Request { time: 100 * at, key, size: 1 }).collect();
    let prefetches = |text: &str| fast(&requests, Some(text), 1, 5).prefetches;
    assert_eq!((prefetches("markov"), prefetches("markov(memory=1)")), (1, 0));
}

#[test]
fn the_classical_model_has_no_prefetching() {
    let prefetch = Some(Prefetch { choice: "next".parse().unwrap(), future: Vec::new().into() });
    let setup = Setup { service: Service { prefetch, ..Service::default() }, ..setup(Model::Classical, 10, 5) };
    let error = "lru".parse::<Choice>().unwrap().simulation(setup).err().unwrap().to_string();
    assert!(error.contains("prefetching is of the model with delayed hits"), "{error}");
}

/// The last tick is one like the others, and not one that never comes.
#[test]
fn a_request_at_the_last_tick_ends() {
    for prefetcher in ["next", "markov", "window(ahead=5)"] {
        let requests = [Request { time: 0, key: 1, size: 1 }, Request { time: u64::MAX, key: 1, size: 1 }];
        assert_eq!(fast(&requests, Some(prefetcher), 10, 5).requests, 2, "{prefetcher}");
    }
}
