//! Plays one trace against many caches at once, spread over the cores.
//!
//! Online policies see the trace as a stream: each chunk is read once and passed to all of them, so that memory does not grow with the
//! trace. Offline policies need the whole trace, and the requests that follow each request.

use super::chained::{self, PageNumbers};
use super::estimates::{Estimates, estimates as estimated};
use super::future::Known;
use super::outcome::{Numbers, Point, PolicyOutcome, object_numbers};
use super::per_user::PerUser;
use super::reading::{CHUNK, Reading};
use super::request_rows::REQUESTS;
use super::scenario::Setting;
use super::spread::Spread;
use super::watch::{observer, watched};
use crate::detail::{Part, PartWriter, Rows};
use crate::error::{Result, UserError};
use crate::observer::Meter;
use crate::requests::RequestTrace;
use forebay_cache::attribution::ObjectLatency;
use forebay_cache::chains::Pages;
use forebay_cache::curve::KeySample;
use forebay_cache::request_latencies::Waits;
use forebay_cache::{Choice, Counts, Future, Model, Observer, Prefetch, PrefetchChoice, Setup, Simulation};
use forebay_core::{Request, Seed};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::vec::IntoIter;

/// A policy with its setting, its capacities, and the destination of its rows.
pub(super) type Player<'a> = (&'a Choice, &'a Setting, &'a [u64], Rows<'a>);

/// The trace that is read, and its random numbers.
pub(super) struct Pass<'a> {
    pub(super) trace: &'a RequestTrace,
    pub(super) seed: Seed,
    /// The setting of one of the players: all have the same sizes and the same sample.
    pub(super) setting: &'a Setting,
    /// All requests, if they are in memory.
    pub(super) whole: Option<&'a [Request]>,
    /// The user of each request, if users are needed.
    pub(super) users: Option<Arc<[u64]>>,
    pub(super) progress: &'a Meter<'a>,
}

/// The result of a pass.
pub(super) struct Played {
    /// The results in the order of the players, with their rows of requests if they were asked for.
    pub(super) outcomes: IntoIter<(PolicyOutcome, Option<Part>)>,
    /// The number of requests that were read, including those outside the sample.
    pub(super) requests: u64,
    /// The warnings.
    pub(super) warnings: Vec<String>,
}

/// Entries for which all caches together have room at the start; they grow beyond it.
const MOST_ENTRIES_AHEAD: u64 = 1 << 20;

impl Setting {
    /// Returns the sample of the objects that is played, if it is not all of them.
    pub(super) fn key_sample(&self, seed: Seed) -> Option<KeySample> {
        self.sample.map(|share| KeySample::new(share, seed))
    }

    /// Returns the capacity for the sample that corresponds to a capacity for the whole trace.
    pub(super) fn sampled(&self, capacity: u64, seed: Seed) -> u64 {
        self.key_sample(seed).map_or(capacity, |sample| self.whole_sets(sample.scale(capacity)))
    }

    /// Returns the number of requests of the sample that are played and not counted.
    pub(super) fn warmup_of_sample(&self, seed: Seed) -> u64 {
        let sample = self.key_sample(seed).filter(|_| self.warmup > 0);
        sample.map_or(self.warmup, |sample| sample.scale(self.warmup))
    }

    /// Returns the writer of a row for each request, if rows are recorded and kept.
    pub(super) fn requests_writer(&self, rows: &Rows<'_>) -> Result<Option<PartWriter>> {
        if self.records_requests { rows.begin(&REQUESTS) } else { Ok(None) }
    }

    /// Returns the set-up of a cache that has room for `ahead` entries at the start.
    fn setup(&self, observer: Option<Box<dyn Observer>>, capacity: u64, model: Model, seed: Seed, ahead: u64) -> Setup {
        let capacity = self.sampled(capacity, seed);
        // Entries of several bytes each: how many there will be, nobody knows.
        let entries = if self.sized { 1024 } else { capacity.min(ahead) };
        Setup {
            model,
            capacity,
            entries: usize::try_from(entries).unwrap_or(0),
            ways: self.ways,
            latency: self.latency.1.clone(),
            size_change: self.sized.then(|| self.size_change.unwrap_or_default()),
            service: self.service.clone(),
            warmup: self.warmup_of_sample(seed),
            seed,
            observer,
        }
    }
}

/// A cache that is being played.
struct Playing {
    player: usize,
    point: usize,
    model: Model,
    simulation: Box<dyn Simulation>,
    /// Where requests follow others.
    pages: Option<Pages>,
}

/// The counts of a simulation.
struct Counted {
    point: usize,
    model: Model,
    counts: Counts,
    /// The waits in the first model.
    waits: Option<Waits>,
    pages: Option<Pages>,
}

/// Plays the trace against all players.
pub(super) fn play(pass: &Pass<'_>, players: &[Player<'_>]) -> Result<Played> {
    let (offline, online): (Vec<usize>, Vec<usize>) =
        (0..players.len()).partition(|&player| players[player].1.knows_future(players[player].0));
    let mut results: Vec<Vec<Counted>> = players.iter().map(|_| Vec::new()).collect();
    let mut objects: Vec<Option<Vec<ObjectLatency>>> = players.iter().map(|_| None).collect();
    let mut users = objects.clone();
    let mut parts: Vec<Option<Part>> = players.iter().map(|_| None).collect();
    let mut take = |playing: Vec<Playing>| {
        for Playing { player, point, model, simulation, pages } in playing {
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
            if let Some(own) = watch.as_ref().and_then(|watch| watch.users.as_ref()) {
                users[player] = Some(own.latencies());
            }
            let waits = watch.map(|watch| watch.waits);
            results[player].push(Counted { point, model, counts, waits, pages });
        }
        Ok(())
    };
    let mut playing = pass.start(players, &online, &[])?;
    let is_kept = !offline.is_empty() || players.iter().any(|player| player.1.estimates);
    let streamed = pass.stream(&mut playing, is_kept)?;
    take(playing)?;
    let whole = pass.whole.unwrap_or(&streamed.kept);
    // Those with one latency share what is known of the future.
    let latency = |player: usize| players[player].1.latency.0.to_string();
    let estimating = online.iter().copied().filter(|&player| players[player].1.estimates);
    let mut knowing: Vec<usize> = offline.into_iter().chain(estimating).collect();
    knowing.sort_by_key(|&player| latency(player));
    let mut estimates: Vec<Option<Estimates>> = players.iter().map(|_| None).collect();
    for group in knowing.chunk_by(|&a, &b| latency(a) == latency(b)) {
        let setting = players[group[0]].1;
        let told: Vec<usize> =
            group.iter().copied().filter(|&player| players[player].1.knows_future(players[player].0)).collect();
        let mut playing = pass.start(players, &told, whole)?;
        let known = Known::of(pass, setting, whole)?;
        // No cache plays a part, so that all capacities share them.
        let mut shared: BTreeMap<(String, u64), Option<Estimates>> = BTreeMap::new();
        let wanting = group.iter().copied().filter(|&player| players[player].1.estimates);
        for player in wanting.take_while(|_| pass.progress.goes_on()) {
            let (policy, setting, ..) = players[player];
            estimates[player] = match shared.entry((policy.to_string(), setting.warmup_of_sample(pass.seed))) {
                Entry::Occupied(found) => *found.get(),
                Entry::Vacant(place) => *place.insert(estimated(pass, policy, setting, whole, &known)?),
            };
        }
        for (chunk, futures) in whole.chunks(CHUNK).zip(known.futures.chunks(CHUNK)) {
            if !pass.progress.goes_on() {
                break;
            }
            pass.feed(&mut playing, chunk, futures);
            pass.progress.add(chunk.len() as u64);
        }
        take(playing)?;
    }
    let outcomes = players.iter().zip(results).zip(objects).zip(users).zip(estimates);
    let outcomes = outcomes.map(|((((player, results), objects), users), estimates)| {
        let mut outcome = pass.outcome(player, &results, objects, streamed.read)?;
        outcome.points.iter_mut().for_each(|point| point.estimates = estimates);
        outcome.users = users.map(object_numbers);
        Ok(outcome)
    });
    let outcomes: Vec<PolicyOutcome> = outcomes.collect::<Result<_>>()?;
    let outcomes: Vec<_> = outcomes.into_iter().zip(parts).collect();
    Ok(Played { outcomes: outcomes.into_iter(), requests: streamed.read, warnings: streamed.warnings })
}

/// The requests that were read.
struct Streamed {
    /// All of the sample, if it was to be kept.
    kept: Vec<Request>,
    read: u64,
    warnings: Vec<String>,
}

impl Pass<'_> {
    /// Creates the caches of some players; `whole` has all requests, for those that know the future.
    fn start(&self, players: &[Player<'_>], chosen: &[usize], whole: &[Request]) -> Result<Vec<Playing>> {
        let mut playing = Vec::new();
        let caches = |&player: &usize| players[player].2.len() * players[player].1.models.len();
        let ahead = MOST_ENTRIES_AHEAD / chosen.iter().map(caches).sum::<usize>().max(1) as u64;
        let is_told = |player: usize| players[player].1.prefetch.as_ref().is_some_and(PrefetchChoice::offline);
        let future: Arc<[Request]> =
            if chosen.iter().any(|player| is_told(*player)) { whole.into() } else { Arc::default() };
        for &player in chosen {
            let (policy, setting, capacities, rows) = players[player];
            for (point, &capacity) in capacities.iter().enumerate() {
                for &model in setting.models {
                    let observer = self.observer(policy, setting, model, &rows)?;
                    let mut setup = setting.setup(observer, capacity, model, self.seed, ahead);
                    let prefetch = setting.prefetch.clone();
                    setup.service.prefetch = prefetch.map(|choice| Prefetch { choice, future: Arc::clone(&future) });
                    let simulation = policy.simulation(setup).map_err(|error| match error.param.as_deref() {
                        Some("latency") => setting.places.latency.error(error.message),
                        Some("capacity") => setting.places.capacity.error(error.message),
                        Some("ways") => setting.places.ways.error(error.message),
                        Some("prefetch" | "ahead") => setting.places.prefetch.error(error.message),
                        _ => UserError::at(policy, error.message),
                    })?;
                    playing.push(Playing { player, point, model, simulation, pages: None });
                }
            }
        }
        Ok(playing)
    }

    /// Creates the observer of a policy's requests in the first model.
    fn observer(
        &self,
        policy: &Choice,
        setting: &Setting,
        model: Model,
        rows: &Rows<'_>,
    ) -> Result<Option<Box<dyn Observer>>> {
        if setting.models[0] != model {
            return Ok(None);
        }
        let users = self.users.as_ref().filter(|_| setting.users.is_some());
        let users = users.map(|users| PerUser::new(Arc::clone(users), setting.warmup));
        let is_by_object = setting.watches(&policy.to_string());
        Ok(Some(observer(is_by_object, users, setting.requests_writer(rows)?, setting.facts.clock)))
    }

    /// Feeds the trace as it is read; keeps all of it if it is wanted.
    fn stream(&self, playing: &mut [Playing], keep: bool) -> Result<Streamed> {
        if self.setting.chained {
            return self.closed_loop(playing);
        }
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

    /// Plays requests of which some follow others: each cache has its own times.
    fn closed_loop(&self, playing: &mut [Playing]) -> Result<Streamed> {
        let (chains, warnings) = chained::read(self.trace, self.setting.sized, &|| self.progress.goes_on())?;
        let warmup = self.setting.warmup;
        playing.par_iter_mut().enumerate().for_each(|(number, playing)| {
            let goes_on = |played| {
                // Progress is that of the first.
                self.progress.add(if number == 0 { played } else { 0 });
                self.progress.goes_on()
            };
            playing.pages = Some(chains.play(&mut *playing.simulation, warmup, goes_on));
        });
        Ok(Streamed { kept: Vec::new(), read: chains.len() as u64, warnings })
    }

    /// Plays a chunk against all caches; after an interrupt, the remaining caches are skipped.
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
        let pages = |point: usize| {
            let own = results.iter().find(|own| (own.point, own.model) == (point, setting.models[0]))?;
            PageNumbers::new(own.pages.as_ref()?)
        };
        let point = |(point, &capacity): (usize, &u64)| Point {
            capacity,
            delayed: numbers(point, Model::DelayedHits),
            classical: numbers(point, Model::Classical),
            spread: spread(point),
            estimates: None,
            pages: pages(point),
        };
        Ok(PolicyOutcome {
            offline: policy.offline(),
            mad: policy.is_mad(),
            points: capacities.iter().enumerate().map(point).collect(),
            objects: objects.map(object_numbers),
            users: None,
        })
    }
}

/// Returns the error if the sum of latencies may exceed 64 bits.
pub(super) fn too_long(setting: &Setting, requests: u64) -> UserError {
    let message =
        format!("the latencies of {requests} requests add up to more than 64 bits can hold; write a shorter latency");
    setting.places.latency.error(message)
}
