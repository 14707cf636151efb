//! The engine that other engines are compared with: it implements `docs/openqueue-semantics.md` rule by rule.
//!
//! Each choice compares every packet or queue, so the time of an operation is proportional to the backlog. Numbers
//! in comments are sections of that page.

mod elements;
mod stages;

use crate::drop_trial::{SharedTrials, Trial};
use crate::fields::{CYCLE, mark, notify};
use crate::traits::{Cycles, Engine, EngineOptions, Occupancy, Passed, Routines, Served, Waiting};
use elements::{Elements, Entry, Scope};
use forebay_core::{BufferSize, Counter, Duration, Packet, QueueId, Time, Verdict};
use forebay_lang::Fixed;
use forebay_lang::ir::{Action, BufferId, Case, Condition, Num, ParameterId, Policy, PortId, RoutineId, State};
use std::sync::Arc;

/// The reference engine, which is simple enough to verify by reading.
#[derive(Debug)]
pub struct Reference {
    all: Elements,
    /// Whether the policy reads `currProcessing`.
    sums_processing: bool,
    policy_id: u32,
    trials: SharedTrials,
    next_number: u64,
    counts: Counts,
    /// The actions of the program, if it has provided them.
    routines: Option<Arc<dyn Routines>>,
}

/// Packet counts for the report.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    unclassified: u64,
    dropped_by_queue: u64,
    dropped_by_buffer: u64,
    overflowed: u64,
    marked: u64,
    notified: u64,
}

/// The owner of a `congestion`.
#[derive(Debug, Clone, Copy)]
enum Congested {
    Queue(QueueId),
    Buffer(BufferId),
}

impl Reference {
    /// Creates an engine without packets.
    #[must_use]
    pub fn new(policy: &Policy, options: EngineOptions) -> Self {
        Self::with_trials(policy, options.policy_id, SharedTrials::new(options.seed))
    }

    /// Creates an engine without packets that draws from a shared stream of trials.
    #[must_use]
    pub fn with_trials(policy: &Policy, policy_id: u32, trials: SharedTrials) -> Self {
        let (all, sums_processing) = (Elements::new(policy), policy.sums_processing());
        Self { all, sums_processing, policy_id, trials, next_number: 0, counts: Counts::default(), routines: None }
    }

    fn entry(&mut self, policy_id: u32, packet: Packet) -> Entry {
        Entry { number: self.number(), policy_id, packet, processing: packet.processing, arrival: packet.arrival }
    }

    fn number(&mut self) -> u64 {
        let number = self.next_number;
        self.next_number += 1;
        number
    }

    /// 5: returns the queue that a packet enters; `None` if there is none.
    fn classify(&self, now: Time, arriving: Entry) -> Option<QueueId> {
        let policy = &self.all.policy;
        // 5.2: without `classify`, the only queue, or else that of the packet; of the first stage (11.1).
        if policy.classify.is_empty() {
            return match &policy.entrances()[..] {
                [only] => Some(*only),
                several => several.get(usize::from(arriving.packet.queue.0)).copied(),
            };
        }
        // 5.1: by its cases.
        self.all.entered(&policy.classify, arriving, now)
    }

    /// Whether the arriving packet was not dropped yet.
    fn is_there(&self, scope: &Scope) -> bool {
        scope.arriving.is_some_and(|(queue, arriving)| {
            self.all.queue(queue).entries.iter().any(|entry| entry.number == arriving.number)
        })
    }

    /// 6.3 to 6.5: runs a `congestion`.
    fn treat(&mut self, what: Congested, scope: &mut Scope, evicted: &mut Vec<Packet>) {
        let policy = Arc::clone(&self.all.policy);
        // 6.3: the first case that holds is the only one that acts.
        let Some(case) = self.acting(congestion(&policy, what), scope) else { return };
        // 6.4: its actions in their order, each once.
        let mut sure = false;
        for action in &case.actions {
            match action {
                Action::Drop(probability) => {
                    let trial = self.trials.decide(self.all.value(probability, scope));
                    sure |= trial == Trial::Sure;
                    if trial != Trial::Keep {
                        self.drop_one(what, scope, evicted);
                    }
                }
                Action::Mark | Action::Notify => {
                    if let Some((queue, arriving)) = scope.arriving {
                        self.write(action, queue, arriving.number);
                    }
                }
                Action::Modify(state, value) => self.modify(*state, value, scope),
                Action::Call(routine, numbers) => self.call(*routine, numbers, scope),
            }
        }
        // 6.5: after a sure drop, victims leave as long as the condition holds, if dropping can change it; one about the
        // arriving packet, as long as that is there.
        if sure && case.can_be_lifted() {
            let about_arriving = case.is_about_arriving();
            while (!about_arriving || self.is_there(scope))
                && self.all.holds(&case.when, scope)
                && self.drop_one(what, scope, evicted)
            {}
        }
    }

    fn acting<'a>(&self, condition: &'a Condition, scope: &Scope) -> Option<&'a Case> {
        condition.cases.iter().find(|case| self.all.holds(&case.when, scope))
    }

    /// 6.6 and 6.7: drops a victim of a queue or buffer. Returns whether there was one.
    fn drop_one(&mut self, what: Congested, scope: &mut Scope, evicted: &mut Vec<Packet>) -> bool {
        let queue = match what {
            Congested::Queue(id) => Some(id),
            Congested::Buffer(id) => {
                let buffer = &self.all.policy.buffers[usize::from(id.0)];
                match &buffer.admission {
                    Some(order) => self.all.first_queue(&buffer.queues, order),
                    // 1.5: that of the arriving packet.
                    None => scope.arriving.map(|(queue, _)| queue),
                }
            }
        };
        let Some((queue, victim)) = queue.and_then(|id| Some((id, self.all.victim(id)?))) else { return false };
        self.all.remove(queue, victim.number);
        match what {
            Congested::Queue(_) => self.counts.dropped_by_queue += 1,
            Congested::Buffer(_) => self.counts.dropped_by_buffer += 1,
        }
        match &mut scope.arriving {
            // 6.7: the arriving packet is refused; expressions go on seeing it as it was.
            Some((_, arriving)) if arriving.number == victim.number => *arriving = victim,
            // 6.7: others are pushed out.
            _ => evicted.push(victim.out()),
        }
        true
    }

    /// 6.4, 7.3: runs `mark` and `notify`.
    fn write(&mut self, action: &Action, queue: QueueId, number: u64) {
        let Some(entry) = self.all.entry_mut(queue, number) else {
            // The packet was dropped: its notification goes to the next that leaves.
            self.all.queue_mut(queue).notify_next |= matches!(action, Action::Notify);
            return;
        };
        match action {
            Action::Mark => self.counts.marked += u64::from(mark(&mut entry.packet)),
            Action::Notify => self.counts.notified += u64::from(notify(&mut entry.packet)),
            Action::Drop(_) | Action::Modify(..) | Action::Call(..) => {}
        }
    }

    /// 6.4, 7.3: runs `modify`.
    fn modify(&mut self, state: State, value: &Num, scope: &Scope) {
        let value = Fixed::floor(self.all.value(value, scope));
        self.all.set_state(state, value, scope);
    }

    /// 6.4, 7.3: calls an action of the program.
    fn call(&self, routine: RoutineId, numbers: &[Num], scope: &Scope) {
        let Some(routines) = &self.routines else { return };
        let Some(packet) = self.all.concerned(scope) else { return };
        let numbers: Vec<Fixed> = numbers.iter().map(|number| Fixed::floor(self.all.value(number, scope))).collect();
        routines.call(&self.all.policy.routines[usize::from(routine.0)].name, &numbers, &packet);
    }

    /// 6.8: whether a queue or its buffer holds more than its size, or the sum of processing has reached the greatest number.
    fn overflows(&self, queue: QueueId) -> bool {
        let declared = &self.all.policy.queues[usize::from(queue.0)];
        let more = |size, held| match size {
            BufferSize::Packets(limit) | BufferSize::Bytes(limit) => held > limit,
        };
        more(declared.size, self.all.in_queue(queue, declared.size))
            || (self.sums_processing && self.all.processing_in(queue) == Fixed(i64::MAX))
            || declared
                .buffer
                .is_some_and(|id| more(self.all.policy.buffers[usize::from(id.0)].size, self.all.in_buffer(id)))
    }

    /// 7: serves the first packet of a port's queue for one cycle or for all remaining ones. The packet leaves if no processing remains.
    fn serve(&mut self, now: Time, port: PortId, queue: QueueId, cycles: Cycles) -> Option<Entry> {
        let policy = Arc::clone(&self.all.policy);
        let declared = &policy.ports[usize::from(port.0)];
        // 7.1: of that queue the first packet.
        let number = self.all.head(queue)?.number;
        // 7.2: its cycles are done.
        let entry = self.all.entry_mut(queue, number)?;
        entry.packet.processing = match cycles {
            Cycles::All => Duration::ZERO,
            Cycles::One => entry.packet.processing - CYCLE,
        };
        let left = entry.packet.processing;
        // 7.3: then `postSchedAct`, while the packet is still there.
        let scope = Scope {
            now,
            this_port: Some(port),
            current: Some(queue),
            served: Some((queue, number)),
            ..Scope::default()
        };
        if let Some(case) = self.acting(&declared.after, &scope) {
            for action in &case.actions {
                match action {
                    // The grammar has no `drop` here (Listing 1).
                    Action::Drop(_) => {}
                    Action::Mark | Action::Notify => self.write(action, queue, number),
                    Action::Modify(state, value) => self.modify(*state, value, &scope),
                    Action::Call(routine, numbers) => self.call(*routine, numbers, &scope),
                }
            }
        }
        // 7.4: it leaves if nothing is left to do.
        if left > Duration::ZERO {
            return None;
        }
        // 6.4: with a notification that came too late for a dropped packet.
        if std::mem::take(&mut self.all.queue_mut(queue).notify_next) {
            self.write(&Action::Notify, queue, number);
        }
        self.all.remove(queue, number)
    }

    /// 7: serves the next packet of a port, and returns the result. No packet departs if the port leads to a later stage.
    fn sent(&mut self, now: Time, port: PortId, cycles: Cycles) -> Served {
        if self.all.policy.ports[usize::from(port.0)].next.is_some() {
            return Served::Nothing;
        }
        match self.chosen(port).map(|queue| self.serve(now, port, queue, cycles)) {
            None => Served::Nothing,
            Some(None) => Served::Cycle,
            Some(Some(entry)) => Served::Packet(entry.out()),
        }
    }

    /// 6: admits or drops a packet. Returns whether it is in the queue afterwards.
    fn admit(&mut self, now: Time, queue: QueueId, arriving: Entry, evicted: &mut Vec<Packet>) -> bool {
        // 6.1: it enters virtually.
        self.all.queue_mut(queue).entries.push(arriving);
        let scope = Scope { now, arriving: Some((queue, arriving)), ..Scope::default() };
        // 6.2: first the buffer.
        if let Some(buffer) = self.all.policy.queues[usize::from(queue.0)].buffer {
            let mut scope = Scope { this_buffer: Some(buffer), current: Some(queue), ..scope };
            self.treat(Congested::Buffer(buffer), &mut scope, evicted);
        }
        // 6.2: then the queue, if the packet is still there.
        if self.is_there(&scope) {
            let mut scope = Scope { this_queue: Some(queue), ..scope };
            self.treat(Congested::Queue(queue), &mut scope, evicted);
        }
        // 6.7: it was itself a victim.
        if !self.is_there(&scope) {
            return false;
        }
        // 6.8: sizes are hard limits.
        if self.overflows(queue) {
            self.all.remove(queue, arriving.number);
            self.counts.overflowed += 1;
            return false;
        }
        true
    }
}

fn congestion(policy: &Policy, what: Congested) -> &Condition {
    match what {
        Congested::Queue(id) => &policy.queues[usize::from(id.0)].congestion,
        Congested::Buffer(id) => &policy.buffers[usize::from(id.0)].congestion,
    }
}

impl Engine for Reference {
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        let refused = Verdict::Refused { rank: packet.rank };
        let arriving = self.entry(self.policy_id, packet);
        // 5.3: a packet for which there is no queue.
        let Some(queue) = self.classify(now, arriving) else {
            self.counts.unclassified += 1;
            return refused;
        };
        if self.admit(now, queue, arriving, evicted) { Verdict::Queued { rank: packet.rank } } else { refused }
    }

    fn dequeue(&mut self, now: Time, port: PortId) -> Option<Packet> {
        match self.sent(now, port, Cycles::All) {
            Served::Packet(packet) => Some(packet),
            Served::Nothing | Served::Cycle => None,
        }
    }

    fn cycle(&mut self, now: Time, port: PortId) -> Served {
        self.sent(now, port, Cycles::One)
    }

    fn pass(&mut self, now: Time, port: PortId, cycles: Cycles, dropped: &mut Vec<Packet>) -> Passed {
        self.passed(now, port, cycles, dropped)
    }

    fn occupancy(&self, queue: QueueId) -> Occupancy {
        let entries = &self.all.queue(queue).entries;
        Occupancy {
            packets: entries.len() as u64,
            bytes: entries.iter().map(|entry| u64::from(entry.packet.size_bytes)).sum(),
        }
    }

    fn hold(&mut self, queue: QueueId, held: Occupancy) {
        self.all.queue_mut(queue).held = held;
    }

    fn place(&mut self, waiting: Waiting) {
        let entry = self.entry(waiting.policy_id, waiting.packet);
        self.all.queue_mut(waiting.queue).entries.push(entry);
    }

    fn take_all(&mut self) -> Vec<Waiting> {
        let mut taken: Vec<(QueueId, Entry)> = Vec::new();
        for (queue, id) in self.all.queues.iter_mut().zip(0..) {
            taken.extend(queue.entries.drain(..).map(|entry| (QueueId(id), entry)));
        }
        taken.sort_by_key(|(_, entry)| (entry.arrival, entry.number));
        let waiting = |(queue, entry): (QueueId, Entry)| Waiting {
            queue,
            policy_id: entry.policy_id,
            packet: Packet { arrival: entry.arrival, ..entry.packet },
        };
        taken.into_iter().map(waiting).collect()
    }

    fn state(&self, state: State) -> Fixed {
        self.all.state(state, &Scope::default())
    }

    fn set_state(&mut self, state: State, value: Fixed) {
        self.all.set_state(state, value, &Scope::default());
    }

    fn parameter(&self, id: ParameterId) -> Option<Fixed> {
        self.all.parameters.get(usize::from(id.0)).copied()
    }

    // 9.3: whatever is evaluated from now on reads it.
    fn set_parameter(&mut self, id: ParameterId, value: Fixed) {
        if let Some(parameter) = self.all.parameters.get_mut(usize::from(id.0)) {
            *parameter = value;
        }
    }

    fn set_routines(&mut self, routines: Arc<dyn Routines>) {
        self.routines = Some(routines);
    }

    fn counters(&self) -> Vec<Counter> {
        let counts = &self.counts;
        [
            ("unclassified", counts.unclassified),
            ("dropped_by_queue", counts.dropped_by_queue),
            ("dropped_by_buffer", counts.dropped_by_buffer),
            ("overflowed", counts.overflowed),
            ("marked", counts.marked),
            ("notified", counts.notified),
        ]
        .map(|(name, value)| Counter { name, value })
        .to_vec()
    }
}
