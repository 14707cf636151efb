//! Everything at once: 4 workers, and jobs that are not admitted, evicted, given back or cancelled, and that panic.
//! 400,000 jobs; SOAK_JOBS=10000000 for more.

use forebay_surge::{Measure, Metrics, Policy, Surge, Task};
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

const WORKERS: usize = 4;
const SUBMITTERS: usize = 2;
const FLOWS: usize = 300;
const MOST_JOBS: usize = 500;
const MOST_BYTES: u64 = 300_000;

/// The outcome of a job.
const DONE: u8 = 1;
const GIVEN_BACK: u8 = 2;

struct Job {
    number: usize,
    flow: usize,
    /// How many turns it takes.
    turns: u32,
}

struct World {
    surge: Surge<Job>,
    /// Of each job, its outcome.
    fates: Vec<AtomicU8>,
    /// For each flow 1 + the number of the job in service or last done.
    flows: Vec<AtomicUsize>,
    busy: Vec<AtomicU8>,
    in_order: bool,
    twice: AtomicU64,
    disordered: AtomicU64,
}

impl World {
    fn end(&self, job: &Job, fate: u8) {
        if self.fates[job.number].swap(fate, Ordering::Relaxed) != 0 {
            self.twice.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn submit(&self, submitter: usize, jobs: usize) {
        for number in (submitter..jobs).step_by(SUBMITTERS) {
            let random = (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
            // A flow has one submitter, so that there is an order to keep.
            let flow = number / 7 % (FLOWS / SUBMITTERS) * SUBMITTERS + submitter;
            let turns = 1 + u32::from(random >> 10 & 31 == 0);
            let size = 64 + (random >> 15) % 1_400;
            let work = Duration::from_nanos(1 + (random >> 30) % 5_000);
            let back = match self.surge.submit(Job { number, flow, turns }, flow as u64, size, work) {
                Ok(victims) => victims,
                Err(refused) => vec![refused.job],
            };
            back.iter().for_each(|job| self.end(job, GIVEN_BACK));
            if number % 2_048 == submitter {
                let metrics = self.surge.metrics();
                assert!(metrics.queued.jobs <= MOST_JOBS as u64 && metrics.queued.bytes <= MOST_BYTES);
                // Bursts, so that some of the jobs meet a full line, and not all.
                while self.surge.len() > MOST_JOBS / 10 {
                    std::thread::yield_now();
                }
            }
        }
    }

    fn work(&self) {
        while let Some(Task { mut job, ticket }) = self.surge.pull() {
            let flow = job.flow;
            if self.in_order {
                let overtaken = self.flows[flow].swap(job.number + 1, Ordering::Relaxed) > job.number + 1;
                let shared = self.busy[flow].swap(1, Ordering::Relaxed) != 0;
                self.disordered.fetch_add(u64::from(overtaken || shared), Ordering::Relaxed);
                // In the middle of the job, so to speak.
                std::thread::yield_now();
                self.busy[flow].store(0, Ordering::Relaxed);
            }
            job.turns -= 1;
            let spent = Duration::from_nanos(100 + job.number as u64 % 1_000);
            if job.turns > 0 {
                match ticket.requeue_with(job, spent) {
                    Ok(victims) => victims.iter().for_each(|job| self.end(job, GIVEN_BACK)),
                    Err(refused) => self.end(&refused.job, GIVEN_BACK),
                }
                continue;
            }
            self.end(&job, DONE);
            match job.number % 1_000 {
                0 => ticket.cancel(),
                1 => {
                    let worker = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                        let _ticket = ticket;
                        // Not `panic!`, whose message would fill the test's output.
                        std::panic::resume_unwind(Box::new("as told"));
                    }));
                    assert!(worker.is_err());
                }
                2 => drop(ticket),
                _ => ticket.finish_with(spent),
            }
        }
    }
}

fn soak(policy: Policy, in_order: bool) -> Metrics {
    let jobs = std::env::var("SOAK_JOBS").ok().and_then(|text| text.parse().ok()).unwrap_or(400_000);
    let builder = Surge::builder(MOST_JOBS).bytes(MOST_BYTES).policy(policy).measure(Measure::Wall);
    let surge = if in_order { builder.in_order(WORKERS) } else { builder }.build().expect("the builder is right");
    let world = World {
        surge,
        fates: (0..jobs).map(|_| AtomicU8::new(0)).collect(),
        flows: (0..FLOWS).map(|_| AtomicUsize::new(0)).collect(),
        busy: (0..FLOWS).map(|_| AtomicU8::new(0)).collect(),
        in_order,
        twice: AtomicU64::new(0),
        disordered: AtomicU64::new(0),
    };
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| world.work());
        }
        let submitters: Vec<_> = (0..SUBMITTERS)
            .map(|submitter| {
                scope.spawn({
                    let world = &world;
                    move || world.submit(submitter, jobs)
                })
            })
            .collect();
        let ended: Vec<_> = submitters.into_iter().map(|submitter| submitter.join()).collect();
        // Also after a failed assertion, so that the workers end and it is seen.
        world.surge.close();
        assert!(ended.iter().all(Result::is_ok), "a submitter failed");
    });
    let metrics = world.surge.metrics();
    check(&world, &metrics, jobs);
    metrics
}

fn check(world: &World, metrics: &Metrics, jobs: usize) {
    let count = |fate| world.fates.iter().filter(|&one| one.load(Ordering::Relaxed) == fate).count() as u64;
    assert_eq!(count(0), 0, "jobs were lost");
    assert_eq!(world.twice.load(Ordering::Relaxed), 0, "a job was run twice, or run and given back");
    assert_eq!(world.disordered.load(Ordering::Relaxed), 0, "jobs of a flow overtook each other or ran side by side");
    assert_eq!(metrics.submitted.jobs, jobs as u64);
    assert_eq!((metrics.queued.jobs, metrics.queued.bytes, metrics.in_service), (0, 0, 0));
    assert_eq!(metrics.done.jobs + metrics.cancelled.jobs, count(DONE));
    assert_eq!(metrics.refused.jobs + metrics.evicted.jobs, count(GIVEN_BACK));
    let seen = [metrics.done.jobs, metrics.refused.jobs, metrics.requeued, metrics.cancelled.jobs, metrics.panicked];
    assert!(seen.iter().all(|&count| count > 0), "the soak is to see everything: {metrics:?}");
}

#[test]
fn no_job_is_lost_or_run_twice() {
    println!("{:?}", soak(Policy::Wsjf, false));
}

#[test]
fn no_job_is_lost_first_come_first_served() {
    println!("{:?}", soak(Policy::Fcfs, false));
}

#[test]
fn no_job_is_lost_and_flows_stay_in_order() {
    println!("{:?}", soak(Policy::Wsjf, true));
}

#[test]
fn flows_stay_in_order_first_come_first_served() {
    println!("{:?}", soak(Policy::Fcfs, true));
}
