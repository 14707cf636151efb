//! Random operations against a cache that is simple enough to be seen correct.

use crate::by_hand::{Answer, End, Key, Task, Value};
use crate::timers::Timers;
use forebay_cache::Choice;
use forebay_core::Seed;
use forebay_loading::FetchError;
use rand::RngExt;
use std::collections::BTreeMap;
use std::task::Poll;
use std::time::Duration;

const KEYS: Key = 4;
const LIFE: u64 = 10;
const LIMIT: u64 = 12;
const OPERATIONS: usize = 400;
const RUNS: u64 = 150;

/// The expected result of a call.
#[derive(Debug, Clone, PartialEq)]
enum Expected {
    Value(Value),
    Error(String),
    Panic,
    TimedOut,
    Aborted,
}

#[derive(Default)]
struct Flight {
    /// The call that began it, and when.
    leader: usize,
    began: u64,
    takers: Vec<usize>,
    behind: Vec<usize>,
    stale: bool,
}

/// The rules of docs/loading-cache.md, without room to run out of.
#[derive(Default)]
struct Naive {
    now: u64,
    cached: BTreeMap<Key, (Value, u64)>,
    flights: BTreeMap<Key, Flight>,
    answers: BTreeMap<usize, Expected>,
    hits: u64,
    delayed_hits: u64,
    misses: u64,
    cancelled: u64,
    timed_out: u64,
    aborted: u64,
    outdated: u64,
}

impl Naive {
    fn alive(&self, key: Key) -> Option<Value> {
        self.cached.get(&key).filter(|(_, end)| self.now < *end).map(|(value, _)| *value)
    }

    fn call(&mut self, call: usize, key: Key) {
        if let Some(value) = self.alive(key) {
            self.hits += 1;
            self.answers.insert(call, Expected::Value(value));
        } else if let Some(flight) = self.flights.get_mut(&key) {
            if flight.stale {
                flight.behind.push(call);
            } else {
                self.delayed_hits += 1;
                flight.takers.push(call);
            }
        } else {
            self.misses += 1;
            self.flights.insert(key, Flight { leader: call, began: self.now, takers: vec![call], ..Flight::default() });
        }
    }

    fn end(&mut self, key: Key, end: &Expected) {
        let Some(flight) = self.flights.remove(&key) else { return };
        // A panic without the leader may come from the leader's runtime, so the others fetch by themselves.
        let orphaned = *end == Expected::Panic && !flight.takers.contains(&flight.leader);
        let mut again = flight.behind;
        if orphaned {
            self.delayed_hits -= flight.takers.len() as u64;
            again.extend(flight.takers);
            again.sort_unstable();
        } else {
            flight.takers.iter().for_each(|taker| drop(self.answers.insert(*taker, end.clone())));
        }
        if let Expected::Value(value) = end {
            if flight.stale {
                self.outdated += 1;
            } else {
                self.insert(key, *value);
            }
        }
        again.into_iter().for_each(|call| self.call(call, key));
    }

    fn leave(&mut self, call: usize) {
        let empty = self.flights.iter_mut().find_map(|(key, flight)| {
            flight.takers.retain(|other| *other != call);
            flight.behind.retain(|other| *other != call);
            flight.takers.is_empty().then_some(*key)
        });
        if let Some(key) = empty {
            self.cancelled += 1;
            let behind = self.flights.remove(&key).map(|flight| flight.behind);
            behind.into_iter().flatten().for_each(|call| self.call(call, key));
        }
    }

    fn end_late_fetches(&mut self) {
        let late = |flight: &Flight| self.now - flight.began >= LIMIT;
        let keys: Vec<_> = self.flights.iter().filter(|(_, flight)| late(flight)).map(|(key, _)| *key).collect();
        self.timed_out += keys.len() as u64;
        keys.iter().for_each(|key| self.end(*key, &Expected::TimedOut));
    }

    fn insert(&mut self, key: Key, value: Value) {
        self.cached.insert(key, (value, self.now + LIFE));
    }

    fn spoil(&mut self, key: Key) {
        if let Some(flight) = self.flights.get_mut(&key) {
            flight.stale = true;
        }
    }
}

#[test]
fn any_operations_do_what_the_rules_say() {
    // These rules keep objects out although there is room.
    let keeps_out = |name: &str| ["bloom", "adaptsize", "probability"].iter().any(|rule| name.ends_with(rule));
    let is_online = |name: &String| name.parse::<Choice>().is_ok_and(|it| !it.offline()) && !keeps_out(name);
    let online: Vec<_> = Choice::names().filter(is_online).collect();
    for (seed, policy) in (0..RUNS).zip(online.iter().cycle()) {
        run(seed, policy);
    }
}

fn run(seed: u64, policy: &str) {
    let mut rng = Seed(seed).stream("model");
    let timers = Timers::default();
    let bench = timers.bench(64, LIMIT, |builder| builder.time_to_live(Duration::from_secs(LIFE)).policy(policy));
    let mut naive = Naive::default();
    let mut calls: BTreeMap<usize, Task<Answer>> = BTreeMap::new();
    for number in 0..OPERATIONS {
        let key = rng.random_range(0..KEYS);
        let value = (key, number as u64);
        match rng.random_range(0..100) {
            0..45 => {
                calls.insert(number, bench.call(key));
                naive.call(number, key);
            }
            45..65 => {
                let (end, expected) = match rng.random_range(0..4) {
                    0 => (End::Error(number.to_string()), Expected::Error(number.to_string())),
                    1 => (End::Panic, Expected::Panic),
                    _ => (End::Value(value), Expected::Value(value)),
                };
                assert_eq!(bench.origin.end(key, end), naive.flights.contains_key(&key));
                naive.end(key, &expected);
            }
            65..78 => {
                let place = rng.random_range(0..calls.len().max(1));
                if let Some(call) = calls.keys().nth(place).copied() {
                    calls.remove(&call);
                    naive.leave(call);
                }
            }
            78..84 => {
                assert_eq!(bench.cache.invalidate(&key), naive.alive(key).is_some());
                naive.cached.remove(&key);
                naive.spoil(key);
            }
            84..89 => {
                bench.cache.insert(key, value);
                naive.insert(key, value);
                naive.spoil(key);
            }
            89..90 => {
                bench.cache.invalidate_all();
                naive.cached.clear();
                (0..KEYS).for_each(|key| naive.spoil(key));
            }
            90..92 => {
                assert_eq!(bench.cache.abort(&key), naive.flights.contains_key(&key));
                naive.aborted += u64::from(naive.flights.contains_key(&key));
                naive.end(key, &Expected::Aborted);
            }
            92..97 => {
                let expected = naive.alive(key);
                naive.hits += u64::from(expected.is_some());
                assert_eq!(bench.cache.get(&key), expected);
            }
            _ => {
                let seconds = rng.random_range(1..LIFE);
                bench.clock.advance(Duration::from_secs(seconds));
                naive.now += seconds;
                naive.end_late_fetches();
                timers.ring();
            }
        }
        settle(&mut calls, &mut naive);
        assert_eq!(bench.origin.running(), naive.flights.len(), "{policy}, seed {seed}, operation {number}");
    }
    let metrics = bench.cache.metrics();
    let counted = [metrics.hits, metrics.delayed_hits, metrics.misses, metrics.cancelled, metrics.outdated];
    assert_eq!([metrics.timed_out, metrics.aborted], [naive.timed_out, naive.aborted]);
    assert_eq!(counted, [naive.hits, naive.delayed_hits, naive.misses, naive.cancelled, naive.outdated]);
    assert_eq!(metrics.in_flight, naive.flights.len() as u64);
}

/// Polls who was woken until nobody is, and compares the answers.
fn settle(calls: &mut BTreeMap<usize, Task<Answer>>, naive: &mut Naive) {
    let mut answers = BTreeMap::new();
    while let Some((&call, task)) = calls.iter_mut().find(|(_, task)| task.is_woken()) {
        if let Poll::Ready(answer) = task.poll() {
            calls.remove(&call);
            let answer = match answer {
                Ok(value) => Expected::Value(value),
                Err(FetchError::Failed(error)) => Expected::Error(error.to_string()),
                Err(FetchError::Panicked(_)) => Expected::Panic,
                Err(FetchError::TimedOut) => Expected::TimedOut,
                Err(FetchError::Aborted) => Expected::Aborted,
                Err(FetchError::Cycle) => panic!("no fetch asks for another"),
            };
            answers.insert(call, answer);
        }
    }
    assert_eq!(answers, naive.answers);
    naive.answers.clear();
}
