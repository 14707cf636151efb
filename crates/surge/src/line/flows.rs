//! Jobs in order inside their flows: flows are ranked by their queued jobs, and a flow with a job in service is held
//! back (thesis 3.5.3).

use super::{Admission, Limits, Waiting};
use crate::error::Reason;
use crate::policy::{Policy, RANKS, UNIT, picoseconds};
use forebay_core::{Duration, convert};
use forebay_sched::RankUnit;
use forebay_sched::flows::{FlowLoad, FlowOrder, FlowQueue, Job, Taken, rank};
use forebay_sched::queues::bitmap_tree::Levels2;
use forebay_sched::queues::queue::hffs::Hffs;
use forebay_sched::queues::{Handle, Tournament};
use std::hash::RandomState;

/// The jobs that wait. The hash of flows has a random key, since attackers may choose their names.
pub(crate) struct FlowLine<J> {
    policy: Policy,
    limits: Limits,
    bytes: u64,
    /// The number of the next job that arrives.
    arrivals: u64,
    flows: Flows<J>,
}

type Flows<J> = FlowQueue<u64, Numbered<J>, Order, RandomState>;

/// Pushes a job to the end or to the head of its flow.
type Push<J> = fn(&mut Flows<J>, u64, Job, Numbered<J>) -> Result<u64, Numbered<J>>;

struct Numbered<J> {
    number: u64,
    waiting: Waiting<J>,
}

/// The order of the flows: by rank, or by arrival, for which ranks rise for ever.
#[expect(clippy::large_enum_variant, reason = "there is one for each scheduler")]
enum Order {
    Ranked(Hffs<u32, Levels2>),
    Arrived(Tournament<u32>),
}

impl<J> FlowLine<J> {
    pub(super) fn new(policy: Policy, most_flows: usize, limits: Limits) -> Self {
        // One more, for the arriving job while it is weighed against the rest.
        let places = limits.jobs + 1;
        let (order, rank, unit): (_, fn(&FlowLoad) -> u64, _) = match policy {
            Policy::Wsjf => (Order::Ranked(Hffs::new(places, RANKS)), rank::job_ratio_inorder::rank, UNIT),
            Policy::Sjf => (Order::Ranked(Hffs::new(places, RANKS)), rank::job_size_inorder::rank, UNIT),
            Policy::Fcfs => (Order::Arrived(Tournament::new(places)), head_number, RankUnit::ONE),
        };
        let flows = FlowQueue::new(order, rank, unit, RandomState::new()).serial(most_flows);
        Self { policy, limits, bytes: 0, arrivals: 0, flows }
    }

    pub(super) fn len(&self) -> usize {
        self.flows.len()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn may_start(&self) -> bool {
        self.flows.is_ready()
    }

    pub(super) fn release(&mut self, flow: u64) {
        self.flows.release(flow);
    }

    pub(super) fn take(&mut self) -> Option<Waiting<J>> {
        self.flows.take().map(|taken| self.left(taken))
    }

    pub(super) fn drain(&mut self) -> Vec<Waiting<J>> {
        std::iter::from_fn(|| self.flows.drop_worst().map(|taken| self.left(taken))).collect()
    }

    /// Subtracts a job from the counts.
    fn left(&mut self, taken: Taken<u64, Numbered<J>>) -> Waiting<J> {
        let waiting = taken.item.waiting;
        self.bytes -= waiting.facts.size_bytes;
        waiting
    }

    pub(super) fn admit(&mut self, waiting: Waiting<J>) -> Admission<J> {
        self.enter(waiting, FlowQueue::push)
    }

    /// Queues a job again at the head of its flow, and releases the flow in any case.
    pub(super) fn put_back(&mut self, waiting: Waiting<J>) -> Admission<J> {
        let flow = waiting.facts.flow;
        self.enter(waiting, FlowQueue::put_back).inspect_err(|_| {
            self.flows.release(flow);
        })
    }

    fn enter(&mut self, waiting: Waiting<J>, push: Push<J>) -> Admission<J> {
        let (flow, size) = (waiting.facts.flow, waiting.facts.size_bytes);
        if size > self.limits.bytes {
            return Err((waiting, Reason::TooLarge));
        }
        let fits = self.limits.allow(self.len() + 1, self.bytes.saturating_add(size));
        if self.policy == Policy::Fcfs && !fits {
            return Err((waiting, Reason::Worst));
        }
        let number = self.arrivals;
        self.arrivals += 1;
        let job = self.job(&waiting, number);
        if let Err(Numbered { waiting, .. }) = push(&mut self.flows, flow, job, Numbered { number, waiting }) {
            debug_assert!(false, "there is a place for the arriving job");
            return Err((waiting, Reason::Worst));
        }
        self.bytes = self.bytes.saturating_add(size);
        let mut victims = Vec::new();
        while !self.limits.allow(self.len(), self.bytes) {
            let Some(dropped) = self.flows.drop_worst() else { break };
            let (itself, job) = (dropped.item.number == number, dropped.job);
            let victim = self.left(dropped);
            if itself {
                self.restore(victims);
                return Err((victim, Reason::Worst));
            }
            victims.push((job, victim));
        }
        Ok(victims.into_iter().map(|(_, victim)| victim).collect())
    }

    /// Restores jobs that were removed from the ends of their flows, the last one first. Flows of equal rank may swap their order.
    fn restore(&mut self, victims: Vec<(Job, Waiting<J>)>) {
        for (job, waiting) in victims.into_iter().rev() {
            self.bytes += waiting.facts.size_bytes;
            let (flow, number) = (waiting.facts.flow, u64::MAX);
            let back = self.flows.push(flow, job, Numbered { number, waiting });
            debug_assert!(back.is_ok(), "it was in before");
        }
    }

    /// Returns the size and the work of a job; under `Fcfs`, its number replaces the work. More than 4 GiB count as 4 GiB.
    fn job(&self, waiting: &Waiting<J>, number: u64) -> Job {
        let work = if self.policy == Policy::Fcfs { number } else { picoseconds(waiting.facts.work) };
        Job { work: Duration::from_ps(work), bytes: convert::saturate(waiting.facts.size_bytes) }
    }
}

/// Returns the number of the job at the head.
fn head_number(load: &FlowLoad) -> u64 {
    load.head.work.as_ps()
}

impl FlowOrder for Order {
    fn insert(&mut self, rank: u64, slot: u32) -> Option<Handle> {
        match self {
            Self::Ranked(queue) => queue.insert(rank, slot),
            Self::Arrived(queue) => queue.insert(rank, slot),
        }
    }

    fn remove(&mut self, handle: Handle) {
        match self {
            Self::Ranked(queue) => queue.remove(handle),
            Self::Arrived(queue) => queue.remove(handle),
        }
    }

    fn first(&self) -> Option<(u64, u32)> {
        match self {
            Self::Ranked(queue) => queue.first(),
            Self::Arrived(queue) => queue.first(),
        }
    }

    fn last(&self) -> Option<(u64, u32)> {
        match self {
            Self::Ranked(queue) => queue.last(),
            Self::Arrived(queue) => queue.last(),
        }
    }

    fn capacity(&self) -> usize {
        match self {
            Self::Ranked(queue) => FlowOrder::capacity(queue),
            Self::Arrived(queue) => FlowOrder::capacity(queue),
        }
    }

    fn max_rank(&self) -> u64 {
        match self {
            Self::Ranked(queue) => FlowOrder::max_rank(queue),
            Self::Arrived(queue) => FlowOrder::max_rank(queue),
        }
    }
}
