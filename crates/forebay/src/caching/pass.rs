//! Plays one trace against many caches at once, spread over the cores.
//!
//! Online policies see the trace as a stream: each chunk is read once and fed to all
//! of them, so that memory does not grow with the trace. Offline policies need all of
//! it, and what comes after each request.

use super::outcome::{Numbers, Point, PolicyOutcome, object_numbers};
use super::reading::{CHUNK, Reading};
use super::request_rows::{REQUESTS, RequestRows};
use super::scenario::Setting;
use super::spread::Spread;
use crate::detail::{Part, Rows};
use crate::error::{Result, UserError};
use crate::observer::Meter;
use crate::requests::RequestTrace;
use forebay_cache::attribution::{ObjectLatency, PerObject};
use forebay_cache::curve::KeySample;
use forebay_cache::future::futures_while;
use forebay_cache::waits::Waits;
use forebay_cache::{Choice, Counts, Future, Model, Observer, Outcome, Setup, Simulation};
use forebay_core::{Request, Seed};
use rayon::prelude::*;
use std::any::Any;
use std::collections::HashMap;
use std::vec::IntoIter;

/// A policy with its setting, its capacities, and where its rows go.
pub(super) type Player<'a> = (&'a Choice, &'a Setting, &'a [u64], Rows<'a>);

/// What is read, and how it is drawn.
pub(super) struct Pass<'a> {
    pub(super) trace: &'a RequestTrace,
    pub(super) seed: Seed,
    /// One of the players: all have the same sizes and the same sample.
    pub(super) setting: &'a Setting,
    /// All requests, if somebody has them.
    pub(super) whole: Option<&'a [Request]>,
    pub(super) progress: &'a Meter<'a>,
}

/// What came of a pass.
pub(super) struct Played {
    /// In the order of the players, with their rows of requests if they were asked for.
    pub(super) outcomes: IntoIter<(PolicyOutcome, Option<Part>)>,
    /// Requests of the trace that were read, those outside the sample included.
    pub(super) requests: u64,
    /// What was noticed.
    pub(super) warnings: Vec<String>,
}

/// Entries for which all caches together have room at the start; they grow beyond it.
const MOST_ENTRIES_AHEAD: u64 = 1 << 20;

impl Setting {
    /// The part of the objects that is played, if it is not all of them.
    pub(super) fn key_sample(&self, seed: Seed) -> Option<KeySample> {
        self.sample.map(|share| KeySample::new(share, seed))
    }

    /// The capacity that stands for one of the whole trace.
    pub(super) fn sampled(&self, capacity: u64, seed: Seed) -> u64 {
        self.key_sample(seed).map_or(capacity, |sample| self.whole_sets(sample.scale(capacity)))
    }

    /// What a cache is made with that has room for `ahead` entries at the start.
    fn setup(
        &self,
        (policy, rows): (&Choice, &Rows<'_>),
        capacity: u64,
        model: Model,
        seed: Seed,
        ahead: u64,
    ) -> Result<Setup> {
        let observer = if self.models[0] == model { Some(self.observer(policy, rows)?) } else { None };
        let capacity = self.sampled(capacity, seed);
        // Entries of several bytes each: how many there will be, nobody knows.
        let entries = if self.sized { 1024 } else { capacity.min(ahead) };
        let sample = self.key_sample(seed).filter(|_| self.warmup > 0);
        Ok(Setup {
            model,
            capacity,
            entries: usize::try_from(entries).unwrap_or(0),
            ways: self.ways,
            latency: self.latency.1.clone(),
            size_change: self.sized.then(|| self.size_change.unwrap_or_default()),
            service: self.service.clone(),
            warmup: sample.map_or(self.warmup, |sample| sample.scale(self.warmup)),
            seed,
            observer,
        })
    }

    /// What hears of every request.
    fn observer(&self, policy: &Choice, rows: &Rows<'_>) -> Result<Box<dyn Observer>> {
        let watch = Watch::new(self.watches(policy));
        let writer = if self.records_requests { rows.begin(&REQUESTS)? } else { None };
        Ok(match writer {
            None => Box::new(watch),
            Some(writer) => Box::new(Recording { watch, requests: RequestRows::new(writer, self.facts.clock) }),
        })
    }
}

/// Sees every request that is counted: how latencies are spread and, if that is asked for, what each object waits.
#[derive(Default)]
struct Watch {
    waits: Waits,
    objects: Option<PerObject>,
}

impl Watch {
    fn new(is_by_object: bool) -> Self {
        Self { objects: is_by_object.then(PerObject::default), ..Self::default() }
    }
}

impl Observer for Watch {
    fn outcome(&mut self, request: &Request, outcome: Outcome) {
        self.waits.outcome(request, outcome);
        if let Some(objects) = &mut self.objects {
            objects.outcome(request, outcome);
        }
    }
}

/// The same, with a row for each request.
struct Recording {
    watch: Watch,
    requests: RequestRows,
}

impl Observer for Recording {
    fn outcome(&mut self, request: &Request, outcome: Outcome) {
        self.watch.outcome(request, outcome);
        self.requests.outcome(request, outcome);
    }
}

/// A cache under way.
struct Playing {
    player: usize,
    point: usize,
    model: Model,
    simulation: Box<dyn Simulation>,
}

/// What a simulation counted.
struct Counted {
    point: usize,
    model: Model,
    counts: Counts,
    /// Of the first model.
    waits: Option<Waits>,
}

/// Plays all of them.
pub(super) fn play(pass: &Pass<'_>, players: &[Player<'_>]) -> Result<Played> {
    let (offline, online): (Vec<usize>, Vec<usize>) =
        (0..players.len()).partition(|&player| players[player].0.offline());
    let mut results: Vec<Vec<Counted>> = players.iter().map(|_| Vec::new()).collect();
    let mut objects: Vec<Option<Vec<ObjectLatency>>> = players.iter().map(|_| None).collect();
    let mut parts: Vec<Option<Part>> = players.iter().map(|_| None).collect();
    let mut take = |playing: Vec<Playing>| {
        for Playing { player, point, model, simulation } in playing {
            let counts = simulation.counts();
            if counts.total_latency == u64::MAX {
                return Err(too_long(players[player].1, counts.requests));
            }
            let (watch, requests) = watched(simulation.into_observer());
            if let Some(requests) = requests {
                parts[player] = Some(requests.into_writer().finish()?);
            }
            if let Some(own) = watch.as_ref().and_then(|watch| watch.objects.as_ref()) {
                objects[player] = Some(own.latencies());
            }
            let waits = watch.map(|watch| watch.waits);
            results[player].push(Counted { point, model, counts, waits });
        }
        Ok(())
    };
    let mut playing = pass.start(players, &online)?;
    let streamed = pass.stream(&mut playing, !offline.is_empty())?;
    take(playing)?;
    let whole = pass.whole.unwrap_or(&streamed.kept);
    // Those with one latency share what is known of the future.
    let latency = |player: usize| players[player].1.latency.0.to_string();
    let mut offline = offline;
    offline.sort_by_key(|&player| latency(player));
    for group in offline.chunk_by(|&a, &b| latency(a) == latency(b)) {
        let mut playing = pass.start(players, group)?;
        let setting = players[group[0]].1;
        let latencies = setting.latency.1.prepare(pass.seed);
        let latencies = latencies.map_err(|error| setting.places.latency.error(error.to_string()))?;
        let longest =
            whole.iter().try_fold(0_u64, |sum, request| sum.checked_add(latencies.expected(request.key, request.size)));
        if longest.is_none() {
            return Err(too_long(setting, whole.len() as u64));
        }
        // An object keeps the latency of its first size here, so that all that would wait for it waits for one fetch.
        let mut sizes = HashMap::new();
        if setting.latency.0.is_by_size() {
            whole.iter().for_each(|request| _ = sizes.entry(request.key).or_insert(request.size));
        }
        let latency = |key| latencies.expected(key, sizes.get(&key).copied().unwrap_or(1));
        let known = futures_while(whole, latency, || pass.progress.goes_on());
        for (chunk, futures) in whole.chunks(CHUNK).zip(known.unwrap_or_default().chunks(CHUNK)) {
            if !pass.progress.goes_on() {
                break;
            }
            pass.feed(&mut playing, chunk, futures);
            pass.progress.add(chunk.len() as u64);
        }
        take(playing)?;
    }
    let outcomes = players.iter().zip(results).zip(objects);
    let outcomes = outcomes.map(|((player, results), objects)| pass.outcome(player, &results, objects, streamed.read));
    let outcomes: Vec<PolicyOutcome> = outcomes.collect::<Result<_>>()?;
    let outcomes: Vec<_> = outcomes.into_iter().zip(parts).collect();
    Ok(Played { outcomes: outcomes.into_iter(), requests: streamed.read, warnings: streamed.warnings })
}

/// What was read.
struct Streamed {
    /// All of the sample, if it was to be kept.
    kept: Vec<Request>,
    read: u64,
    warnings: Vec<String>,
}

impl Pass<'_> {
    fn start(&self, players: &[Player<'_>], chosen: &[usize]) -> Result<Vec<Playing>> {
        let mut playing = Vec::new();
        let caches = |&player: &usize| players[player].2.len() * players[player].1.models.len();
        let ahead = MOST_ENTRIES_AHEAD / chosen.iter().map(caches).sum::<usize>().max(1) as u64;
        for &player in chosen {
            let (policy, setting, capacities, rows) = players[player];
            for (point, &capacity) in capacities.iter().enumerate() {
                for &model in setting.models {
                    let simulation =
                        policy.simulation(setting.setup((policy, &rows), capacity, model, self.seed, ahead)?);
                    let simulation = simulation.map_err(|error| match error.param.as_deref() {
                        Some("latency") => setting.places.latency.error(error.message),
                        Some("capacity") => setting.places.capacity.error(error.message),
                        Some("ways") => setting.places.ways.error(error.message),
                        _ => UserError::at(policy, error.message),
                    })?;
                    playing.push(Playing { player, point, model, simulation });
                }
            }
        }
        Ok(playing)
    }

    /// Feeds the trace as it is read; keeps all of it if it is wanted.
    fn stream(&self, playing: &mut [Playing], keep: bool) -> Result<Streamed> {
        if let Some(whole) = self.whole {
            for chunk in whole.chunks(CHUNK) {
                if !self.progress.goes_on() {
                    break;
                }
                self.feed(playing, chunk, &[]);
                self.progress.add(chunk.len() as u64);
            }
            return Ok(Streamed { kept: Vec::new(), read: whole.len() as u64, warnings: Vec::new() });
        }
        if playing.is_empty() && !keep {
            return Ok(Streamed { kept: Vec::new(), read: 0, warnings: Vec::new() });
        }
        let mut reading = Reading::open(self.trace, self.setting.sized)?;
        let (mut chunk, mut next) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
        let mut streamed = Streamed { kept: Vec::new(), read: 0, warnings: Vec::new() };
        let sample = self.setting.key_sample(self.seed);
        let mut fill = |chunk: &mut Vec<Request>| {
            let more = reading.fill(chunk)?;
            let read = chunk.len();
            if let Some(sample) = sample {
                chunk.retain(|request| sample.takes(request.key));
            }
            Ok::<_, UserError>((more, read))
        };
        let (mut more, mut read) = fill(&mut chunk)?;
        loop {
            // The next chunk is read while this one is played.
            let ahead = || if more { fill(&mut next) } else { Ok((false, 0)) };
            let (ahead, ()) = rayon::join(ahead, || self.feed(playing, &chunk, &[]));
            self.progress.add(read as u64);
            streamed.read += read as u64;
            if keep {
                streamed.kept.extend_from_slice(&chunk);
            }
            let ended = !more;
            (more, read) = ahead?;
            chunk.clear();
            std::mem::swap(&mut chunk, &mut next);
            if ended || !self.progress.goes_on() {
                break;
            }
        }
        streamed.warnings = reading.warnings();
        Ok(streamed)
    }

    /// Plays a chunk against all caches; after an interrupt against none of those that are left.
    fn feed(&self, playing: &mut [Playing], chunk: &[Request], futures: &[Future]) {
        playing.par_iter_mut().for_each(|playing| {
            if self.progress.goes_on() {
                playing.simulation.feed(chunk, futures);
            }
        });
    }

    /// Puts together what the simulations of a player counted; `read` is how many requests the trace has.
    fn outcome(
        &self,
        (policy, setting, capacities, _): &Player<'_>,
        results: &[Counted],
        objects: Option<Vec<ObjectLatency>>,
        read: u64,
    ) -> Result<PolicyOutcome> {
        if setting.warmup > 0 && self.progress.goes_on() && results.iter().all(|own| own.counts.requests == 0) {
            let (trace, warmup) = (self.trace.place(), setting.warmup);
            let message = format!("{trace}: the trace has no more than {warmup} requests; none is left to count");
            return Err(setting.places.warmup.error(message));
        }
        // After an interrupt, each has seen its own part of the trace.
        let expected = setting.sample.filter(|_| self.progress.goes_on());
        let expected = expected.map(|share| read.saturating_sub(setting.warmup) as f64 * share);
        let numbers = |point: usize, model: Model| {
            let own = results.iter().find(|own| (own.point, own.model) == (point, model));
            own.map(|own| Numbers::new(own.counts, expected))
        };
        let spread = |point: usize| {
            let own = results.iter().find(|own| (own.point, own.model) == (point, setting.models[0]))?;
            Some(Spread::new(own.waits.as_ref()?, &own.counts, setting.facts.clock, setting.sample.unwrap_or(1.0)))
        };
        let point = |(point, &capacity): (usize, &u64)| Point {
            capacity,
            delayed: numbers(point, Model::DelayedHits),
            classical: numbers(point, Model::Classical),
            spread: spread(point),
        };
        Ok(PolicyOutcome {
            offline: policy.offline(),
            mad: policy.is_mad(),
            points: capacities.iter().enumerate().map(point).collect(),
            objects: objects.map(object_numbers),
        })
    }
}

/// What an observer saw, if there was one, and its rows of requests.
fn watched(observer: Option<Box<dyn Observer>>) -> (Option<Watch>, Option<RequestRows>) {
    let Some(observer) = observer else { return (None, None) };
    let observer: Box<dyn Any> = observer;
    match observer.downcast::<Recording>() {
        Ok(recording) => (Some(recording.watch), Some(recording.requests)),
        Err(other) => (other.downcast::<Watch>().ok().map(|watch| *watch), None),
    }
}

/// Latencies are added up in 64 bits.
fn too_long(setting: &Setting, requests: u64) -> UserError {
    let message = format!("the latencies of {requests} requests are more than 64 bits can hold; write a shorter one");
    setting.places.latency.error(message)
}
