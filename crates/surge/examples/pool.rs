//! Two worker threads, innocent jobs at 80 % load, and an attacker: `cargo run --release -p
//! forebay-surge --example pool`.
//!
//! Jobs burn real CPU time. Each worker's clock counts the time that its jobs are to burn, and arrivals follow these
//! clocks. So the figures do not depend on what else the machine does.
#![expect(clippy::print_stdout, reason = "it is there to print")]

use forebay_core::{Rng, Seed};
use forebay_surge::{Policy, Surge, Task, WorstPerByte};
use rand::RngExt;
use std::hint::black_box;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const WORKERS: usize = 2;
const MOST_WAITING: usize = 100;
const TIME: Duration = Duration::from_millis(150);
/// The work that the workers would do at full load.
const LOAD: f64 = 0.8;
const INNOCENT: (u64, Duration) = (1_250, Duration::from_micros(20));
/// A worker with a budget gives a job back after this.
const BUDGET: Duration = Duration::from_micros(50);

/// Jobs of one size and cost, sent at so many bytes per second.
#[derive(Clone, Copy)]
struct Attack {
    size_bytes: u64,
    work: Duration,
    share_of_innocent: f64,
}

/// Makes the most of schedulers that do not look at the cost.
const LARGE: Attack = Attack { size_bytes: 64, work: Duration::from_millis(1), share_of_innocent: 0.01 };
/// Makes the most of shortest job first.
const SMALL: Attack = Attack { size_bytes: 64, work: Duration::from_micros(10), share_of_innocent: 0.05 };

#[derive(Clone, Copy, PartialEq)]
enum Estimates {
    /// The truth.
    Told,
    /// Learnt from what jobs of attackers and of others have cost.
    Learnt,
    /// In proportion to the size: attackers are not told from others.
    Fooled,
}

struct Job {
    innocent: bool,
    work: Duration,
}

/// Future jobs.
struct Arrivals {
    innocent_rng: Rng,
    attack_rng: Rng,
    attack: Option<Attack>,
    innocent_at: Duration,
    attack_at: Duration,
}

impl Arrivals {
    fn next_at(&self) -> Duration {
        if self.attack.is_some() { self.innocent_at.min(self.attack_at) } else { self.innocent_at }
    }

    /// The next job, with its size.
    fn next(&mut self) -> (Job, u64) {
        let arrival = self.next_at();
        match self.attack {
            Some(Attack { size_bytes, work, share_of_innocent }) if arrival == self.attack_at => {
                let rate = innocent_rate() * share_of_innocent / size_bytes as f64;
                self.attack_at += gap(&mut self.attack_rng, 1.0 / rate);
                (Job { innocent: false, work }, size_bytes)
            }
            _ => {
                let rng = &mut self.innocent_rng;
                self.innocent_at += gap(rng, INNOCENT.0 as f64 / innocent_rate());
                let size = INNOCENT.0 + rng.random_range(0..200) - 100;
                (Job { innocent: true, work: INNOCENT.1.mul_f64(rng.random_range(0.8..1.2)) }, size)
            }
        }
    }
}

/// Between Poisson arrivals.
fn gap(rng: &mut Rng, mean: f64) -> Duration {
    Duration::from_secs_f64(-mean * (1.0 - rng.random::<f64>()).ln())
}

/// Bytes per second.
fn innocent_rate() -> f64 {
    LOAD * WORKERS as f64 / INNOCENT.1.as_secs_f64() * INNOCENT.0 as f64
}

/// The state that the workers share besides the scheduler.
struct Course {
    arrivals: Arrivals,
    /// What time it is for each worker: the end of its job.
    clocks: [Duration; WORKERS],
    innocent_bytes: u64,
}

struct Pool {
    surge: Surge<Job>,
    estimates: Estimates,
    budget: Option<Duration>,
    course: Mutex<Course>,
    moved: Condvar,
}

impl Pool {
    fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who is dropped has bad luck.
    fn submit(&self, (job, size): (Job, u64)) {
        let told = match self.estimates {
            Estimates::Told => job.work,
            Estimates::Learnt => Duration::ZERO,
            Estimates::Fooled => Duration::from_nanos(16 * size),
        };
        drop(self.surge.submit(job, 0, size, told));
    }

    /// The next task of a worker, and how long it is worked on. The worker whose clock is
    /// earliest goes first.
    fn next(&self, worker: usize) -> Option<(Task<Job>, Duration)> {
        let mut course = self.course();
        loop {
            let now = course.clocks[worker];
            if course.clocks.iter().any(|&other| other < now) {
                course = self.moved.wait(course).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            while course.arrivals.next_at() <= now {
                self.submit(course.arrivals.next());
            }
            let task = if now < TIME { self.surge.try_pull().ok() } else { None };
            let turn = task.as_ref().map(|task| self.budget.map_or(task.job.work, |budget| budget.min(task.job.work)));
            course.clocks[worker] = match turn {
                Some(turn) => now + turn,
                None if now < TIME => course.arrivals.next_at(),
                None => Duration::MAX,
            };
            self.moved.notify_all();
            if task.is_some() || now >= TIME {
                return task.zip(turn);
            }
        }
    }

    fn work(&self, worker: usize) {
        while let Some((Task { mut job, ticket }, turn)) = self.next(worker) {
            while ticket.spent() < turn {
                black_box(0);
            }
            job.work -= turn;
            if !job.work.is_zero() {
                drop(ticket.requeue_with(job, turn));
                continue;
            }
            if job.innocent {
                self.course().innocent_bytes += ticket.size_bytes();
            }
            ticket.finish_with(turn);
        }
    }
}

/// The innocent bytes done per second.
fn goodput(policy: Policy, estimates: Estimates, budget: Option<Duration>, attack: Option<Attack>) -> f64 {
    let builder = Surge::builder(MOST_WAITING).policy(policy);
    let builder = if estimates == Estimates::Learnt {
        // The facts that a program would know: the route, the rules that may match.
        builder.estimator(WorstPerByte::new(|job: &Job, features: &mut Vec<u32>| features.push(job.innocent.into())))
    } else {
        builder
    };
    let arrivals = Arrivals {
        innocent_rng: Seed(1).stream("innocent"),
        attack_rng: Seed(1).stream("attack"),
        attack,
        innocent_at: Duration::ZERO,
        attack_at: Duration::ZERO,
    };
    let course = Course { arrivals, clocks: [Duration::ZERO; WORKERS], innocent_bytes: 0 };
    let pool = Pool {
        surge: builder.build().expect("the builder is right"),
        estimates,
        budget,
        course: Mutex::new(course),
        moved: Condvar::new(),
    };
    std::thread::scope(|scope| {
        (0..WORKERS).for_each(|worker| {
            let pool = &pool;
            scope.spawn(move || pool.work(worker));
        });
    });
    pool.course().innocent_bytes as f64 / TIME.as_secs_f64()
}

fn main() {
    use Estimates::{Fooled, Learnt, Told};
    let baseline = goodput(Policy::Fcfs, Told, None, None);
    println!("goodput without attack: {:.1} MB/s\n", baseline / 1e6);
    println!("{:26} {:>28} {:>28}", "", "64 B, 1 ms, 1 % of bytes", "64 B, 10 us, 5 % of bytes");
    println!("{:26} {:>14} {:>13} {:>14} {:>13}", "", "goodput", "displaced", "goodput", "displaced");
    for (name, policy, estimates, budget) in [
        ("fcfs", Policy::Fcfs, Told, None),
        ("sjf", Policy::Sjf, Told, None),
        ("wsjf", Policy::Wsjf, Told, None),
        ("wsjf, learnt", Policy::Wsjf, Learnt, None),
        ("wsjf, fooled", Policy::Wsjf, Fooled, None),
        ("wsjf, fooled, with budget", Policy::Wsjf, Fooled, Some(BUDGET)),
    ] {
        print!("{name:26}");
        for attack in [LARGE, SMALL] {
            let goodput = goodput(policy, estimates, budget, Some(attack));
            // Bytes displaced for each byte that the attacker sends.
            let factor = (baseline - goodput) / (innocent_rate() * attack.share_of_innocent);
            print!(" {:12.1} % {factor:13.2}", 100.0 * goodput / baseline);
        }
        println!();
    }
    println!("\ndisplaced: innocent bytes not served for each byte that the attacker sends");
}
