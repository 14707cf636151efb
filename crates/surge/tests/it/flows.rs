//! Jobs in order inside their flows, beside plain lists.
//!
//! Ranks have few bits, so that flows which differ little may come in either order. The lists follow
//! what the scheduler chooses, and check that no other choice would have been much better.

use forebay_core::Seed;
use forebay_surge::{ManualClock, Measure, Policy, PullError, Surge, Task};
use rand::RngExt;
use std::collections::VecDeque;
use std::time::Duration;

const FLOWS: usize = 8;
const MOST_JOBS: usize = 20;
const MOST_IN_SERVICE: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Job {
    number: u64,
    flow: usize,
    size_bytes: u64,
    work: Duration,
    spent: Duration,
    /// When it took its place.
    arrival: u64,
}

#[derive(Clone)]
struct Lists {
    policy: Policy,
    bytes: u64,
    flows: [VecDeque<Job>; FLOWS],
    held: [bool; FLOWS],
}

impl Lists {
    fn rank(&self, flow: usize) -> f64 {
        let jobs = &self.flows[flow];
        let work: f64 = jobs.iter().map(|job| job.work.as_secs_f64()).sum();
        match self.policy {
            Policy::Wsjf => work / jobs.iter().map(|job| job.size_bytes).sum::<u64>() as f64,
            Policy::Sjf => work / jobs.len() as f64,
            Policy::Fcfs => jobs[0].arrival as f64,
        }
    }

    /// By how much a rank may be better than that of the flow chosen.
    fn tolerance(&self) -> f64 {
        if self.policy == Policy::Fcfs { 1.0 } else { 1.02 }
    }

    fn queued(&self) -> impl Iterator<Item = usize> {
        (0..FLOWS).filter(|&flow| !self.flows[flow].is_empty())
    }

    fn jobs(&self) -> usize {
        self.flows.iter().map(VecDeque::len).sum()
    }

    fn fits(&self) -> bool {
        self.jobs() <= MOST_JOBS && self.flows.iter().flatten().map(|job| job.size_bytes).sum::<u64>() <= self.bytes
    }

    fn is_worst(&self, flow: usize) -> bool {
        let worst = self.queued().map(|flow| self.rank(flow)).fold(0.0, f64::max);
        worst <= self.rank(flow) * self.tolerance()
    }

    /// The scheduler took the job in, and these left.
    fn entered(&mut self, job: Job, front: bool, victims: &[u64]) {
        if front {
            self.flows[job.flow].push_front(job);
        } else {
            self.flows[job.flow].push_back(job);
        }
        for &victim in victims {
            assert!(!self.fits(), "{victim} left for nothing");
            let last = |flow: &usize| self.flows[*flow].back().is_some_and(|last| last.number == victim);
            let flow = self.queued().find(last).expect("a victim is the last of its flow");
            assert!(self.is_worst(flow), "{victim} is not of the worst flow");
            self.flows[flow].pop_back();
        }
        assert!(self.fits());
    }

    /// Whether it is right that the scheduler did not admit the job.
    fn refuses(&self, job: Job, front: bool) -> bool {
        let mut after = self.clone();
        if front {
            after.flows[job.flow].push_front(job);
        } else {
            after.flows[job.flow].push_back(job);
        }
        if self.policy == Policy::Fcfs {
            return !after.fits();
        }
        after.may_lose(job)
    }

    /// Whether the job is a victim, if any of nearly equal flows may lose first.
    fn may_lose(&self, job: Job) -> bool {
        !self.fits()
            && self.queued().filter(|&flow| self.is_worst(flow)).any(|flow| {
                let mut after = self.clone();
                after.flows[flow].pop_back() == Some(job) || after.may_lose(job)
            })
    }

    /// The scheduler chose this job; `None` for none.
    fn pulled(&mut self, number: Option<u64>) -> Option<Job> {
        let limited = self.held.iter().filter(|&&held| held).count() == MOST_IN_SERVICE;
        let best = self.queued().filter(|&flow| !self.held[flow]).map(|flow| self.rank(flow));
        let best = best.fold(f64::INFINITY, f64::min);
        let Some(number) = number else {
            assert!(best.is_infinite() || limited, "a job could start");
            return None;
        };
        let flow = self.queued().find(|&flow| self.flows[flow][0].number == number).expect("the head of a flow");
        assert!(!self.held[flow] && !limited, "{number} starts too early");
        assert!(self.rank(flow) <= best * self.tolerance(), "{number} is not of the best flow");
        self.held[flow] = true;
        self.flows[flow].pop_front()
    }
}

#[test]
fn flows_leave_and_lose_as_plain_lists_say() {
    for policy in [Policy::Wsjf, Policy::Sjf, Policy::Fcfs] {
        for (run, bytes) in [(0, u64::MAX), (1, 10_000), (2, 3_000)] {
            compare(policy, bytes, run);
        }
    }
}

fn compare(policy: Policy, bytes: u64, run: u64) {
    let mut rng = Seed(run).stream("flows");
    let surge = Surge::builder(MOST_JOBS)
        .bytes(bytes)
        .policy(policy)
        .in_order(MOST_IN_SERVICE)
        .measure(Measure::Wall)
        .clock(ManualClock::default())
        .build()
        .expect("the builder is right");
    let mut lists = Lists { policy, bytes, flows: Default::default(), held: [false; FLOWS] };
    let mut in_service: Vec<(Task<u64>, Job)> = Vec::new();
    let (mut refusals, mut evictions, mut returns) = (0, 0, 0);
    for number in 0..30_000 {
        match rng.random_range(0..10) {
            0..5 => {
                let (flow, size_bytes) = (rng.random_range(0..FLOWS), rng.random_range(64..1_500));
                let work = Duration::from_nanos(1 << rng.random_range(10..20));
                let job = Job { number, flow, size_bytes, work, spent: Duration::ZERO, arrival: number };
                match surge.submit(number, flow as u64, size_bytes, work) {
                    Ok(victims) => {
                        evictions += victims.len();
                        lists.entered(job, false, &victims);
                    }
                    Err(_) => {
                        refusals += 1;
                        assert!(lists.refuses(job, false), "{number} was refused");
                    }
                }
            }
            5..8 => match surge.try_pull() {
                Ok(task) => {
                    let job = lists.pulled(Some(task.job)).expect("one was pulled");
                    assert_eq!((task.ticket.estimate(), task.ticket.flow()), (job.work, job.flow as u64));
                    in_service.push((task, job));
                }
                Err(error) => {
                    assert_eq!((error, lists.pulled(None)), (PullError::Empty, None));
                }
            },
            turn if !in_service.is_empty() => {
                let (task, mut job) = in_service.swap_remove(rng.random_range(0..in_service.len()));
                lists.held[job.flow] = false;
                if turn == 8 || job.spent > Duration::from_millis(1) {
                    task.ticket.finish();
                    continue;
                }
                returns += 1;
                let spent = Duration::from_nanos(1 << rng.random_range(10..20));
                job.spent += spent;
                job.work = job.work.max(2 * job.spent);
                job.arrival = number;
                match task.ticket.requeue_with(task.job, spent) {
                    Ok(victims) => lists.entered(job, true, &victims),
                    Err(refused) => assert!(lists.refuses(job, true), "{policy:?}: {} was refused", refused.job),
                }
            }
            _ => {}
        }
        assert_eq!((surge.len(), surge.metrics().in_service), (lists.jobs(), in_service.len() as u64));
    }
    assert!(refusals > 1_000 && returns > 1_000, "{policy:?}: {refusals} refusals, {returns} returns");
    assert!(policy == Policy::Fcfs || evictions > 1_000, "{policy:?}: {evictions} evictions");
}
