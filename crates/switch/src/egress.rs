//! The egress of a port: its instance of the policy, the frames of the packets that wait in it, and its pace.
//!
//! The pace counts from when packets are begun (`docs/openqueue-semantics.md`, 1.3). A switch wakes up a little late, so a packet
//! that waited already is taken to have been begun when the link was free, up to [`CATCH_UP`] ago: the rate is kept on average.

use crate::change::{Setting, queue_of};
use crate::record::Record;
use crate::rule::{Dropped, Rule};
use crate::stats::{PolicyStats, QueueStats};
use forebay_core::{Duration, Marks, Packet, QueueId, Rate, Seed, Time, Verdict};
use forebay_engine::live::{Change, Refused, Transition};
use forebay_engine::{Fast, Live, Options, Pace};
use forebay_lang::ir::{Parameter, ParameterId, PortId, PortRate, not_live};
use forebay_lang::{Fixed, Policy, Value};
use forebay_targets::headers::write_marks;
use rustc_hash::FxHashMap;

/// How far a late switch catches up with the pace.
const CATCH_UP: Duration = Duration::from_ms(2);
/// Buffers of frames that are kept for the next ones.
const MOST_SPARE: usize = 256;

/// The policy's only one.
const PORT: PortId = PortId(0);

/// A frame that waits.
pub(crate) struct Frame {
    pub(crate) bytes: Vec<u8>,
    /// Its queue among those that were ever there.
    queue: usize,
    /// As it arrived.
    marks: Marks,
}

/// The egress of a port.
pub(crate) struct Egress {
    live: Live<Fast>,
    name: String,
    link_rate: Option<Rate>,
    pace: Option<Pace>,
    /// When the last packet was begun, and its bytes.
    last: Option<(Time, u32)>,
    /// When the next packet may be begun.
    free_at: Time,
    /// Since when something waits.
    waits_since: Time,
    next_id: u64,
    frames: FxHashMap<u64, Frame>,
    spare: Vec<Vec<u8>>,
    evicted: Vec<Packet>,
    /// Queues of all versions, by name.
    queues: Vec<QueueStats>,
    /// How many packets of each are inside the policy: all that wait but for the one in the interface's hands.
    inside: Vec<u64>,
    /// Which of them the queues of the newest version are.
    places: Vec<usize>,
    /// What the engine has counted: unclassified, by queue, by buffer, overflowed.
    counted: [u64; 4],
    unclassified: u64,
    record: Option<Record>,
}

impl Egress {
    pub(crate) fn new(setting: Setting, link_rate: Option<Rate>, seed: Seed, record: Option<Record>) -> Self {
        let Setting { name, policy } = setting;
        let live = Live::new(build, policy, seed);
        let mut egress = Self {
            live,
            name,
            link_rate,
            pace: None,
            last: None,
            free_at: Time::ZERO,
            waits_since: Time::ZERO,
            next_id: 0,
            frames: FxHashMap::default(),
            spare: Vec::new(),
            evicted: Vec::new(),
            queues: Vec::new(),
            inside: Vec::new(),
            places: Vec::new(),
            counted: [0; 4],
            unclassified: 0,
            record,
        };
        egress.follow_version();
        egress
    }

    /// The pace and the queues of the newest version.
    fn follow_version(&mut self) {
        let policy = self.live.policy();
        self.pace = pace(policy.ports[0].rate, self.link_rate);
        self.places.clear();
        for queue in &policy.queues {
            let place = self.queues.iter().position(|known| known.name == queue.name).unwrap_or_else(|| {
                self.queues.push(QueueStats { name: queue.name.clone(), ..QueueStats::default() });
                self.inside.push(0);
                self.queues.len() - 1
            });
            self.places.push(place);
        }
    }

    /// A frame is to leave here.
    pub(crate) fn arrive(&mut self, now: Time, mut packet: Packet, bytes: &[u8]) {
        packet.id = self.next_id;
        packet.arrival = now;
        self.next_id += 1;
        if self.live.is_empty() {
            self.waits_since = now;
        }
        let verdict = self.live.enqueue(now, packet, &mut self.evicted);
        let is_queued = matches!(verdict, Verdict::Queued { .. });
        if let Some(record) = &mut self.record {
            record.arrival(now, &packet, is_queued);
        }
        // Those that were pushed out first, so that what is left tells the queue of the one that came.
        let refused_by = if is_queued && self.evicted.is_empty() { None } else { self.count_drops(is_queued) };
        match refused_by {
            None => {
                let place = self.entered(packet.size_bytes);
                let mut copy = self.spare.pop().unwrap_or_default();
                copy.extend_from_slice(bytes);
                self.frames.insert(packet.id, Frame { bytes: copy, queue: place, marks: packet.marks });
            }
            Some(rule) => match self.queue_of(now, &packet) {
                Some(QueueId(queue)) => {
                    let queue = &mut self.queues[self.places[usize::from(queue)]];
                    queue.offered += 1;
                    queue.dropped.add(rule, 1);
                }
                None => self.unclassified += 1,
            },
        }
    }

    /// The queue to which the policy directs a packet.
    fn queue_of(&self, now: Time, packet: &Packet) -> Option<QueueId> {
        queue_of(self.live.policy(), self.live.version(), now, packet, |id| self.live.parameter(id))
    }

    /// The queue that holds one packet more than was known; it is the one that has come.
    fn entered(&mut self, bytes: u32) -> usize {
        let is_it =
            |queue: u16| self.live.occupancy(QueueId(queue)).packets > self.inside[self.places[usize::from(queue)]];
        let count = u16::try_from(self.places.len()).unwrap_or(u16::MAX);
        let found = if count == 1 { 0 } else { (0..count).find(|queue| is_it(*queue)).unwrap_or(0) };
        let place = self.places[usize::from(found)];
        self.inside[place] += 1;
        let queue = &mut self.queues[place];
        queue.offered += 1;
        queue.waiting += 1;
        queue.waiting_bytes += u64::from(bytes);
        place
    }

    /// Counts those that were pushed out by their rules. The rule by which the arriving packet was refused, if it was.
    ///
    /// A buffer drops before a queue does, and what the size forbids is refused last.
    fn count_drops(&mut self, is_queued: bool) -> Option<Rule> {
        let counters = self.live.counters();
        let value = |name| counters.iter().find(|counter| counter.name == name).map_or(0, |counter| counter.value);
        let counts = ["unclassified", "dropped_by_queue", "dropped_by_buffer", "overflowed"].map(value);
        let [unclassified, queue, buffer, overflowed] = std::array::from_fn(|at| counts[at] - self.counted[at]);
        self.counted = counts;
        let refused_by = match (is_queued, unclassified, overflowed, queue) {
            (true, ..) => None,
            (_, 1.., ..) => Some(Rule::Unclassified),
            (_, _, 1.., _) => Some(Rule::Overflow),
            (_, _, _, 1..) => Some(Rule::Queue),
            _ => Some(Rule::Buffer),
        };
        let by_buffer = buffer - u64::from(refused_by == Some(Rule::Buffer));
        let mut evicted = std::mem::take(&mut self.evicted);
        for (number, victim) in (0..).zip(evicted.drain(..)) {
            let rule = if number < by_buffer { Rule::Buffer } else { Rule::Queue };
            if let Some(frame) = self.frames.remove(&victim.id) {
                self.inside[frame.queue] -= 1;
                self.drop_frame(frame, rule);
            }
        }
        self.evicted = evicted;
        refused_by
    }

    /// The next packet, if it may be begun.
    pub(crate) fn depart(&mut self, now: Time) -> Option<Frame> {
        if now < self.free_at {
            return None;
        }
        let packet = self.live.dequeue(now, PORT)?;
        if let Some(record) = &mut self.record {
            record.departure(now, &packet);
        }
        let punctual = self.free_at.max(self.waits_since);
        let begun = if now.since(punctual) <= CATCH_UP { punctual } else { now };
        self.last = Some((begun, packet.size_bytes));
        self.keep_pace();
        let mut frame = self.frames.remove(&packet.id)?;
        self.inside[frame.queue] -= 1;
        let queue = &mut self.queues[frame.queue];
        queue.marked += u64::from(packet.marks.eligible_to_drop() && !frame.marks.eligible_to_drop());
        queue.notified += u64::from(packet.marks.congested() && !frame.marks.congested());
        if packet.marks != frame.marks {
            write_marks(&mut frame.bytes, packet.marks);
        }
        Some(frame)
    }

    /// Finds when the next packet may be begun.
    fn keep_pace(&mut self) {
        self.free_at = match (self.pace, self.last) {
            (Some(pace), Some((begun, bytes))) => begun + pace.duration(bytes),
            _ => Time::ZERO,
        };
    }

    /// A frame that has departed is on its way.
    pub(crate) fn sent(&mut self, frame: Frame) {
        let queue = &mut self.queues[frame.queue];
        queue.sent += 1;
        queue.sent_bytes += frame.bytes.len() as u64;
        self.left(frame);
    }

    /// A frame does not leave.
    pub(crate) fn drop_frame(&mut self, frame: Frame, rule: Rule) {
        self.queues[frame.queue].dropped.add(rule, 1);
        self.left(frame);
    }

    fn left(&mut self, frame: Frame) {
        let queue = &mut self.queues[frame.queue];
        queue.waiting -= 1;
        queue.waiting_bytes -= frame.bytes.len() as u64;
        if self.spare.len() < MOST_SPARE {
            let mut bytes = frame.bytes;
            bytes.clear();
            self.spare.push(bytes);
        }
    }

    /// Drops all that waits.
    pub(crate) fn stop(&mut self) {
        while let Some(packet) = self.live.dequeue(Time::MAX, PORT) {
            if let Some(frame) = self.frames.remove(&packet.id) {
                self.inside[frame.queue] -= 1;
                self.drop_frame(frame, Rule::Stopped);
            }
        }
    }

    /// Why another policy cannot take the place of this one now, if it cannot.
    pub(crate) fn refusal(&self, policy: &Policy, transition: Transition) -> Option<Refused> {
        self.live.refusal(policy, transition)
    }

    /// Puts another policy in the place of this one.
    pub(crate) fn change(&mut self, now: Time, setting: Setting, transition: Transition) -> Result<Change, Refused> {
        let change = self.live.change(now, setting.policy, transition)?;
        self.name = setting.name;
        self.follow_version();
        self.keep_pace();
        if let Some(record) = &mut self.record {
            record.change(change.version, transition);
        }
        Ok(change)
    }

    /// The live parameter that a value is for, and what it becomes.
    pub(crate) fn accepts(&self, name: &str, value: Value) -> Result<(ParameterId, Fixed), String> {
        let policy = self.live.policy();
        let Some((id, parameter)) = policy.parameter_named(name) else {
            let names: Vec<&str> = policy.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            return Err(not_live(name, &format!("{}, version {}", self.name, self.live.version()), &names));
        };
        Ok((id, parameter.accept(value)?))
    }

    /// Gives a live parameter a value, from the next packet on.
    pub(crate) fn set(&mut self, now: Time, id: ParameterId, value: Fixed) {
        self.live.set_parameter(id, value);
        if let Some(record) = &mut self.record {
            record.set(now, id, value);
        }
    }

    /// When to ask again for a packet; `None`: when one has arrived.
    pub(crate) fn next_departure(&self) -> Option<Time> {
        (!self.live.is_empty()).then_some(self.free_at)
    }

    /// Packets that wait.
    pub(crate) fn len(&self) -> usize {
        self.live.len()
    }

    pub(crate) fn has_rate(&self) -> bool {
        self.link_rate.is_some()
    }

    pub(crate) fn policy(&self) -> PolicyStats {
        let policy = self.live.policy();
        let shown = |(id, parameter): (ParameterId, &Parameter)| {
            Some((parameter.name.clone(), parameter.shown(self.live.parameter(id)?)))
        };
        let parameters = (0..).map(ParameterId).zip(&policy.parameters).filter_map(shown).collect();
        PolicyStats { name: self.name.clone(), version: self.live.version(), parameters }
    }

    pub(crate) fn rate_bps(&self) -> Option<u64> {
        self.link_rate.map(Rate::bits_per_second)
    }

    /// Queues that were ever there.
    pub(crate) fn queues(&self) -> &[QueueStats] {
        &self.queues
    }

    /// What was dropped, of all queues.
    pub(crate) fn dropped(&self) -> Dropped {
        let mut sum = Dropped::default();
        for (rule, frames) in self.queues.iter().flat_map(|queue| &queue.dropped.0) {
            sum.add(*rule, *frames);
        }
        sum.add(Rule::Unclassified, self.unclassified);
        sum
    }

    /// Hands on what was kept back. Why the recording has ended, if it has.
    pub(crate) fn flush_record(&mut self) -> Option<String> {
        let record = self.record.as_mut()?;
        record.flush();
        record.error()
    }
}

/// The pace of a policy's port. Without a rate of the link, only a port that has a rate of its own has a pace.
fn pace(port: PortRate, link: Option<Rate>) -> Option<Pace> {
    let fastest = Rate::from_bits_per_second(u64::MAX)?;
    // A port that is as fast as its link has the pace of the link, since the interface may be faster.
    Pace::of(port, link.unwrap_or(fastest)).or_else(|| Pace::of(PortRate::Rate(link?), fastest))
}

fn build(policy: &Policy, options: Options) -> Fast {
    Fast::new(policy, options).expect("a checked policy has all its parts")
}
