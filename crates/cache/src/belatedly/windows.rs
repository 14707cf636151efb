//! First prices for long traces, found window by window.
//!
//! An evaluation of the dual looks up prices at random places in time. A long trace has more prices than fit into the
//! caches of a processor, so every lookup waits for memory. A window of the trace is a problem of its own whose
//! prices fit. Prices far away hardly matter for prices here: few objects are worth keeping for longer than an LRU cache
//! would keep them. So each window is searched alone, with a margin of the trace on both sides, and the prices of its
//! core become those of the whole trace. Any prices give a valid bound, so nothing is lost but some tightness at the
//! seams. A short search over the whole trace then mends these.
//!
//! A window holds many times the requests that fill the cache, and those that arrive during a fetch. A trace with fewer
//! than two such windows is searched as a whole. Windows do not depend on each other: threads share them, and the prices are the same
//! with any number of threads.

use crate::belatedly::effort::{BoundOptions, Progress};
use crate::belatedly::problem::{Problem, index};
use crate::belatedly::search::{Search, Start};
use forebay_core::Request;
use rustc_hash::FxHashSet;
use std::ops::{ControlFlow, Range};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Requests in a window, at least: its prices and visits fit into a processor's cache of a few megabytes.
const LEAST: usize = 1 << 17;
/// Requests of a trace that is searched in windows, at least. In shorter ones windows cost more of the gap than they save time.
const LONG: usize = 1 << 19;
/// Requests in a window, at least, as a multiple of those that fill the cache or arrive during a fetch.
const FILLS: usize = 8;
/// The margin on each side of a window, in the same unit.
const MARGIN_FILLS: usize = 2;
/// The margin on each side of a window, at least, as a share of the window.
const MARGIN_SHARE: usize = 8;
/// Places of the trace at which the requests that fill the cache are counted.
const PLACES: usize = 4;

/// The windows of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Windows {
    requests: usize,
    count: usize,
    margin: usize,
}

impl Windows {
    /// The windows of a trace, if it is long enough.
    pub(crate) fn of(requests: &[Request], capacity: u64, latency_of: impl Fn(&Request) -> u64) -> Option<Self> {
        if requests.len() < LONG {
            return None;
        }
        let longest = requests.iter().map(latency_of).max().unwrap_or(0);
        let starts = (0..PLACES).map(|place| requests.len() * place / PLACES);
        let reach = starts.map(|start| reach(&requests[start..], capacity, longest)).max().unwrap_or(0);
        let width = LEAST.max(FILLS.saturating_mul(reach));
        let count = requests.len() / width;
        let margin = (width / MARGIN_SHARE).max(MARGIN_FILLS * reach);
        (count >= 2).then_some(Self { requests: requests.len(), count, margin })
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        index(self.count)
    }

    fn core(&self, window: usize) -> Range<usize> {
        self.requests * window / self.count..self.requests * (window + 1) / self.count
    }

    fn with_margins(&self, core: &Range<usize>) -> Range<usize> {
        core.start.saturating_sub(self.margin)..(core.end + self.margin).min(self.requests)
    }
}

/// The number of requests that fill an empty cache, or that arrive during a fetch: the larger one.
fn reach(requests: &[Request], capacity: u64, latency: u64) -> usize {
    let Some(first) = requests.first() else { return 0 };
    let mut seen = FxHashSet::default();
    let mut occupied = 0u128;
    let fills = requests.iter().position(|request| {
        if seen.insert(request.key) {
            occupied += u128::from(request.size);
        }
        occupied > u128::from(capacity)
    });
    let arrive = requests.partition_point(|request| request.time - first.time < latency);
    fills.unwrap_or(requests.len()).max(arrive)
}

/// The prices of the core of a window.
struct Found {
    /// Checkpoints of the whole trace, and their prices.
    prices: Vec<(u32, f64)>,
    first_step: f64,
    /// Steps made.
    steps: u32,
    /// The gap between the bounds of the window.
    gap: f64,
}

/// A trace and what is asked of it.
pub(crate) struct Whole<'a, L> {
    pub(crate) problem: &'a Problem,
    pub(crate) requests: &'a [Request],
    pub(crate) latency_of: &'a L,
    pub(crate) options: &'a BoundOptions,
}

impl<L: Fn(&Request) -> u64 + Sync> Whole<'_, L> {
    /// Searches all windows. If `progress` ends the search, the windows that are missing get the mean price of the
    /// others. Returns the prices, the most steps made for a window, and whether to go on.
    pub(crate) fn search(
        &self,
        windows: Windows,
        mut progress: impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> (Start, u32, ControlFlow<()>) {
        let places = self.places();
        let next = AtomicUsize::new(0);
        let finished = AtomicUsize::new(0);
        let stopped = AtomicBool::new(false);
        let found: Vec<Mutex<Option<Found>>> = (0..windows.count).map(|_| Mutex::new(None)).collect();
        let work = |goes_on: &mut dyn FnMut(&Progress) -> ControlFlow<()>| {
            while !stopped.load(Ordering::Relaxed) {
                let window = next.fetch_add(1, Ordering::Relaxed);
                let Some(place) = found.get(window) else { break };
                let result = self.search_window(windows, window, &places, &mut *goes_on);
                *place.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = result;
                finished.fetch_add(1, Ordering::Relaxed);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.options.threads.min(windows.count) {
                scope.spawn(|| {
                    work(&mut |_| match stopped.load(Ordering::Relaxed) {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    });
                });
            }
            let mut goes_on = |now: &Progress| {
                let done = index(finished.load(Ordering::Relaxed));
                let flow =
                    progress(&Progress { window: done, windows: windows.count(), lower: 0.0, upper: u64::MAX, ..*now });
                if flow.is_break() {
                    stopped.store(true, Ordering::Relaxed);
                }
                flow
            };
            work(&mut goes_on);
        });
        let found =
            found.into_iter().map(|place| place.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner));
        let end = if stopped.into_inner() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let found: Vec<_> = found.collect();
        let steps = found.iter().flatten().map(|found| found.steps).max().unwrap_or(0);
        (self.together(&found), steps, end)
    }

    /// Of each request: its visit.
    fn places(&self) -> Vec<u32> {
        let mut places = vec![0; self.requests.len()];
        for (visit, &request) in self.problem.request.iter().enumerate() {
            places[request as usize] = index(visit);
        }
        places
    }

    /// Searches a window; none if it was stopped.
    fn search_window(
        &self,
        windows: Windows,
        window: usize,
        places: &[u32],
        mut goes_on: impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> Option<Found> {
        let core = windows.core(window);
        let range = windows.with_margins(&core);
        let requests = &self.requests[range.clone()];
        let problem = Problem::with_latency_of(requests, self.problem.capacity, self.latency_of)
            .expect("a part of a trace without errors has none");
        let start = Progress::begin(self.options.iterations);
        let mut search = Search::new(&problem);
        let mut stopped = false;
        let steps = search.run(&Start::Cold, start, self.options, &mut Vec::new(), |now| {
            let flow = goes_on(now);
            stopped |= flow.is_break();
            flow
        });
        let gap = search.progress_gap();
        if stopped {
            return None;
        }
        // The last commit of a checkpoint stands for it in the whole trace, which has at least as many checkpoints.
        let mut last = vec![(0, 0); problem.checkpoints()];
        for object in 0..problem.flexible {
            let visits = problem.visits(object);
            for visit in visits.clone().filter(|&visit| (problem.after_miss[visit] as usize) < visits.end) {
                let position = problem.request[visit] as usize;
                let commits = requests[position].time + (self.latency_of)(&requests[position]);
                let checkpoint = self.problem.commit[places[range.start + position] as usize];
                let last = &mut last[problem.commit[visit] as usize];
                *last = (*last).max((commits, checkpoint));
            }
        }
        let first = if core.start == 0 { 0 } else { self.requests[core.start].time };
        let end = self.requests.get(core.end).map_or(u64::MAX, |request| request.time);
        let is_core = |commits: u64| first < commits && commits <= end;
        let pairs = last.into_iter().zip(search.prices);
        let prices = pairs.filter(|&((commits, _), _)| is_core(commits)).map(|((_, place), price)| (place, price));
        Some(Found { prices: prices.collect(), first_step: search.first_step, steps, gap })
    }

    /// The prices of all windows.
    fn together(&self, found: &[Option<Found>]) -> Start {
        let mut prices = vec![0.0; self.problem.checkpoints()];
        let (mut sum, mut covered, mut first_step, mut gap) = (0.0, 0, 0.0f64, 0.0f64);
        for found in found.iter().flatten() {
            for &(checkpoint, price) in &found.prices {
                prices[checkpoint as usize] += price;
                sum += price;
            }
            covered += found.prices.last().map_or(0, |last| last.0) - found.prices.first().map_or(0, |first| first.0);
            first_step += found.first_step;
            gap += found.gap;
        }
        // Windows that are missing, from the last price before them to the first behind them.
        let mean = sum / f64::from(covered.max(1));
        let (mut from, mut missing) = (0, false);
        for found in found {
            let ends = found.as_ref().and_then(|found| Some((found.prices.first()?.0, found.prices.last()?.0)));
            if let (true, Some((first, _))) = (missing, ends) {
                prices[from..first as usize].fill(mean);
            }
            missing = ends.is_none();
            from = ends.map_or(from, |(_, last)| last as usize + 1);
        }
        if missing {
            prices[from..].fill(mean);
        }
        let done = f64::from(index(found.iter().flatten().count().max(1)));
        Start::Warm { prices, first_step: first_step / done, gap: gap / done }
    }
}
