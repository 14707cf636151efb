//! One worker with a queue in front of it, under traffic: every served payload is really executed, and the worker's
//! clock is its own work.
//!
//! Arrivals are scheduled on that clock, so other programs on the machine take no time from the worker, though they may
//! slow it down (see `Pace`). Where the worker would wait, the clock jumps to the next arrival. The worker also runs
//! the filter, as a payload arrives, and the scheduler; both count as its work.

use crate::clock::WorkClock;
use crate::job::{Job, Progress};
use crate::policy::MatcherPolicy;
use crate::traffic::{Arrival, Traffic};
use crate::two_stage::TwoStage;
use forebay_core::estimate::{CostPerByte, Kept, Seen};
use forebay_core::{Discipline as _, Duration, FlowId, Packet, Time, Verdict, convert};
use forebay_sched::{DisciplineError, RankDiscipline};

/// A slice is never shorter, since stopping and going on costs something too.
const SHORTEST_SLICE: Duration = Duration::from_us(20);

/// A slice is never longer, so that no arrival waits longer for the worker.
const LONGEST_SLICE: Duration = Duration::from_ms(1);

/// A first slice is this many times the typical cost of a payload.
const FIRST_SLICE: f64 = 4.0;

/// Fair queueing counts work in this unit, where it has bytes otherwise.
const FAIR_UNIT: Duration = Duration::from_ns(10);

/// How a run is measured.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// The scheduler.
    pub policy: MatcherPolicy,
    /// How many payloads may wait.
    pub queue: u64,
    /// The learning phase: arrivals before its end are not counted.
    pub learning: Duration,
    /// How long arrivals are counted after that.
    pub counted: Duration,
    /// How long traffic goes on then, so that counted payloads can be served.
    pub grace: Duration,
}

/// The outcome of the bytes that arrived while they were counted.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ProcessorOutcome {
    /// Innocent bytes that arrived.
    pub innocent: u64,
    /// Those of them that were served before the end.
    pub innocent_served: u64,
    /// Attack bytes that arrived.
    pub attack: u64,
    /// Those of them that were served before the end.
    pub attack_served: u64,
    /// Work on attacks from the beginning to the end.
    pub attack_work: Duration,
    /// All work from the beginning to the end.
    pub work: Duration,
    /// When the run ended.
    pub end: Duration,
    /// How often a job went back into the queue.
    pub slices: u64,
    /// Longest time that the worker spent on one job without looking at arrivals.
    pub longest: Duration,
}

/// A payload that waits.
struct Waiting {
    arrival: Arrival,
    job: Option<Job>,
    /// Its expected cost when it arrived.
    expected: Duration,
}

struct Processor<'p, C> {
    stages: &'p mut TwoStage,
    traffic: &'p Traffic,
    clock: &'p mut C,
    run: Run,
    queue: RankDiscipline,
    waiting: Vec<Option<Waiting>>,
    free: Vec<usize>,
    evicted: Vec<Packet>,
    /// Nanoseconds per byte of each rule; one that has not been seen counts as free.
    rules: CostPerByte,
    /// Nanoseconds per byte of an unknown payload: the median of the costs of payloads in their first slice. An
    /// attacker could drive the mean up, since first slices are as long as the estimated costs of payloads.
    typical: CostPerByte,
    now: Duration,
    outcome: ProcessorOutcome,
}

/// Plays `arrivals` of `traffic`, in order of time, against the matcher.
///
/// # Errors
/// If the queue is too long.
pub fn process(
    stages: &mut TwoStage,
    traffic: &Traffic,
    arrivals: impl Iterator<Item = Arrival>,
    clock: &mut impl WorkClock,
    run: Run,
) -> Result<ProcessorOutcome, DisciplineError> {
    let mut processor = Processor {
        stages,
        traffic,
        clock,
        run,
        queue: run.policy.discipline(run.queue)?,
        waiting: Vec::new(),
        free: Vec::new(),
        evicted: Vec::new(),
        rules: CostPerByte::new(run.policy.kept()).start(0.0),
        typical: CostPerByte::new(Kept::Median).start(0.0),
        now: Duration::ZERO,
        outcome: ProcessorOutcome::default(),
    };
    let end = run.learning + run.counted + run.grace;
    let mut arrivals = arrivals.take_while(|arrival| arrival.at < end).peekable();
    while processor.now < end {
        while let Some(arrival) = arrivals.next_if(|arrival| arrival.at <= processor.now) {
            processor.timed(arrival.is_attack, |processor| processor.arrive(arrival));
        }
        if processor.queue.is_empty() {
            let Some(next) = arrivals.peek() else { break };
            processor.now = processor.now.max(next.at);
        } else {
            processor.serve();
        }
    }
    processor.outcome.end = processor.now;
    Ok(processor.outcome)
}

impl<C: WorkClock> Processor<'_, C> {
    /// Does something, and moves the worker's time by its cost.
    fn timed(&mut self, is_attack: bool, action: impl FnOnce(&mut Self)) -> Duration {
        let before = self.clock.work();
        action(self);
        let cost = self.clock.work() - before;
        self.now = self.now + cost;
        self.outcome.work = self.outcome.work + cost;
        if is_attack {
            self.outcome.attack_work = self.outcome.attack_work + cost;
        }
        cost
    }

    fn is_counted(&self, arrival: Arrival) -> bool {
        arrival.at >= self.run.learning && arrival.at < self.run.learning + self.run.counted
    }

    fn arrive(&mut self, arrival: Arrival) {
        let payload = self.traffic.payload(arrival);
        let bytes = payload.len();
        if self.is_counted(arrival) {
            let count = if arrival.is_attack { &mut self.outcome.attack } else { &mut self.outcome.innocent };
            *count += bytes as u64;
        }
        let (job, expected) = match self.run.policy {
            MatcherPolicy::Fcfs => (None, Duration::ZERO),
            MatcherPolicy::WsjfBudget => (Some(Job::new(self.stages.candidates(payload))), self.typical_cost(bytes)),
            _ => {
                let candidates = self.stages.candidates(payload);
                let nanoseconds = self.rules.estimate(candidates.iter().copied(), bytes as u64, 0.0);
                let expected = Duration::from_secs_f64(nanoseconds * 1e-9);
                (Some(Job::new(candidates)), expected)
            }
        };
        self.wait(Waiting { arrival, job, expected }, expected);
    }

    fn typical_cost(&self, bytes: usize) -> Duration {
        Duration::from_secs_f64(self.typical.estimate([], bytes as u64, 0.0) * 1e-9)
    }

    /// Enqueues a payload, with its expected cost in all.
    fn wait(&mut self, waiting: Waiting, estimate: Duration) {
        let bytes =
            u32::try_from(self.traffic.payload(waiting.arrival).len()).expect("a payload has fewer than 2^32 bytes");
        let flow = FlowId(waiting.arrival.flow);
        let slot = self.free.pop().unwrap_or_else(|| {
            self.waiting.push(None);
            self.waiting.len() - 1
        });
        self.waiting[slot] = Some(waiting);
        let size_bytes = match self.run.policy {
            MatcherPolicy::FairQueueing => convert::saturate::<u32>(estimate.as_ps() / FAIR_UNIT.as_ps()).max(1),
            _ => bytes,
        };
        let packet = Packet { id: slot as u64, size_bytes, flow, processing: estimate, ..Packet::default() };
        let now = Time::from_ps(self.now.as_ps());
        if let Verdict::Refused { .. } = self.queue.enqueue(now, packet, &mut self.evicted) {
            self.release(slot);
        }
        for index in 0..self.evicted.len() {
            self.release(slot_of(&self.evicted[index]));
        }
        self.evicted.clear();
    }

    fn release(&mut self, slot: usize) -> Option<Waiting> {
        self.free.push(slot);
        self.waiting.get_mut(slot).and_then(Option::take)
    }

    fn serve(&mut self) {
        let now = Time::from_ps(self.now.as_ps());
        let Some(packet) = self.queue.dequeue(now) else { return };
        let Some(mut waiting) = self.release(slot_of(&packet)) else { return };
        let arrival = waiting.arrival;
        let cost = self.timed(arrival.is_attack, |processor| {
            let payload = processor.traffic.payload(arrival);
            let mut job = match waiting.job.take() {
                Some(job) => job,
                None => Job::new(processor.stages.candidates(payload)),
            };
            let bytes = payload.len();
            if processor.run.policy.has_budget() {
                let is_first = job.spent() == Duration::ZERO;
                let paused = processor.slice(&mut job, payload, waiting.expected) == Progress::Paused;
                if is_first {
                    // Jobs that go on teach with the cost of their first slice, so that learning need not wait for
                    // their end.
                    processor.learn(&job, bytes);
                }
                if paused {
                    // The cost of a job so far suggests that it costs as much again.
                    let spent = job.spent();
                    processor.outcome.slices += 1;
                    processor.wait(Waiting { job: Some(job), ..waiting }, spent + spent);
                    return;
                }
            } else {
                job.run(processor.stages, payload, processor.clock);
                processor.learn(&job, bytes);
            }
            if processor.is_counted(arrival) {
                let outcome = &mut processor.outcome;
                let served = if arrival.is_attack { &mut outcome.attack_served } else { &mut outcome.innocent_served };
                *served += payload.len() as u64;
            }
        });
        self.outcome.longest = self.outcome.longest.max(cost);
    }

    /// Runs a job for as long as it has been running already, within limits.
    fn slice(&mut self, job: &mut Job, payload: &[u8], expected: Duration) -> Progress {
        let first = SHORTEST_SLICE.max(Duration::from_secs_f64(FIRST_SLICE * expected.as_secs_f64()));
        job.run_slice(self.stages, payload, self.clock, first.max(job.spent()).min(LONGEST_SLICE))
    }

    /// Learns from the cost of a job so far. A first slice counts as whole: the rest of its cost does not matter to a
    /// median.
    fn learn(&mut self, job: &Job, bytes: usize) {
        let seen = |cost: Duration| Seen { size_bytes: bytes as u64, cost: cost.as_ns_f64(), is_whole: true };
        for (rule, cost) in job.costs() {
            self.rules.learn(rule, seen(cost));
        }
        self.typical.learn_job(&[], [], seen(job.spent()));
    }
}

fn slot_of(packet: &Packet) -> usize {
    convert::index(packet.id)
}
