//! An embeddable scheduler whose workers panic, leave or return jobs, whose estimator panics, and whose clock jumps.

use super::{Life, System};
use crate::fault::{Coverage, Fault, Faults, Site};
use forebay_surge::{Clock, Estimate, Estimator, Measure, MeasuredJob, Policy, PullError, Surge, Task, Ticket};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The registry's entry.
pub const ENTRY: System = System {
    name: "surge",
    title: "No job is lost or run twice, whatever workers, estimators and clocks do",
    run: live,
    lives: 400,
};

const STEPS: u64 = 120;
const JOBS: usize = 6;
const BYTES: u64 = 4_000;
const MOST_IN_SERVICE: usize = 3;
const FLOWS: u64 = 3;

/// The source of random choices, for all that need it.
#[derive(Clone)]
struct Chance(Arc<Mutex<Faults>>);

impl Chance {
    fn lock(&self) -> MutexGuard<'_, Faults> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn below(&self, end: u64) -> u64 {
        self.lock().below(end)
    }

    fn draw(&self, call: &'static str, of: &'static str, faults: &[Fault]) -> Option<Fault> {
        self.lock().draw(Site { call, of }, faults)
    }
}

/// A job: its number, and its flow.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
struct Job {
    number: u64,
    flow: u64,
}

/// An estimator that trusts the submitter, or panics.
struct Fickle(Chance);

impl Estimator<Job> for Fickle {
    fn estimate(&self, _: &Job, _: u64, told: Duration) -> Estimate {
        break_if(self.0.draw("call", "the estimator", &["panic"]));
        Estimate { work: told, ..Estimate::default() }
    }

    fn learn(&self, _: &MeasuredJob<'_>) {
        break_if(self.0.draw("teach", "the estimator", &["panic"]));
    }
}

struct Wild(Arc<AtomicU64>);

impl Clock for Wild {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::SeqCst))
    }
}

/// A scheduler, and the expected state of each job.
struct Bench {
    chance: Chance,
    clock: Arc<AtomicU64>,
    surge: Surge<Job>,
    in_order: bool,
    waiting: BTreeSet<Job>,
    in_service: Vec<(Job, Ticket<Job>)>,
    /// The number of jobs that arrived, and that ended in each way.
    counts: BTreeMap<&'static str, u64>,
}

fn live(life: &Life) -> Coverage {
    let chance = Chance(Arc::new(Mutex::new(Faults::new(life.seed, 250))));
    let mut bench = Bench::new(&chance, life.seed);
    for number in 0..STEPS {
        bench.act(number);
        bench.check();
    }
    chance.lock().rate = 0;
    bench.end();
    chance.lock().coverage.clone()
}

impl Bench {
    fn new(chance: &Chance, seed: u64) -> Self {
        let clock = Arc::new(AtomicU64::new(0));
        let policy = [Policy::Wsjf, Policy::Sjf, Policy::Fcfs][chance.lock().place(3)];
        let builder = Surge::builder(JOBS)
            .bytes(BYTES)
            .policy(policy)
            .clock(Wild(Arc::clone(&clock)))
            .measure(Measure::Wall)
            .estimator(Fickle(chance.clone()));
        let in_order = seed / 3 % 2 == 1;
        let builder = if in_order { builder.in_order(MOST_IN_SERVICE) } else { builder };
        Self {
            chance: chance.clone(),
            clock,
            surge: builder.build().expect("a scheduler"),
            in_order,
            waiting: BTreeSet::new(),
            in_service: Vec::new(),
            counts: BTreeMap::new(),
        }
    }

    fn count(&mut self, what: &'static str, jobs: usize) {
        *self.counts.entry(what).or_default() += jobs as u64;
    }

    fn act(&mut self, number: u64) {
        match self.chance.below(8) {
            0..3 => self.submit(Job { number, flow: self.chance.below(FLOWS) }),
            3..5 => self.pull(),
            5..7 => self.serve(),
            _ => match self.chance.draw("now", "the clock", &["jumped ahead", "went back"]) {
                Some("jumped ahead") => {
                    self.clock.fetch_add(u64::MAX / 8, Ordering::SeqCst);
                }
                Some(_) => self.clock.store(0, Ordering::SeqCst),
                None => {
                    self.clock.fetch_add(1_000, Ordering::SeqCst);
                }
            },
        }
    }

    fn submit(&mut self, job: Job) {
        let fault = self.chance.draw("submit", "a job", &["size of 0", "size too large", "endless estimate"]);
        let size = match fault {
            Some("size of 0") => 0,
            Some("size too large") => BYTES + 1,
            _ => 1 + self.chance.below(BYTES / 3),
        };
        let work = if fault == Some("endless estimate") {
            Duration::MAX
        } else {
            Duration::from_nanos(self.chance.below(5_000))
        };
        let submitted = catch_unwind(AssertUnwindSafe(|| self.surge.submit(job, job.flow, size, work)));
        match submitted {
            Ok(Ok(evicted)) => {
                self.count("submitted", 1);
                self.waiting.insert(job);
                self.evict(&evicted);
            }
            Ok(Err(refused)) => {
                self.count("submitted", 1);
                self.count("refused", 1);
                assert_eq!(refused.job, job, "another job was given back");
            }
            // The estimator panicked before the scheduler had the job.
            Err(_) => {}
        }
    }

    fn evict(&mut self, evicted: &[Job]) {
        for job in evicted {
            assert!(self.waiting.remove(job), "{job:?} was evicted and did not wait");
        }
        self.count("evicted", evicted.len());
    }

    fn pull(&mut self) {
        let before = self.in_service.len();
        match self.surge.try_pull_below(MOST_IN_SERVICE) {
            Ok(Task { job, ticket }) => {
                assert!(self.waiting.remove(&job), "{job:?} was pulled and did not wait");
                if self.in_order {
                    let (earlier, later) = (self.waiting.iter(), self.in_service.iter().map(|(job, _)| job));
                    for other in earlier.filter(|other| other.number < job.number).chain(later) {
                        assert!(other.flow != job.flow, "{job:?} was pulled before {other:?} had ended");
                    }
                }
                self.in_service.push((job, ticket));
            }
            Err(PullError::Empty) => {
                let may_start =
                    |job: &&Job| !self.in_order || self.in_service.iter().all(|(own, _)| own.flow != job.flow);
                let could = self.waiting.iter().find(may_start).filter(|_| before < MOST_IN_SERVICE);
                assert!(could.is_none(), "{could:?} waits, and nobody gets it");
            }
            Err(PullError::Closed) => panic!("nobody has closed it"),
        }
    }

    /// Lets a worker end its job in a random way.
    fn serve(&mut self) {
        if self.in_service.is_empty() {
            return;
        }
        let place = self.chance.lock().place(self.in_service.len());
        let (job, ticket) = self.in_service.swap_remove(place);
        let ways = ["worker panics", "ticket dropped", "given up", "given back", "endless cost"];
        let ended = catch_unwind(AssertUnwindSafe(|| match self.chance.draw("end", "a job", &ways) {
            Some("worker panics") => {
                let _held = ticket;
                resume_unwind(Box::new("broken on purpose"));
            }
            Some("ticket dropped") => {
                drop(ticket);
                ("done", None)
            }
            Some("given up") => {
                ticket.give_up(Duration::from_nanos(10));
                ("cancelled", None)
            }
            Some("given back") => ("given back", Some(ticket.requeue(job))),
            Some(_) => {
                ticket.finish_with(Duration::MAX);
                ("done", None)
            }
            None => {
                ticket.finish();
                ("done", None)
            }
        }));
        match ended {
            Ok(("given back", Some(Ok(evicted)))) => {
                self.waiting.insert(job);
                self.evict(&evicted);
            }
            Ok(("given back", _)) => self.count("evicted", 1),
            Ok((way, _)) => self.count(way, 1),
            Err(_) => self.count("ended by a panic", 1),
        }
    }

    /// Checks the promises that hold at any time.
    fn check(&self) {
        let metrics = self.surge.metrics();
        let came = metrics.submitted.jobs;
        let found =
            [metrics.refused, metrics.evicted, metrics.drained, metrics.done, metrics.cancelled, metrics.queued];
        let found: u64 = found.iter().map(|count| count.jobs).sum::<u64>() + metrics.in_service;
        assert_eq!(came, found, "{metrics:?}");
        assert!(metrics.queued.jobs <= JOBS as u64 && metrics.queued.bytes <= BYTES, "{metrics:?}");
        assert_eq!(metrics.queued.jobs, self.waiting.len() as u64);
        assert_eq!(metrics.in_service, self.in_service.len() as u64);
    }

    /// Stops all faults, and checks that all queued jobs are done.
    fn end(mut self) {
        while !self.in_service.is_empty() {
            self.serve();
        }
        self.surge.close();
        loop {
            match self.surge.try_pull() {
                Ok(Task { job, ticket }) => {
                    assert!(self.waiting.remove(&job), "{job:?} was pulled and did not wait");
                    ticket.finish();
                }
                Err(PullError::Closed) => break,
                Err(PullError::Empty) => panic!("it is closed, and {:?} waits", self.waiting),
            }
        }
        assert!(self.waiting.is_empty(), "{:?} is lost", self.waiting);
        self.check();
    }
}

/// Panics without filling the output.
fn break_if(fault: Option<Fault>) {
    if fault.is_some() {
        resume_unwind(Box::new("broken on purpose"));
    }
}
