//! The problem: a trace, a capacity and latencies, as one small graph per object.
//!
//! A *visit* is one request of one object; visits lie object by object, in order of
//! time. The graph of an object has two nodes per visit that can be a decision: the
//! object is fetched there (a miss), or it is found (a hit).
//!
//! - A miss at visit k costs the aggregate delay of k (thesis, equation 2.13). That is the time that k and the requests
//!   arriving while its fetch is in flight wait in sum. The next decision is at the first visit that is not before the
//!   fetch could be used. There the object is found, if it stayed from the commit on, or missed.
//! - A hit at visit k costs nothing. The next decision is at visit k + 1: found, if the object stayed, or missed.
//!
//! Nothing else is worth doing: an object that leaves before its next use might as well have left at once (thesis,
//! 2.4.3).
//!
//! Capacity is needed at the ends of steps. Occupancy rises only by commits: an object that stays after a hit was there
//! before. So only the ends of steps in which a fetch commits count. Of those between which no stay can end, only the
//! last counts. They are the *checkpoints*, at most one per request. A stay occupies a range of checkpoints, and prices
//! are per checkpoint.

use forebay_core::{Request, convert};
use std::collections::HashMap;
use std::ops::ControlFlow;
use thiserror::Error;

/// Why a trace makes no problem.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProblemError {
    /// Requests are not in order of time.
    #[error("request {request} is earlier than the one before it; sort the trace by time")]
    Unordered {
        /// Number of the request, from 1.
        request: usize,
    },
    /// An object has two sizes. Then there is no one problem: the largest of them is on the
    /// safe side for a schedule, and the least for the lower bound.
    #[error(
        "request {request} gives object {key} a size of {size}, but it had {before}; give each object one size, or \
         count objects instead of their sizes (--sizes unit)"
    )]
    SizeChanged {
        /// Number of the request, from 1.
        request: usize,
        /// The object.
        key: u64,
        /// Its size here.
        size: u64,
        /// Its size at its first request.
        before: u64,
    },
    /// A request has size 0.
    #[error("request {request} has size 0; a size is at least 1")]
    SizeZero {
        /// Number of the request, from 1.
        request: usize,
    },
    /// A latency is 0.
    #[error("the latency of request {request} is 0 steps; it must be at least 1")]
    LatencyZero {
        /// Number of the request, from 1.
        request: usize,
    },
    /// A fetch would end after the last step that there is.
    #[error(
        "the time of request {request} is too large: with its latency it does not fit 64 bits; let time start at 0"
    )]
    TimeTooLarge {
        /// Number of the request, from 1.
        request: usize,
    },
    /// Numbers that would not fit.
    #[error("the trace is too large: {what}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
    },
}

/// A request trace with a capacity and the latency of every fetch.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Capacity in units of size.
    pub(crate) capacity: u64,
    /// First visit of each object; one more entry at the end. Objects with a choice
    /// come first, otherwise in order of their first request.
    pub(crate) starts: Vec<u32>,
    /// Size of each object.
    pub(crate) sizes: Vec<u64>,
    /// How many objects have a choice: they could be found at some visit, and fit.
    pub(crate) flexible: usize,
    /// The cost of the objects without a choice.
    pub(crate) fixed: u64,
    /// Of each visit: its request, as index into the trace.
    pub(crate) request: Vec<u32>,
    /// Of each visit: aggregate delay of a miss.
    pub(crate) delay: Vec<u64>,
    /// Of each visit: the next decision after a miss, or the end of the object.
    pub(crate) after_miss: Vec<u32>,
    /// Of each visit with a decision after its miss: the checkpoint from which a stay
    /// after the miss counts.
    pub(crate) commit: Vec<u32>,
    /// Of each visit: how many checkpoints are before it. A stay until it ends there.
    pub(crate) before: Vec<u32>,
    /// How many checkpoints there are.
    pub(crate) checkpoints: usize,
    /// Whether requests arrive at different times, all latencies are 1 and sizes are equal: the classical problem.
    pub(crate) classical: bool,
}

/// The requests of the objects, before they are laid out.
struct Grouped {
    starts: Vec<u32>,
    sizes: Vec<u64>,
    request: Vec<u32>,
}

impl Problem {
    /// The problem in which every fetch takes `latency` steps.
    ///
    /// # Errors
    /// [`ProblemError`] says what is wrong with the trace.
    pub fn new(requests: &[Request], capacity: u64, latency: u64) -> Result<Self, ProblemError> {
        Self::with_latency_of(requests, capacity, |_| latency)
    }

    /// The problem in which a fetch that starts with a request takes `latency_of` it,
    /// in steps, at least 1.
    ///
    /// # Errors
    /// [`ProblemError`] says what is wrong with the trace.
    pub fn with_latency_of(
        requests: &[Request],
        capacity: u64,
        latency_of: impl Fn(&Request) -> u64,
    ) -> Result<Self, ProblemError> {
        match Self::laid_out(requests, capacity, &latency_of, || ControlFlow::Continue(()))? {
            ControlFlow::Continue(mut problem) => {
                let _complete = problem.finish(requests, &latency_of, || ControlFlow::Continue(()));
                Ok(problem)
            }
            ControlFlow::Break(()) => unreachable!("it was told to go on"),
        }
    }

    /// Finds errors in requests, before any work is done for them. Calls `goes_on` now and then.
    ///
    /// # Errors
    /// [`ProblemError`] says what is wrong with the trace.
    pub fn check(
        requests: &[Request],
        latency_of: impl Fn(&Request) -> u64,
        goes_on: impl FnMut() -> ControlFlow<()>,
    ) -> Result<(), ProblemError> {
        check(requests, &latency_of)?;
        group(requests, 1, &latency_of, goes_on).map(|_| ())
    }

    /// The visits, with none of their data yet. Calls `goes_on` now and then.
    pub(crate) fn laid_out(
        requests: &[Request],
        capacity: u64,
        latency_of: impl Fn(&Request) -> u64,
        goes_on: impl FnMut() -> ControlFlow<()>,
    ) -> Result<ControlFlow<(), Self>, ProblemError> {
        check(requests, &latency_of)?;
        let ControlFlow::Continue(Grouped { starts, sizes, request }) =
            group(requests, capacity, &latency_of, goes_on)?
        else {
            return Ok(ControlFlow::Break(()));
        };
        Ok(ControlFlow::Continue(Self {
            capacity,
            classical: is_classical(requests, &latency_of),
            flexible: 0,
            fixed: 0,
            delay: vec![0; request.len()],
            after_miss: vec![0; request.len()],
            commit: vec![0; request.len()],
            before: vec![0; request.len()],
            checkpoints: 0,
            starts,
            sizes,
            request,
        }))
    }

    /// Finds the rest, a pass or sort at a time, and asks before each whether to go on. An unfinished problem cannot be
    /// solved.
    pub(crate) fn finish(
        &mut self,
        requests: &[Request],
        latency_of: impl Fn(&Request) -> u64,
        mut goes_on: impl FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        goes_on()?;
        self.find_delays(requests, &latency_of);
        goes_on()?;
        self.count_flexible();
        self.find_checkpoints(requests, &latency_of);
        goes_on()
    }

    /// How many requests the trace has.
    #[must_use]
    pub const fn requests(&self) -> usize {
        self.request.len()
    }

    /// How many objects the trace has.
    #[must_use]
    pub const fn objects(&self) -> usize {
        self.sizes.len()
    }

    /// How many checkpoints of the capacity there are, each with a price.
    #[must_use]
    pub const fn checkpoints(&self) -> usize {
        self.checkpoints
    }

    /// The visits of an object.
    pub(crate) fn visits(&self, object: usize) -> std::ops::Range<usize> {
        self.starts[object] as usize..self.starts[object + 1] as usize
    }

    /// The cost of the trace without a cache. It is the cost of a schedule that is always possible. It is no upper
    /// bound for a trace with a cache, since a hit can make a burst more expensive.
    #[must_use]
    pub fn latency_without_cache(&self) -> u64 {
        (0..self.objects()).map(|object| self.latency_of_missing(object)).sum()
    }

    fn latency_of_missing(&self, object: usize) -> u64 {
        let visits = self.visits(object);
        let mut visit = visits.start;
        let mut sum = 0;
        while visit < visits.end {
            sum += self.delay[visit];
            visit = self.after_miss[visit] as usize;
        }
        sum
    }

    fn find_delays(&mut self, requests: &[Request], latency_of: impl Fn(&Request) -> u64) {
        let mut sums = Vec::new();
        for object in 0..self.objects() {
            let visits = self.visits(object);
            let times = self.request[visits.clone()].iter().map(|&request| requests[request as usize].time);
            sums.clear();
            sums.push(0);
            sums.extend(times.scan(0u128, |sum, time| {
                *sum += u128::from(time);
                Some(*sum)
            }));
            let mut next = visits.start;
            for visit in visits.clone() {
                let request = &requests[self.request[visit] as usize];
                let usable = request.time + latency_of(request);
                // Latencies of one object may differ, so the next decision may also be earlier
                // than that of the visit before.
                let is_early = |other: usize| requests[self.request[other] as usize].time < usable;
                next = next.max(visit + 1);
                while next < visits.end && is_early(next) {
                    next += 1;
                }
                while next > visit + 1 && !is_early(next - 1) {
                    next -= 1;
                }
                let waiting = sums[next - visits.start] - sums[visit - visits.start];
                let delay = u128::from(usable) * (next - visit) as u128 - waiting;
                self.delay[visit] = convert::saturate(delay);
                self.after_miss[visit] = index(next);
            }
        }
    }

    fn count_flexible(&mut self) {
        let has_choice = |object: &usize| {
            let visits = self.visits(*object);
            (self.after_miss[visits.start] as usize) < visits.end && self.sizes[*object] <= self.capacity
        };
        self.flexible = (0..self.objects()).take_while(has_choice).count();
        self.fixed = (self.flexible..self.objects()).map(|object| self.latency_of_missing(object)).sum();
    }

    fn find_checkpoints(&mut self, requests: &[Request], latency_of: impl Fn(&Request) -> u64) {
        let mut commits = Vec::new();
        let mut ends = Vec::new();
        for object in 0..self.flexible {
            let visits = self.visits(object);
            for visit in visits.clone() {
                let request = &requests[self.request[visit] as usize];
                if (self.after_miss[visit] as usize) < visits.end {
                    commits.push((request.time + latency_of(request) - 1, index(visit)));
                }
                ends.push((request.time, index(visit)));
            }
        }
        commits.sort_unstable();
        ends.sort_unstable();
        let mut ends = ends.into_iter().peekable();
        let mut opened = 0;
        let mut open = false;
        for (time, visit) in commits {
            // Stays that end at a visit at `end` cover the commits of the steps before it.
            while let Some((_, ended)) = ends.next_if(|&(end, _)| end <= time) {
                self.before[ended as usize] = opened;
                open = false;
            }
            if !open {
                opened += 1;
                open = true;
            }
            self.commit[visit as usize] = opened - 1;
        }
        for (_, ended) in ends {
            self.before[ended as usize] = opened;
        }
        self.checkpoints = opened as usize;
    }
}

/// A position that is known to fit.
pub(crate) fn index(position: usize) -> u32 {
    u32::try_from(position).expect("the number of requests was checked")
}

/// Requests between two questions whether to go on.
const AT_A_TIME: usize = 1 << 20;

fn check(requests: &[Request], latency_of: impl Fn(&Request) -> u64) -> Result<(), ProblemError> {
    if u32::try_from(requests.len()).map_or(true, |count| count == u32::MAX) {
        return Err(ProblemError::TooLarge { what: "more than 4,294,967,294 requests" });
    }
    let mut last = 0;
    for (number, request) in (1..).zip(requests) {
        let latency = latency_of(request);
        if request.time < last {
            return Err(ProblemError::Unordered { request: number });
        }
        if request.size == 0 {
            return Err(ProblemError::SizeZero { request: number });
        }
        if latency == 0 {
            return Err(ProblemError::LatencyZero { request: number });
        }
        if request.time.checked_add(latency).is_none() {
            return Err(ProblemError::TimeTooLarge { request: number });
        }
        last = request.time;
    }
    Ok(())
}

fn is_classical(requests: &[Request], latency_of: impl Fn(&Request) -> u64) -> bool {
    requests.windows(2).all(|pair| pair[0].time < pair[1].time && pair[0].size == pair[1].size)
        && requests.iter().all(|request| latency_of(request) == 1)
}

/// Sorts requests by object, stably; objects with a choice first.
fn group(
    requests: &[Request],
    capacity: u64,
    latency_of: impl Fn(&Request) -> u64,
    mut goes_on: impl FnMut() -> ControlFlow<()>,
) -> Result<ControlFlow<(), Grouped>, ProblemError> {
    struct Object {
        size: u64,
        requests: u32,
        usable: u64,
        /// The greatest latency of its fetches: no request for it waits longer.
        longest: u64,
        flexible: bool,
    }
    let mut ids: HashMap<u64, u32> = HashMap::new();
    let mut objects: Vec<Object> = Vec::new();
    let mut owner = Vec::with_capacity(requests.len());
    for (position, request) in requests.iter().enumerate() {
        if position.is_multiple_of(AT_A_TIME) && goes_on().is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let id = *ids.entry(request.key).or_insert(index(objects.len()));
        if id as usize == objects.len() {
            let usable = request.time + latency_of(request);
            objects.push(Object { size: request.size, requests: 0, usable, longest: 0, flexible: false });
        }
        let object = &mut objects[id as usize];
        if object.size != request.size {
            let (key, size, before) = (request.key, request.size, object.size);
            return Err(ProblemError::SizeChanged { request: position + 1, key, size, before });
        }
        object.longest = object.longest.max(latency_of(request));
        object.requests += 1;
        object.flexible |= request.time >= object.usable && object.size <= capacity;
        owner.push(id);
    }
    let worst = |object: &Object| u128::from(object.longest) * u128::from(object.requests);
    if objects.iter().map(worst).sum::<u128>() >= 1 << 62 {
        return Err(ProblemError::TooLarge { what: "the sum of latencies may not fit 62 bits" });
    }
    let mut order: Vec<usize> = (0..objects.len()).collect();
    order.sort_by_key(|&id| !objects[id].flexible);
    let mut starts = vec![0; objects.len() + 1];
    let mut place = vec![0; objects.len()];
    for (position, &id) in order.iter().enumerate() {
        place[id] = starts[position];
        starts[position + 1] = starts[position] + objects[id].requests;
    }
    let mut request = vec![0; requests.len()];
    for (position, id) in owner.into_iter().enumerate() {
        let place = &mut place[id as usize];
        request[*place as usize] = index(position);
        *place += 1;
    }
    let sizes = order.iter().map(|&id| objects[id].size).collect();
    Ok(ControlFlow::Continue(Grouped { starts, sizes, request }))
}
