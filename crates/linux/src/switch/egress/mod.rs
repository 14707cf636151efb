//! An egress: an instance of a policy, the frames of its queued packets, and the pace of its ports.
//!
//! A policy with one port has an egress at each interface, and one with several ports has one egress for all of them.

mod ledger;
mod pacing;

use crate::switch::change::{CannotSet, Setting, moved};
use crate::switch::record::Record;
use crate::switch::rule::Rule;
use crate::switch::stats::{PolicyStats, QueueStats};
use forebay_core::{Marks, Packet, QueueId, Rate, Seed, Time, Verdict};
use forebay_engine::live::{Change, Next, Refused, Transition};
use forebay_engine::{EngineOptions, Fast, Live};
use forebay_lang::ir::{Parameter, ParameterId, PortId, not_live};
use forebay_lang::{Fixed, Policy, Value};
use forebay_targets::headers::write_marks;
use ledger::Ledger;
use pacing::Pacing;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The most buffers of frames that are kept for reuse.
const MOST_SPARE: usize = 256;

/// A queued frame.
pub(crate) struct Frame {
    pub(crate) bytes: Vec<u8>,
    /// The account of its queue.
    place: usize,
    /// The packet's marks on arrival.
    marks: Marks,
}

/// A packet, and the queue to which the policy directs it.
pub(crate) struct Directed {
    packet: Packet,
    queue: Option<QueueId>,
}

/// An instance of a policy with its frames.
pub(crate) struct Egress {
    live: Live<Fast>,
    name: String,
    ports: Vec<Pacing>,
    next_id: u64,
    frames: FxHashMap<u64, Frame>,
    spare: Vec<Vec<u8>>,
    evicted: Vec<Packet>,
    ledger: Ledger,
    /// The engine's counters: dropped by queue, by buffer, overflowed.
    counted: [u64; 3],
    record: Option<Record>,
}

impl Egress {
    /// Creates an egress with a port for each of these links, as many as the policy has.
    pub(crate) fn new(setting: Setting, links: &[Option<Rate>], seed: Seed, record: Option<Record>) -> Self {
        Self::of(setting.name, begin(setting.policy, seed), links, record)
    }

    /// Creates an egress from a policy of this name that was [begun](begin).
    pub(crate) fn of(name: String, live: Live<Fast>, links: &[Option<Rate>], record: Option<Record>) -> Self {
        let mut egress = Self {
            live,
            name,
            ports: links.iter().map(|link| Pacing::new(*link)).collect(),
            next_id: 0,
            frames: FxHashMap::default(),
            spare: Vec::new(),
            evicted: Vec::new(),
            ledger: Ledger::new(links.len()),
            counted: [0; 3],
            record,
        };
        egress.follow_version();
        egress
    }

    /// Adopts the paces and the queues of the newest version.
    fn follow_version(&mut self) {
        let policy = Arc::clone(self.live.policy());
        for (pacing, port) in self.ports.iter_mut().zip(&policy.ports) {
            pacing.follow(port.rate);
        }
        self.ledger.follow(&policy);
    }

    /// Asks the policy for the queue of a packet that arrives now.
    pub(crate) fn direct(&self, now: Time, mut packet: Packet) -> Directed {
        packet.id = self.next_id;
        packet.arrival = now;
        Directed { packet, queue: self.live.classify(now, &packet) }
    }

    /// Returns the port by which a packet leaves; `None` if the policy has no queue for the packet.
    pub(crate) fn port_of(&self, directed: &Directed) -> Option<usize> {
        Some(usize::from(self.live.policy().queues[usize::from(directed.queue?.0)].port.0))
    }

    /// Lets the packet arrive with its frame. The caller counts a packet that has no queue.
    pub(crate) fn arrive(&mut self, now: Time, directed: &Directed, bytes: &[u8]) {
        let Directed { packet, queue } = directed;
        self.next_id += 1;
        let verdict = match queue {
            Some(queue) => self.live.enqueue_classified(now, *packet, *queue, &mut self.evicted),
            None => self.live.enqueue(now, *packet, &mut self.evicted),
        };
        let is_queued = matches!(verdict, Verdict::Queued { .. });
        if let Some(record) = &mut self.record {
            record.arrival(now, packet, is_queued);
        }
        let Some(place) = queue.map(|queue| self.ledger.place(queue)) else { return };
        let refused_by = if is_queued && self.evicted.is_empty() { None } else { self.count_drops(is_queued) };
        if let Some(rule) = refused_by {
            return self.ledger.refused(place, rule);
        }
        let port = self.ledger.port(place);
        if self.ledger.inside(port) == 0 {
            self.ports[port].waits(now);
        }
        self.ledger.enters(place, bytes.len());
        let mut copy = self.spare.pop().unwrap_or_default();
        copy.extend_from_slice(bytes);
        self.frames.insert(packet.id, Frame { bytes: copy, place, marks: packet.marks });
    }

    /// Counts packets that were pushed out, by their rules. Returns the rule that dropped the arriving packet, if one
    /// did.
    ///
    /// A buffer drops before a queue does, and the check of sizes drops last.
    fn count_drops(&mut self, is_queued: bool) -> Option<Rule> {
        let counters = self.live.counters();
        let value = |name| counters.iter().find(|counter| counter.name == name).map_or(0, |counter| counter.value);
        let counts = ["dropped_by_queue", "dropped_by_buffer", "overflowed"].map(value);
        let [queue, buffer, overflowed] = std::array::from_fn(|at| counts[at] - self.counted[at]);
        self.counted = counts;
        let refused_by = match (is_queued, overflowed, queue) {
            (true, ..) => None,
            (_, 1.., _) => Some(Rule::Overflow),
            (_, _, 1..) => Some(Rule::Queue),
            _ => Some(Rule::Buffer),
        };
        let by_buffer = buffer - u64::from(refused_by == Some(Rule::Buffer));
        let mut evicted = std::mem::take(&mut self.evicted);
        for (number, victim) in (0..).zip(evicted.drain(..)) {
            let rule = if number < by_buffer { Rule::Buffer } else { Rule::Queue };
            if let Some(frame) = self.frames.remove(&victim.id) {
                self.ledger.comes_out(frame.place);
                self.drop_frame(frame, rule);
            }
        }
        self.evicted = evicted;
        refused_by
    }

    /// Returns the next packet of a port, if the port may begin it now.
    pub(crate) fn depart(&mut self, now: Time, port: usize) -> Option<Frame> {
        let pacing = &mut self.ports[port];
        if now < pacing.free_at() || self.ledger.inside(port) == 0 {
            return None;
        }
        let id = port_id(port);
        let packet = self.live.dequeue(now, id)?;
        if let Some(record) = &mut self.record {
            record.departure(now, id, &packet);
        }
        pacing.begins(now, packet.size_bytes);
        let mut frame = self.frames.remove(&packet.id)?;
        self.ledger.comes_out(frame.place);
        self.ledger.marks(
            frame.place,
            packet.marks.eligible_to_drop() && !frame.marks.eligible_to_drop(),
            packet.marks.congested() && !frame.marks.congested(),
        );
        if packet.marks != frame.marks {
            write_marks(&mut frame.bytes, packet.marks);
        }
        Some(frame)
    }

    /// Counts a departed frame as sent.
    pub(crate) fn sent(&mut self, frame: Frame) {
        self.ledger.sent(frame.place, frame.bytes.len());
        self.keep(frame.bytes);
    }

    /// Drops a departed frame.
    pub(crate) fn drop_frame(&mut self, frame: Frame, rule: Rule) {
        self.ledger.dropped(frame.place, frame.bytes.len(), rule);
        self.keep(frame.bytes);
    }

    fn keep(&mut self, mut bytes: Vec<u8>) {
        if self.spare.len() < MOST_SPARE {
            bytes.clear();
            self.spare.push(bytes);
        }
    }

    /// Drops all queued packets, by this rule.
    pub(crate) fn empty(&mut self, rule: Rule) {
        for port in 0..self.ports.len() {
            while let Some(packet) = self.live.dequeue(Time::MAX, port_id(port)) {
                if let Some(frame) = self.frames.remove(&packet.id) {
                    self.ledger.comes_out(frame.place);
                    self.drop_frame(frame, rule);
                }
            }
        }
    }

    /// Returns why `policy`, which has as many ports, cannot replace the current one now; `None` if it can.
    pub(crate) fn refusal(&self, policy: &Policy, transition: Transition) -> Option<String> {
        if let Some(refused) = self.live.refusal(policy, transition) {
            return Some(refused.to_string());
        }
        moved(self.live.policy(), policy, transition, self.ledger.occupied())
    }

    /// Returns the options to build the next version's engine.
    pub(crate) fn next_options(&self) -> EngineOptions {
        self.live.next_options()
    }

    /// Replaces this version by one that was [built](build_next), and that it does not [reject](Self::refusal).
    pub(crate) fn change(
        &mut self,
        now: Time,
        name: String,
        next: Next<Fast>,
        transition: Transition,
    ) -> Result<Change, Refused> {
        let change = self.live.exchange(now, next, transition)?;
        self.live.forget_transitions();
        self.name = name;
        self.follow_version();
        if let Some(record) = &mut self.record {
            record.change(change.version, transition);
        }
        Ok(change)
    }

    /// Returns the live parameter of this name, and the value in its own representation.
    pub(crate) fn accepts(&self, name: &str, value: Value) -> Result<(ParameterId, Fixed), CannotSet> {
        let policy = self.live.policy();
        let Some((id, parameter)) = policy.parameter_named(name) else {
            let names: Vec<&str> = policy.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            return Err(not_live(name, &format!("{}, version {}", self.name, self.live.version()), &names).into());
        };
        Ok((id, parameter.accept(value)?))
    }

    /// Sets a live parameter from the next packet on.
    pub(crate) fn set(&mut self, now: Time, id: ParameterId, value: Fixed) {
        self.live.set_parameter(id, value);
        if let Some(record) = &mut self.record {
            record.set(now, id, value);
        }
    }

    /// Returns the time of the next possible departure at a port; `None` if it needs an arrival.
    pub(crate) fn next_departure(&self, port: usize) -> Option<Time> {
        (self.ledger.inside(port) > 0).then(|| self.ports[port].free_at())
    }

    /// Returns the number of packets that are queued for a port.
    pub(crate) fn len(&self, port: usize) -> usize {
        self.ledger.inside(port)
    }

    /// Returns the rate of a port's link, if it was given.
    pub(crate) fn link_rate(&self, port: usize) -> Option<Rate> {
        self.ports[port].link_rate()
    }

    /// Returns the current policy, with the present values of its live parameters.
    pub(crate) fn setting(&self) -> (Setting, Vec<(ParameterId, Fixed)>) {
        let policy = Arc::clone(self.live.policy());
        let ids = (0..).map(ParameterId).take(policy.parameters.len());
        let values = ids.filter_map(|id| Some((id, self.live.parameter(id)?))).collect();
        (Setting { name: self.name.clone(), policy }, values)
    }

    pub(crate) fn policy(&self) -> PolicyStats {
        let policy = self.live.policy();
        let shown = |(id, parameter): (ParameterId, &Parameter)| {
            Some((parameter.name.clone(), parameter.shown(self.live.parameter(id)?)))
        };
        let parameters = (0..=u16::MAX).map(ParameterId).zip(&policy.parameters).filter_map(shown).collect();
        PolicyStats { name: self.name.clone(), version: self.live.version(), parameters }
    }

    /// Returns all queues that were ever at a port.
    pub(crate) fn queues(&self, port: usize) -> Vec<QueueStats> {
        self.ledger.at_port(port).cloned().collect()
    }

    /// Writes buffered output of the recording. Returns why the recording has ended; `None` if it has not.
    pub(crate) fn flush_record(&mut self) -> Option<String> {
        let record = self.record.as_mut()?;
        record.flush();
        record.error()
    }
}

/// Converts a port's number into the engine's.
fn port_id(port: usize) -> PortId {
    PortId(u16::try_from(port).expect("a policy has fewer ports"))
}

/// Creates an instance of a policy. Any thread may call this.
pub(crate) fn begin(policy: Arc<Policy>, seed: Seed) -> Live<Fast> {
    Live::new(build, policy, seed)
}

/// Builds the next version of an egress, with its [options](Egress::next_options). Any thread may call this.
pub(crate) fn build_next(policy: &Arc<Policy>, options: EngineOptions) -> Next<Fast> {
    Next::new(Arc::clone(policy), options, build)
}

fn build(policy: &Policy, options: EngineOptions) -> Fast {
    Fast::new(policy, options).expect("a checked policy has all its parts")
}
