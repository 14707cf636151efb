//! Jobs per second through the scheduler, beside a channel and a locked queue.
//!
//! `cargo bench -p forebay-surge` prints, for each of them, million jobs per second: handed over by one thread to
//! itself while 100 wait, and from two submitters to two workers. They take turns, and the best of several rounds
//! counts.
#![expect(clippy::print_stdout, reason = "it is there to print")]

use crossbeam_channel::{Receiver, Sender};
use forebay_bench::Bench;
use forebay_surge::{ManualClock, Measure, Policy, Surge};
use std::collections::VecDeque;
use std::hint::black_box;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Prints and keeps the numbers of this benchmark.
const BENCH: Bench = Bench { package: env!("CARGO_PKG_NAME"), name: "throughput" };
const WAITING: u64 = 100;
const JOBS: u64 = 500_000;
const ROUNDS: usize = 5;

/// What jobs go through. The number is the job.
trait Contender: Sync {
    fn submit(&self, number: u64);
    /// Pulls a job and ends it; `false` if there is none and none will arrive.
    fn work(&self) -> bool;
    fn close(&self);
}

/// A queue under a lock, which wakes no thread if none sleeps: the usual hand-written queue.
#[derive(Default)]
struct Locked {
    state: Mutex<State>,
    ready: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<u64>,
    sleepers: usize,
    closed: bool,
}

impl Locked {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Contender for Locked {
    fn submit(&self, number: u64) {
        let mut state = self.lock();
        state.jobs.push_back(number);
        if state.sleepers > 0 {
            self.ready.notify_one();
        }
    }

    fn work(&self) -> bool {
        let mut state = self.lock();
        loop {
            if let Some(number) = state.jobs.pop_front() {
                black_box(number);
                return true;
            }
            if state.closed {
                return false;
            }
            state.sleepers += 1;
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.sleepers -= 1;
        }
    }

    fn close(&self) {
        self.lock().closed = true;
        self.ready.notify_all();
    }
}

struct Channel {
    sender: Sender<u64>,
    receiver: Receiver<u64>,
}

/// A number that is no job: the end for one worker.
const END: u64 = u64::MAX;

impl Contender for Channel {
    fn submit(&self, number: u64) {
        assert!(self.sender.send(number).is_ok());
    }

    fn work(&self) -> bool {
        self.receiver.recv().is_ok_and(|number| black_box(number) != END)
    }

    fn close(&self) {
        (0..2).for_each(|_| self.submit(END));
    }
}

impl Contender for Surge<u64> {
    fn submit(&self, number: u64) {
        let random = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let given = Self::submit(self, number, random % 64, 64 + random % 1_437, Duration::from_nanos(random));
        assert!(given.is_ok_and(|victims| victims.is_empty()));
    }

    fn work(&self) -> bool {
        self.pull()
            .map(|task| {
                black_box(task.job);
                task.ticket.finish();
            })
            .is_some()
    }

    fn close(&self) {
        Self::close(self);
    }
}

/// Million jobs per second, one thread.
fn alone(contender: &dyn Contender) -> f64 {
    (0..WAITING).for_each(|number| contender.submit(number));
    let begin = Instant::now();
    for number in 0..JOBS {
        contender.submit(number);
        contender.work();
    }
    let rate = JOBS as f64 / begin.elapsed().as_secs_f64() / 1e6;
    (0..WAITING).for_each(|_| assert!(contender.work()));
    rate
}

/// Million jobs per second, two submitters and two workers.
fn together(contender: &dyn Contender) -> f64 {
    let begin = Instant::now();
    std::thread::scope(|scope| {
        let submitters = [0, 1].map(|half| {
            scope.spawn(move || (0..JOBS / 2).for_each(|number| contender.submit(half * JOBS / 2 + number)))
        });
        for _ in 0..2 {
            scope.spawn(move || while contender.work() {});
        }
        for submitter in submitters {
            assert!(submitter.join().is_ok());
        }
        contender.close();
    });
    JOBS as f64 / begin.elapsed().as_secs_f64() / 1e6
}

fn surge(policy: Policy, measure: Option<Measure>, in_order: bool) -> Box<dyn Contender> {
    let most = usize::try_from(JOBS + WAITING).expect("it is small");
    let builder = Surge::builder(most).policy(policy).measure(measure.unwrap_or(Measure::Wall));
    // A clock that stands still, to see what clocks cost.
    let builder = if measure.is_none() { builder.clock(ManualClock::default()) } else { builder };
    let builder = if in_order { builder.in_order(4) } else { builder };
    Box::new(builder.build().expect("the builder is right"))
}

type Build = fn() -> Box<dyn Contender>;

const CONTENDERS: [(&str, Build); 7] = [
    ("Mutex<VecDeque>", || Box::new(Locked::default())),
    ("crossbeam-channel", || {
        let (sender, receiver) = crossbeam_channel::unbounded();
        Box::new(Channel { sender, receiver })
    }),
    ("surge, fcfs, wall", || surge(Policy::Fcfs, Some(Measure::Wall), false)),
    ("surge, wsjf, no clock", || surge(Policy::Wsjf, None, false)),
    ("surge, wsjf, wall", || surge(Policy::Wsjf, Some(Measure::Wall), false)),
    ("surge, wsjf, thread CPU", || surge(Policy::Wsjf, Some(Measure::ThreadCpu), false)),
    ("surge, wsjf in order, wall", || surge(Policy::Wsjf, Some(Measure::Wall), true)),
];

fn main() {
    let mut best = [(0.0_f64, 0.0_f64); CONTENDERS.len()];
    for _ in 0..ROUNDS {
        for (best, (_, build)) in best.iter_mut().zip(CONTENDERS) {
            let contender = build();
            best.0 = best.0.max(alone(&*contender));
            best.1 = best.1.max(together(&*contender));
        }
    }
    println!("{:28} {:>10} {:>8} {:>12} {:>8}   million jobs per second", "", "1 thread", "ratio", "2 and 2", "ratio");
    for ((name, _), (alone, together)) in CONTENDERS.iter().zip(best) {
        let one = BENCH.ratio(&format!("1 thread: {name}"), alone / best[0].0);
        let two = BENCH.ratio(&format!("2 and 2 threads: {name}"), together / best[0].1);
        println!("{name:28} {alone:10.2} {one:>8} {together:12.2} {two:>8}");
    }
}
