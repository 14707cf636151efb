//! The shape of a policy's hardware: its queue block, its ranks, its victims, and the answers that it needs; or why there is no hardware.

use super::block::{Block, block};
use super::choices::choice;
use super::model::{Beside, MOST_PACKETS, Model};
use super::net::{Net, TooWide};
use super::numbers::{Numbers, Wrong};
use super::owners::conditions;
use super::ranks::{Ranking, reads_time, telling};
use super::scope::Reads;
use super::state_ranges::reached_states;
use super::states::States;
use super::victims::{Victim, asks_who, victim};
use crate::c::layout::Layout;
use crate::names::Names;
use crate::{Refusal, TargetOptions};
use forebay_core::BufferSize;
use forebay_lang::Policy;
use forebay_lang::ir::{Action, Comparator, PacketField, PacketRef, Read, State, is_proved};

/// The most queues, ports and buffers of hardware.
pub const MOST_OBJECTS: usize = 64;

/// The shape of a policy's hardware.
pub(super) struct Shape<'a> {
    pub(super) model: Model<'a>,
    /// The most packets at once, including an arriving one; and those of each queue.
    pub(super) capacity: u32,
    pub(super) places: Vec<u32>,
    pub(super) block: Block,
    /// The bits of a rank, at least 1; and the bits that are used.
    pub(super) rank_bits: u32,
    pub(super) kept_bits: u32,
    /// The order of each queue's packets.
    pub(super) rankings: Vec<Ranking>,
    /// The bits of rank that the orders would need.
    pub(super) wanted_bits: u32,
    pub(super) victims: Vec<Victim>,
    /// Whether the next decision needs the answer of the queue block.
    pub(super) waits: bool,
}

/// Why the policy is rejected, each reason once.
#[derive(Default)]
struct Refusals(Vec<Refusal>);

impl Refusals {
    fn add(&mut self, construct: String, reason: impl Into<String>) {
        let refusal = Refusal { construct, reason: reason.into() };
        if !self.0.contains(&refusal) {
            self.0.push(refusal);
        }
    }

    fn wrong(&mut self, construct: String, wrong: &Wrong) {
        let Refusal { construct, reason } = refusal(construct, wrong);
        self.add(construct, reason);
    }
}

/// Returns why a policy is rejected if one of its numbers cannot be computed, with the names of its objects.
pub(super) fn refused(policy: &Policy, construct: String, wrong: &Wrong) -> Vec<Refusal> {
    Names::new(policy).in_refusals(vec![refusal(construct, wrong)])
}

/// Returns why a number cannot be computed, in words for users.
fn refusal(construct: String, wrong: &Wrong) -> Refusal {
    let reason = match wrong {
        Wrong::TooWide(what) => {
            format!("`{what}` needs numbers of more than 128 bits; use smaller constants, or narrower fields (--bits)")
        }
        Wrong::Unread(read, why) => format!("reads `{read}`: {why}"),
    };
    Refusal { construct, reason }
}

impl<'a> Shape<'a> {
    pub(super) fn new(policy: &'a Policy, options: &'a TargetOptions) -> Result<Self, Vec<Refusal>> {
        Self::beside(policy, options, Beside::default())
    }

    /// Computes the shape as [`new`](Self::new) does, beside another policy.
    pub(super) fn beside(policy: &'a Policy, options: &'a TargetOptions, beside: Beside) -> Result<Self, Vec<Refusal>> {
        Self::found(policy, options, beside).map_err(|refusals| Names::new(policy).in_refusals(refusals))
    }

    fn found(policy: &'a Policy, options: &'a TargetOptions, beside: Beside) -> Result<Self, Vec<Refusal>> {
        let mut refusals = Refusals::default();
        let limited = TargetOptions { most_slots: options.most_slots.min(MOST_PACKETS), ..*options };
        let most = |refusal: Refusal| {
            let reason = format!("{}; hardware has {MOST_PACKETS} at most", refusal.reason);
            Refusal { reason, ..refusal }
        };
        let layout =
            Layout::new(policy, &limited).map_err(|refusals| refusals.into_iter().map(most).collect::<Vec<_>>())?;
        counts(policy, &mut refusals);
        refusals.0.extend(crate::chosen_version::refused(policy));
        refusals.0.extend(crate::stages::refused(policy));
        refusals.0.extend(crate::c::routines::refused(policy, "hardware contains only its own files"));
        if !(1..=32).contains(&options.hardware.id_bits) {
            refusals.add("--id-bits".to_owned(), "can be 1 to 32");
        } else if 1_u64 << options.hardware.id_bits < u64::from(layout.capacity) {
            let (given, packets) = (options.hardware.id_bits, layout.capacity);
            let needed = u32::BITS - (packets - 1).leading_zeros();
            let reason =
                format!("are {given}, too few for different ids of up to {packets} packets; give {needed} or more");
            refusals.add("--id-bits".to_owned(), reason);
        }
        let mut model = Model { policy, options, states: States::default(), beside };
        match reached_states(model) {
            Ok(states) => model.states = states,
            Err((construct, wrong)) => refusals.wrong(construct, &wrong),
        }
        rules(&model, &mut refusals);
        sums(&model, &mut refusals);
        choices(&model, &mut refusals);
        classifier(&model, &mut refusals);
        let (rankings, victims) = orders(&model, &mut refusals);
        if !refusals.0.is_empty() {
            return Err(refusals.0);
        }
        let wanted_bits = rankings.iter().map(Ranking::bits).max().unwrap_or(0);
        let (block, kept) = block(&model, &victims, layout.capacity, wanted_bits)?;
        let rankings: Vec<Ranking> = rankings.into_iter().map(|ranking| ranking.cut_to(kept)).collect();
        let waits = waits(&model, &victims) || beside.in_bytes;
        let (capacity, places, rank_bits) = (layout.capacity, layout.places, kept.max(1));
        Ok(Self { model, capacity, places, block, rank_bits, kept_bits: kept, rankings, wanted_bits, victims, waits })
    }

    /// Returns the properties that are lost, or left to the builder of the hardware.
    pub(super) fn notes(&self) -> Vec<Refusal> {
        let mut notes = Refusals::default();
        let policy = self.model.policy;
        for (queue, ranking) in policy.queues.iter().zip(&self.rankings) {
            if ranking.is_exact() {
                continue;
            }
            let mut lost: Vec<String> = ranking
                .parts
                .iter()
                .filter(|part| part.cut > 0)
                .map(|part| {
                    format!(
                        "packets whose `{}` are less than {} apart may depart in the order of arrival",
                        part.key,
                        part.step()
                    )
                })
                .collect();
            lost.extend(ranking.left_out.iter().map(|key| format!("`{key}` is ignored")));
            let (wanted, kept) = (self.wanted_bits, self.rank_bits);
            notes.add(
                format!("queue {}, procPrio", queue.name),
                format!("ranks of {wanted} bits are cut to {kept}: {}", lost.join("; ")),
            );
        }
        let bits = self.model.options.hardware.bits.time();
        if self.reads_time() {
            let minutes = (1_u64 << bits) / 60_000_000_000;
            let reason = format!("has {bits} bits of nanoseconds, and wraps after {minutes} minutes (--bits time=N)");
            notes.add("time".to_owned(), reason);
        }
        if divides(&self.model) {
            let reason = "are done in one cycle, which limits the clock; a constant divisor costs less";
            notes.add("divisions in conditions".to_owned(), reason);
        }
        Names::new(policy).in_refusals(notes.0)
    }

    fn reads_time(&self) -> bool {
        let mut found = self.rankings.iter().any(reads_time);
        let mut see = |read: Read| found |= matches!(read, Read::Now | Read::Packet(_, PacketField::Arrival));
        conditions(self.model.policy).iter().for_each(|(_, _, condition)| condition.reads(&mut see));
        self.model.policy.classify.iter().for_each(|entry| {
            entry.when.reads(&mut see);
            entry.index.reads(&mut see);
        });
        found
    }
}

fn counts(policy: &Policy, refusals: &mut Refusals) {
    let names = [
        ("queue", policy.queues.get(MOST_OBJECTS).map(|queue| &queue.name)),
        ("port", policy.ports.get(MOST_OBJECTS).map(|port| &port.name)),
        ("buffer", policy.buffers.get(MOST_OBJECTS).map(|buffer| &buffer.name)),
    ];
    for (kind, name) in names {
        if let Some(name) = name {
            refusals.add(
                format!("{kind} {name}"),
                format!("is one too many; the hardware has room for {MOST_OBJECTS} {kind}s"),
            );
        }
    }
}

/// Checks the reads of conditions and actions.
fn rules(model: &Model<'_>, refusals: &mut Refusals) {
    for (owner, id, condition) in conditions(model.policy) {
        let scope = owner.reads(model, &[id]);
        for case in &condition.cases {
            let mut net = Net::default();
            let mut numbers = Numbers { net: &mut net, scope: &scope };
            let mut wrong = numbers.truth(&case.when).err();
            for action in &case.actions {
                let reason = match action {
                    Action::Modify(State::HeadValue(_), _) => {
                        "`modify` of a packet's `value` changes a packet in the queue block, where it cannot be \
                         found; keep numbers in the states of queues, ports and buffers"
                    }
                    Action::Modify(State::ArrivingValue, _) => {
                        "`modify` of `arriving.value` comes too late: the packet has its rank before the rules see \
                         it; set the value in front of the hardware, or order by a property that does not change"
                    }
                    _ => continue,
                };
                refusals.add(owner.called(model.policy, id), reason);
            }
            for action in &case.actions {
                if let Action::Drop(number) | Action::Modify(_, number) = action {
                    wrong = wrong.or(numbers.number(number).err());
                }
            }
            if let Some(wrong) = wrong {
                refusals.wrong(owner.called(model.policy, id), &wrong);
            }
        }
    }
}

/// Checks the sums of processing: if one could exceed the numbers, packets would overflow (6.8), which hardware does not implement.
fn sums(model: &Model<'_>, refusals: &mut Refusals) {
    if !model.policy.sums_processing() {
        return;
    }
    for (id, queue) in model.policy.queues.iter().enumerate() {
        if !model.work(std::iter::once(id)).whole {
            let bits = model.bits(PacketField::Processing);
            let reason = format!(
                "its packets of up to 2^{bits} - 1 cycles could add up to 2^47, more than `currProcessing` can hold; \
                 give fewer bits (--bits processing=N), or make the queue smaller"
            );
            refusals.add(format!("queue {}", queue.name), reason);
        }
    }
}

/// Checks the orders of queues.
fn choices(model: &Model<'_>, refusals: &mut Refusals) {
    let policy = model.policy;
    let ports = policy
        .ports
        .iter()
        .map(|port| (format!("port {}, schedPrio", port.name), &port.queues, Some(&port.scheduling)));
    let buffers = policy
        .buffers
        .iter()
        .map(|buffer| (format!("buffer {}, admPrio", buffer.name), &buffer.queues, buffer.admission.as_ref()));
    for (construct, queues, order) in ports.chain(buffers) {
        let Some(order) = order.filter(|_| queues.len() > 1) else { continue };
        let Comparator { keys, before, .. } = order;
        let mut head = false;
        before.reads(&mut |read| head |= matches!(read, Read::Packet(PacketRef::Head(_), _)));
        if head {
            let reason = "depends on the next packets of queues, by `findHigh()` or by default, and rules cannot read \
                          the queue block; order the queues by their states, sizes or occupancies";
            refusals.add(construct, reason);
            continue;
        }
        let Some(keys) = keys else {
            if !is_proved(before) {
                let reason = "cannot be proved to be an order; compare one number of each queue, and further numbers \
                              among equals, or ratios with a denominator above 0, such as `a.currSize * b.size < \
                              b.currSize * a.size`";
                refusals.add(construct, reason);
            } else if let Err(TooWide) = choice(&mut Net::default(), queues, order, model) {
                refusals.wrong(construct, &Wrong::TooWide(before.to_string()));
            }
            continue;
        };
        for key in keys {
            for id in queues {
                let mut net = Net::default();
                let scope = Reads::of_queue(model, usize::from(id.0));
                if let Err(wrong) = (Numbers { net: &mut net, scope: &scope }).number(&key.value) {
                    refusals.wrong(construct.clone(), &wrong);
                }
            }
        }
    }
}

fn classifier(model: &Model<'_>, refusals: &mut Refusals) {
    let scope = Reads::front(model);
    for entry in &model.policy.classify {
        let mut net = Net::default();
        let mut numbers = Numbers { net: &mut net, scope: &scope };
        let wrong = numbers.truth(&entry.when).err().or(numbers.number(&entry.index).err());
        if let Some(wrong) = wrong {
            refusals.wrong("classify".to_owned(), &wrong);
        }
    }
}

/// Returns the orders and the victims of all queues.
fn orders(model: &Model<'_>, refusals: &mut Refusals) -> (Vec<Ranking>, Vec<Victim>) {
    let (mut rankings, mut victims) = (Vec::new(), Vec::new());
    for (id, queue) in model.policy.queues.iter().enumerate() {
        let Some(keys) = &queue.processing.keys else {
            refusals.add(
                format!("queue {}, procPrio", queue.name),
                "is no list of keys, and a queue block sorts by numbers; compare one number of each packet, such as \
                 `p1.value / p1.size > p2.value / p2.size`, and further numbers among equals",
            );
            continue;
        };
        match Ranking::of(&telling(keys, false), model) {
            Ok(ranking) => rankings.push(ranking),
            Err(wrong) => refusals.wrong(format!("queue {}, procPrio", queue.name), &wrong),
        }
        match victim(id, model) {
            Ok(victim) => victims.push(victim),
            Err(why) => refusals.add(format!("queue {}, admPrio", queue.name), why.to_string()),
        }
    }
    (rankings, victims)
}

fn waits(model: &Model<'_>, victims: &[Victim]) -> bool {
    let policy = model.policy;
    let in_bytes = |size: BufferSize| matches!(size, BufferSize::Bytes(_));
    let sizes = policy.queues.iter().map(|queue| queue.size).chain(policy.buffers.iter().map(|buffer| buffer.size));
    let mut of_packet = false;
    policy.ports.iter().for_each(|port| {
        port.after.reads(&mut |read| of_packet |= matches!(read, Read::Packet(_, field) if is_kept(field)));
    });
    let asks = victims.iter().enumerate().any(|(id, victim)| *victim == Victim::Reverse && asks_who(id, model));
    policy.sums_processing() || sizes.into_iter().any(in_bytes) || of_packet || asks
}

/// Whether a packet carries the field, to be read after service.
pub(super) fn is_kept(field: PacketField) -> bool {
    !matches!(field, PacketField::Processing | PacketField::PolicyId)
}

/// Whether a condition or an action divides by a value that is not constant.
fn divides(model: &Model<'_>) -> bool {
    use super::net::Op;
    conditions(model.policy).iter().any(|(owner, id, condition)| {
        let scope = owner.reads(model, &[*id]);
        let mut net = Net::default();
        for case in &condition.cases {
            let mut numbers = Numbers { net: &mut net, scope: &scope };
            let _ = numbers.truth(&case.when);
            for action in &case.actions {
                if let Action::Drop(number) | Action::Modify(_, number) = action {
                    let _ = numbers.number(number);
                }
            }
        }
        net.ids().any(|id| matches!(net.op(id), Op::Quotient(..) | Op::Rest(..)))
    })
}
