//! Random operations beside a model that a reader believes at a glance: a vector of jobs that is
//! searched from the beginning.

use forebay_core::Seed;
use forebay_surge::{ManualClock, Measure, Policy, PullError, Reason, Surge, Task};
use rand::RngExt;
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Job {
    number: u64,
    size_bytes: u64,
    work: Duration,
    spent: Duration,
}

/// The jobs that wait, in order of arrival.
struct Model {
    policy: Policy,
    jobs: usize,
    bytes: u64,
    waiting: Vec<Job>,
}

impl Model {
    /// Powers of two, so that the scheduler's ranks, which have few bits, are exact.
    fn rank(&self, job: &Job) -> u128 {
        match self.policy {
            Policy::Wsjf => job.work.as_nanos() * 1_000 / u128::from(job.size_bytes),
            Policy::Sjf => job.work.as_nanos(),
            Policy::Fcfs => 0,
        }
    }

    fn fits(&self, left: &[Job], job: &Job) -> bool {
        let bytes: u64 = left.iter().map(|job| job.size_bytes).sum();
        left.len() < self.jobs && bytes + job.size_bytes <= self.bytes
    }

    /// The victims; or why the job is not admitted.
    fn submit(&mut self, job: Job) -> Result<Vec<u64>, Reason> {
        if job.size_bytes > self.bytes {
            return Err(Reason::TooLarge);
        }
        let mut left = self.waiting.clone();
        let mut victims = Vec::new();
        while !self.fits(&left, &job) {
            // The last among equals.
            let worst = (0..left.len()).max_by_key(|&place| self.rank(&left[place])).expect("a job of this size fits");
            if self.rank(&left[worst]) <= self.rank(&job) {
                return Err(Reason::Worst);
            }
            victims.push(left.remove(worst).number);
        }
        left.push(job);
        self.waiting = left;
        Ok(victims)
    }

    /// The first among equals.
    fn pull(&mut self) -> Option<Job> {
        let best = (0..self.waiting.len()).min_by_key(|&place| self.rank(&self.waiting[place]))?;
        Some(self.waiting.remove(best))
    }
}

#[test]
fn a_scheduler_does_what_the_model_does() {
    for policy in [Policy::Wsjf, Policy::Sjf, Policy::Fcfs] {
        for (run, bytes) in [(0, u64::MAX), (1, 20_000), (2, 5_000)] {
            compare(policy, bytes, run);
        }
    }
}

fn compare(policy: Policy, bytes: u64, run: u64) {
    let mut rng = Seed(run).stream("operations");
    let surge = Surge::builder(12)
        .bytes(bytes)
        .policy(policy)
        .measure(Measure::Wall)
        .clock(ManualClock::default())
        .build()
        .expect("the builder is right");
    let mut model = Model { policy, jobs: 12, bytes, waiting: Vec::new() };
    let mut in_service: Vec<(Task<u64>, Job)> = Vec::new();
    let (mut refusals, mut evictions) = (0, 0);
    for number in 0..20_000 {
        match rng.random_range(0..10) {
            0..6 => {
                let size_bytes = 1_000 << rng.random_range(0..4);
                let work = Duration::from_micros(1 << rng.random_range(0..8));
                let job = Job { number, size_bytes, work, spent: Duration::ZERO };
                let told = model.submit(job);
                match surge.submit(number, 0, size_bytes, work) {
                    Ok(victims) => {
                        evictions += victims.len();
                        assert_eq!(Ok(victims), told, "job {number}");
                    }
                    Err(refused) => {
                        refusals += 1;
                        assert_eq!((refused.job, Err(refused.reason)), (number, told));
                    }
                }
            }
            6..8 => match (surge.try_pull(), model.pull()) {
                (Ok(task), Some(job)) => {
                    assert_eq!((task.job, task.ticket.estimate()), (job.number, job.work));
                    assert_eq!((task.ticket.size_bytes(), task.ticket.spent_before()), (job.size_bytes, job.spent));
                    in_service.push((task, job));
                }
                (Err(PullError::Empty), None) => {}
                (found, expected) => panic!("{found:?} in place of {expected:?}"),
            },
            turn if !in_service.is_empty() => {
                let (task, mut job) = in_service.swap_remove(rng.random_range(0..in_service.len()));
                if turn == 8 {
                    task.ticket.finish_with(job.work);
                    continue;
                }
                let spent = Duration::from_micros(1 << rng.random_range(0..6));
                job.spent += spent;
                // Twice a sum of powers of two may be none: then both sides would round differently.
                if !job.spent.as_micros().is_power_of_two() {
                    task.ticket.finish();
                    continue;
                }
                job.work = job.work.max(2 * job.spent);
                let told = model.submit(job);
                match task.ticket.requeue_with(task.job, spent) {
                    Ok(victims) => assert_eq!(Ok(victims), told),
                    Err(refused) => assert_eq!((refused.job, Err(refused.reason)), (job.number, told)),
                }
            }
            _ => {}
        }
        assert_eq!(surge.len(), model.waiting.len());
    }
    assert!(refusals > 1_000, "{policy:?}: {refusals} refusals");
    assert!(policy == Policy::Fcfs || evictions > 1_000, "{policy:?}: {evictions} evictions");
    let metrics = surge.metrics();
    assert!(metrics.requeued > 100);
    let ended = [metrics.refused, metrics.evicted, metrics.done, metrics.queued];
    assert_eq!(
        metrics.submitted.jobs,
        ended.iter().map(|count| count.jobs).sum::<u64>() + metrics.in_service,
        "{metrics:?}"
    );
    assert_eq!(metrics.queued.bytes, model.waiting.iter().map(|job| job.size_bytes).sum::<u64>());
}
