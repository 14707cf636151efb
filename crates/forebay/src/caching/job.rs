//! A run to make. Runs that read the same trace are made in one pass.

use super::bounds::{Limits, Work, bounds, check, known, progress_text, write_certificate};
use super::object_rows::{OBJECTS, write_objects};
use super::outcome::{
    BoundsOutcome, MissRatio, Numbers, Point, PolicyOutcome, RunOutcome, RunResult, StackDistancesOutcome,
};
use super::pass::{Pass, play};
use super::population::{Population, seen};
use super::programme::programme;
use super::request_rows::REQUESTS;
use super::scenario::{CacheScenario, Capacities, Cell, Looks, Setting, Study, Task};
use super::schedule::Stage;
use super::schedule_file::ScheduleFile;
use super::schedule_rows::SCHEDULE;
use super::units::{LatencyValue, capacity_unit, unit};
use super::{BEST_SCHEDULE, CapacitySpec, SCHEDULE_OF_FILE, per_user};
use crate::detail::{DetailTable, Part, Rows};
use crate::error::{Result, UserError};
use crate::observer::Meter;
use crate::requests::RequestTrace;
use crate::run::{Job, Made};
use forebay_cache::Latency;
use forebay_cache::curve::StackDistances;
use forebay_core::{Request, Seed};
use rayon::prelude::*;
use std::sync::Arc;

/// A run to make. There may be a hundred thousand of them.
pub(super) struct CacheJob<'a> {
    pub(super) scenario: &'a CacheScenario,
    pub(super) cell: &'a Cell,
    /// The trace that is read.
    pub(super) trace: RequestTrace,
    /// A key of the played requests; runs with equal keys share a pass.
    pub(super) pass: String,
    pub(super) looks: Arc<Looks>,
    pub(super) seed: Seed,
}

/// The maximum number of requests of concurrent searches, which limits their memory.
const REQUESTS_AT_A_TIME: usize = 8_000_000;
/// A sampled cache below this says little of the whole one.
const LEAST_SAMPLED: u64 = 50;
/// The divisor that gives the least default capacity of a curve from the number of objects.
const LEAST_PART: f64 = 1_000.0;

impl Job for CacheJob<'_> {
    type Result = RunResult;

    /// Nobody knows before a file is read.
    fn length(&self) -> u64 {
        0
    }

    fn tables(&self) -> Vec<&'static DetailTable> {
        let setting = &self.cell.setting;
        let tables = [
            (&REQUESTS, setting.records_requests),
            (&OBJECTS, setting.pairwise || setting.attribute.is_some()),
            (&SCHEDULE, setting.records_schedule),
        ];
        tables.into_iter().filter_map(|(table, is_wanted)| is_wanted.then_some(table)).collect()
    }

    fn pass(&self) -> Option<&str> {
        Some(&self.pass)
    }

    fn make(&self, rows: &Rows<'_>, progress: &Meter<'_>) -> Result<Option<Made<RunResult>>> {
        Ok(Self::make_together(&[(self, *rows)], progress)?.pop().flatten())
    }

    fn make_together(jobs: &[(&Self, Rows<'_>)], progress: &Meter<'_>) -> Result<Vec<Option<Made<RunResult>>>> {
        if !progress.goes_on() && jobs.iter().any(|(job, _)| job.is_repeated()) {
            return Ok(jobs.iter().map(|_| None).collect());
        }
        let (jobs, rows): (Vec<&Self>, Vec<Rows<'_>>) = jobs.iter().copied().unzip();
        Together { jobs: &jobs, rows: &rows, progress }.make()
    }
}

/// Jobs of one pass: one trace, one sample of it, one seed.
struct Together<'a> {
    jobs: &'a [&'a CacheJob<'a>],
    /// Where the rows of each job go.
    rows: &'a [Rows<'a>],
    progress: &'a Meter<'a>,
}

/// The bounds that a search found, and its rows.
type Searched = (BoundsOutcome, Vec<Part>);

impl Together<'_> {
    fn setting(&self) -> &Setting {
        &self.jobs[0].cell.setting
    }

    fn trace(&self) -> &RequestTrace {
        &self.jobs[0].trace
    }

    fn make(&self) -> Result<Vec<Option<Made<RunResult>>>> {
        let capacities = self.capacities()?;
        let whole = if self.jobs.iter().any(|job| job.cell.task.needs_all()) { Some(self.whole()?) } else { None };
        let is_read = self.progress.goes_on();
        let pass = Pass {
            trace: self.trace(),
            seed: self.jobs[0].seed,
            setting: self.setting(),
            whole: whole.as_ref().map(|(requests, _)| requests.as_slice()),
            users: self.users()?,
            progress: self.progress,
        };
        let jobs = || self.jobs.iter().zip(&capacities).zip(self.rows);
        let policies = jobs().filter_map(|((job, capacities), rows)| match &job.cell.task {
            Task::Policy(choice) => Some((choice, job.cell.setting.as_ref(), capacities.as_slice(), *rows)),
            _ => None,
        });
        let mut played = play(&pass, &policies.collect::<Vec<_>>())?;
        let mut bounds = match &whole {
            Some((requests, _)) if is_read => self.bounds(requests, &capacities)?,
            _ => Vec::new(),
        }
        .into_iter();
        let warnings = whole.as_ref().map_or(&played.warnings, |(_, warnings)| warnings).clone();
        let requests = whole.as_ref().map_or(played.requests, |(requests, _)| requests.len() as u64);
        let mut results = Vec::new();
        for ((job, capacities), rows) in jobs() {
            let mut parts = Vec::new();
            let outcome = match &job.cell.task {
                Task::Policy(_) => {
                    let (outcome, requests) = played.outcomes.next().unzip();
                    parts.extend(requests.flatten());
                    if let Some(own) = &outcome {
                        parts.extend(write_objects(rows, own.objects.as_deref(), job.cell.setting.facts.clock)?);
                    }
                    outcome.map(RunOutcome::Policy)
                }
                Task::Bounds => bounds.next().flatten().map(|(outcome, own)| {
                    parts.extend(own);
                    RunOutcome::Bounds(outcome)
                }),
                Task::Schedule(file) => match &whole {
                    Some((requests, _)) if self.progress.goes_on() => {
                        let (outcome, own) = self.scheduled(job, file, requests, capacities[0], rows)?;
                        parts.extend(own);
                        Some(RunOutcome::Policy(outcome))
                    }
                    _ => None,
                },
                Task::StackDistances => {
                    Some(RunOutcome::StackDistances(self.distances(&job.cell.setting, capacities)?))
                }
            };
            // Asked at the end: what was made before an interrupt is whole, but it cannot be told from the rest.
            let complete = self.progress.goes_on();
            let is_of_use = complete || !job.is_repeated();
            let made = outcome.filter(|_| is_of_use).map(|outcome| Made {
                result: {
                    let warnings = job.warnings(capacities, &warnings, &outcome);
                    job.result(outcome, requests, complete, warnings)
                },
                parts,
                is_whole: complete,
            });
            results.push(made);
        }
        Ok(results)
    }

    /// Returns the sender of each request, if it is needed.
    fn users(&self) -> Result<Option<Arc<[u64]>>> {
        let mut asked = self.jobs.iter().filter_map(|job| job.cell.setting.users.as_ref());
        asked.next().map(|trace| per_user::of(self.trace(), trace, &|| self.progress.goes_on())).transpose()
    }

    /// The capacities of each job.
    fn capacities(&self) -> Result<Vec<Vec<u64>>> {
        let goes_on = || self.progress.goes_on();
        let population = if self.jobs.iter().any(|job| job.cell.setting.needs_population()) {
            // Capacities are shares of the trace of the first repetition.
            let (job, trace) = (self.jobs[0], &self.setting().trace);
            let first = job.scenario.trace_of(trace, 0);
            Some(job.looks.of(&trace.identity(), &first, self.setting().sized, &goes_on)?.population)
        } else {
            None
        };
        self.jobs.iter().map(|job| capacities(&job.cell.setting, population)).collect()
    }

    /// All requests, for searches, which cannot do with less; and what was noticed in them.
    fn whole(&self) -> Result<(Vec<Request>, Vec<String>)> {
        let mut reading = super::Reading::open(self.trace(), self.setting().sized)?;
        let requests = reading.rest(&|| self.progress.goes_on())?;
        for job in self.jobs.iter().filter(|job| job.cell.task.needs_all()) {
            let latencies = known(&job.cell.setting.latency.1, job.seed);
            let latencies = latencies.map_err(|error| job.cell.setting.places.latency.error(error))?;
            check(self.trace(), &requests, &latencies, &|| self.progress.goes_on())?;
        }
        Ok((requests, reading.warnings()))
    }

    /// Returns the bounds of each job that is a search; after an interrupt, the bounds proven so far.
    fn bounds(&self, requests: &[Request], capacities: &[Vec<u64>]) -> Result<Vec<Option<Searched>>> {
        let jobs = self.jobs.iter().zip(capacities).zip(self.rows);
        let searches: Vec<_> = jobs.filter(|((job, _), _)| matches!(job.cell.task, Task::Bounds)).collect();
        let width = (REQUESTS_AT_A_TIME / requests.len().max(1)).max(1);
        let mut found = Vec::new();
        for searches in searches.chunks(width) {
            let of_chunk =
                searches.par_iter().map(|((job, capacities), rows)| self.search(job, requests, capacities[0], rows));
            found.extend(of_chunk.collect::<Result<Vec<_>>>()?);
        }
        Ok(found)
    }

    fn search(
        &self,
        job: &CacheJob<'_>,
        requests: &[Request],
        capacity: u64,
        rows: &Rows<'_>,
    ) -> Result<Option<Searched>> {
        let setting = &job.cell.setting;
        let Some(search) = setting.search else { return Ok(None) };
        let wrong = |message: String| UserError::at(self.trace().place(), message);
        let latencies = known(&setting.latency.1, job.seed).map_err(|error| setting.places.latency.error(error))?;
        let programme = if search.exact {
            let solved = programme(requests, capacity, &latencies);
            Some(solved.map_err(|error| setting.places.exact.error(error))?)
        } else {
            None
        };
        // Several searches run at a time; a single one shares its trace out.
        let threads = if self.jobs.len() == 1 { rayon::current_num_threads() } else { 1 };
        let work = Work { effort: search.effort(requests.len()), threads, proves: setting.certificate.is_some() };
        let found = bounds(requests, capacity, &latencies, work, |now| {
            self.progress.describe(&progress_text(now));
            self.progress.goes_on()
        })
        .map_err(|error| wrong(error.to_string()))?;
        if let Some(path) = &setting.certificate {
            write_certificate(path, requests, (capacity, setting.sized), &latencies, &found)?;
        }
        let (mut spread, mut objects, mut parts) = (None, None, Vec::new());
        if setting.watches(BEST_SCHEDULE) || setting.records_schedule {
            let (name, latencies, schedule) = (BEST_SCHEDULE, &latencies, &found.schedule);
            let stage = Stage { name, setting, requests, capacity, latencies, schedule, rows };
            let played = stage.play(true, None, |error| wrong(error.to_string()))?;
            (spread, objects, parts) = (played.spread, played.objects, played.parts);
        }
        let limits = Limits::from(found);
        // Beside policies that were cut short, they would be compared with what they are not of.
        let is_of_use = self.progress.goes_on() || job.scenario.study == Study::Bound;
        let outcome = BoundsOutcome { capacity, limits, programme, objects, spread: spread.map(Box::new) };
        Ok(Some((outcome, parts)).filter(|_| is_of_use))
    }

    /// Plays the schedule of a file.
    fn scheduled(
        &self,
        job: &CacheJob<'_>,
        file: &ScheduleFile,
        requests: &[Request],
        capacity: u64,
        rows: &Rows<'_>,
    ) -> Result<(PolicyOutcome, Vec<Part>)> {
        let setting = &job.cell.setting;
        let wrong = |message: String| setting.places.schedule.error(message);
        let latencies = known(&setting.latency.1, job.seed).map_err(|error| setting.places.latency.error(error))?;
        let schedule = file.of(requests).map_err(wrong)?;
        let (name, latencies) = (SCHEDULE_OF_FILE, &latencies);
        let stage = Stage { name, setting, requests, capacity, latencies, schedule, rows };
        let played = stage.play(false, setting.requests_writer(rows)?, |error| {
            wrong(format!("{error}; give the capacity and the latency of the search that found the schedule"))
        })?;
        let point = Point {
            capacity,
            delayed: Some(Numbers::new(played.counts, None)),
            classical: None,
            spread: played.spread,
            estimates: None,
            pages: None,
        };
        Ok((
            PolicyOutcome { offline: true, mad: false, points: vec![point], objects: played.objects, users: None },
            played.parts,
        ))
    }

    /// The miss ratios of LRU, from a pass over the whole trace.
    fn distances(&self, setting: &Setting, capacities: &[u64]) -> Result<StackDistancesOutcome> {
        let mut distances = StackDistances::default();
        let mut unwarmed = setting.warmup;
        let seen = seen(self.trace(), setting.sized, &|| self.progress.goes_on(), |request| {
            if unwarmed == 0 {
                distances.request(request);
            } else {
                unwarmed -= 1;
                distances.warm_up(request);
            }
        })?;
        let requests = distances.requests().max(1) as f64;
        let ratios = capacities.iter().zip(distances.hits(capacities));
        let points = ratios.map(|(&capacity, hits)| MissRatio { capacity, miss_ratio: 1.0 - hits as f64 / requests });
        Ok(StackDistancesOutcome { objects: seen.objects, points: points.collect() })
    }
}

impl CacheJob<'_> {
    /// Whether an interrupted run can be left out, since there are others.
    fn is_repeated(&self) -> bool {
        self.scenario.repetitions.is_some()
    }

    fn result(&self, outcome: RunOutcome, requests: u64, complete: bool, warnings: Vec<String>) -> RunResult {
        let setting = &self.cell.setting;
        RunResult {
            trace: setting.trace.place(),
            format: setting.facts.format.to_owned(),
            latency_unit: unit(setting.facts.clock).to_owned(),
            capacity_unit: capacity_unit(setting.sized).to_owned(),
            latency: match setting.latency.1 {
                Latency::Constant(ticks) => LatencyValue::Ticks(ticks),
                _ => LatencyValue::Drawn(setting.latency.0.to_string()),
            },
            trace_requests: requests,
            sample: setting.sample.unwrap_or(1.0),
            complete,
            warnings,
            outcome,
        }
    }

    /// Returns warnings about the trace, about a sample that is too small, and about sizes that change.
    fn warnings(&self, capacities: &[u64], of_trace: &[String], outcome: &RunOutcome) -> Vec<String> {
        let (setting, mut warnings) = (&self.cell.setting, of_trace.to_vec());
        warnings.extend(setting.notes.clone());
        let least = capacities.iter().map(|&capacity| setting.sampled(capacity, self.seed)).min().unwrap_or(u64::MAX);
        if setting.sample.is_some() && !setting.sized && least < LEAST_SAMPLED {
            let advice = format!("a sample should keep {LEAST_SAMPLED} or more");
            warnings
                .push(format!("{}: the smallest sampled cache holds {least} only; {advice}", setting.trace.place()));
        }
        if setting.size_change.is_none()
            && let RunOutcome::Policy(played) = outcome
            && let Some(numbers) =
                played.points.iter().filter_map(Point::numbers).max_by_key(|numbers| numbers.size_changes)
            && numbers.size_changes > 0
        {
            let share = 100.0 * numbers.size_changes as f64 / numbers.requests.max(1) as f64;
            warnings.push(format!(
                "{}: objects change their size; up to {share:.1} % of the requests find a cached object with another size. They count as \
                 hits; to choose: `size_change` = \"hit\", \"miss\" or \"update\" (--size-change)",
                setting.trace.place()
            ));
        }
        warnings
    }
}

/// The capacities of a setting as numbers.
fn capacities(setting: &Setting, population: Option<Population>) -> Result<Vec<u64>> {
    let wrong = |error: String| setting.places.capacity.error(format!("{}: {error}", setting.trace.place()));
    let resolve = |spec: &CapacitySpec| {
        let capacity = spec.resolve(setting.sized, population).map_err(|error| wrong(error.to_string()))?;
        // What was computed from a share is rounded; what was written is not.
        Ok(if spec.is_share() { setting.whole_sets(capacity) } else { capacity })
    };
    match (&setting.capacities, population) {
        (Capacities::Given(specs), _) => specs.iter().map(resolve).collect(),
        (Capacities::Spread(points), Some(population)) => Ok(spread(setting, population.objects, *points)),
        (Capacities::Spread(_), None) => Ok(Vec::new()),
    }
}

/// Capacities at even distances on a logarithmic scale.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn spread(setting: &Setting, objects: u64, points: u32) -> Vec<u64> {
    let most = objects.max(1) as f64;
    let least = (most / LEAST_PART).max(1.0);
    let step = |index: u32| least * (most / least).powf(f64::from(index) / f64::from(points - 1));
    let mut capacities: Vec<u64> =
        (0..points).map(|index| setting.whole_sets((step(index).round() as u64).max(1))).collect();
    capacities.dedup();
    capacities
}
