//! The plan of a switch's program: which packets enter, and how their queue is chosen; or why a switch cannot run the policy.

use super::known_values::{Known, named};
use super::numbers::{Number, Numbers};
use super::rank::{Drift, Rank, keys, rank};
use super::stateful::{FLOWS, writable};
use super::steps::{Input, Operand, Step, Steps, Test};
use super::switch_rank::SwitchRank;
use super::{Note, queues};
use crate::headers::Field;
use crate::names::Names;
use crate::{Refusal, TargetOptions};
use forebay_core::QueueId;
use forebay_lang::Policy;
use forebay_lang::ir::{Arith, Comparator, Cond, Entry, Key, Num, PacketField, PacketRef, Queue, Read};

/// A case of the classifier: the queue of packets for which it is the first that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) when: Test,
    /// The queue's index in the order of service; `None`: the packet is dropped.
    pub(super) place: Option<usize>,
}

/// How a packet's queue is chosen.
#[derive(Debug)]
pub(super) enum Choice {
    /// SP-PIFO chooses it, by this rank.
    Rank(Rank),
    /// The packet's class determines it: each queue of the policy is one of the switch.
    Class,
}

/// A program.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) steps: Steps,
    /// The cases; the first that holds applies, and if none does, the packet is dropped.
    pub(super) cases: Vec<Case>,
    pub(super) choice: Choice,
    /// The rank function that replaces the order of service, if there is one.
    pub(super) stateful: Option<SwitchRank>,
    /// The inputs of the rank function: for STFQ the flow's index and the size, for FIFO+ the slack and the class.
    pub(super) reads: [Operand; 2],
    /// The number of strict-priority queues that the program uses.
    pub(super) queues: usize,
    /// Properties that are lost, or left to the program's user.
    pub(super) notes: Vec<Note>,
}

impl Plan {
    /// Makes the plan of a policy.
    pub(super) fn new(policy: &Policy, options: &TargetOptions) -> Result<Self, Vec<Refusal>> {
        let mut refusals: Vec<Refusal> = Vec::new();
        let mut refuse = |construct: &str, reason: &str| {
            let refusal = Refusal { construct: construct.to_owned(), reason: reason.to_owned() };
            if !refusals.contains(&refusal) {
                refusals.push(refusal);
            }
        };
        for refused in crate::chosen_version::refused(policy).into_iter().chain(crate::stages::refused(policy)) {
            refuse(&refused.construct, &refused.reason);
        }
        for refused in crate::c::routines::refused(policy, "a switch's queue does not run one") {
            refuse(&refused.construct, &refused.reason);
        }
        for parameter in &policy.parameters {
            let name = &parameter.name;
            refuse(
                &format!("param {name}"),
                &format!("is live, and a switch's program has only constants; leave out `--live {name}`"),
            );
        }
        // Whatever would say `processing`, what reads it is refused below.
        for unsaid in options.mapping.unsaid(policy).iter().filter(|unsaid| unsaid.0 != Field::Processing) {
            refuse(&format!("field {}", unsaid.0.name()), &unsaid.to_string());
        }
        let switch = options.switch;
        if !(1..=32).contains(&switch.queues) {
            refuse("the switch", "has 1 to 32 queues");
            return Err(refusals);
        }
        if !(8..=63).contains(&switch.rank_bits) {
            refuse("the switch", "has bounds of 8 to 63 bits; give --rank-bits in this range");
            return Err(refusals);
        }
        let mut numbers = Numbers { mapping: &options.mapping, policy_id: options.policy_id, steps: Steps::default() };
        let mut notes = Vec::new();
        queues::check(policy, &mut refuse);
        let order = queues::order(policy, &mut refuse);
        let cases = cases(policy, &order, &mut numbers, &mut refuse);
        let mut reads = [Operand::Constant(0); 2];
        let (choice, count) = match &policy.queues[..] {
            [queue] => {
                let rank = match switch.rank {
                    None => rank(queue, &mut numbers, switch.rank_bits, &mut notes, &mut refuse),
                    Some(kept) => {
                        let (rank, read) = stateful(kept, queue, options, &mut numbers, &mut notes, &mut refuse);
                        reads = read;
                        rank
                    }
                };
                (Choice::Rank(rank), usize::from(switch.queues))
            }
            several => {
                for queue in several {
                    queues::check_fifo(queue, &mut refuse);
                }
                if let Some(kept) = switch.rank {
                    refuse(
                        "the policy",
                        &format!("has several queues, and ranks order only one; leave out --rank {}", kept.name()),
                    );
                }
                (Choice::Class, several.len())
            }
        };
        if policy.modifies_values() && numbers.steps.all().contains(&Step::Input(Input::Field(Field::Value))) {
            refuse(
                "the policy",
                "changes the `value` of packets that wait, and a switch fixes a packet's order when it arrives",
            );
        }
        let names = Names::new(policy);
        if !refusals.is_empty() {
            return Err(names.in_refusals(refusals));
        }
        notes.extend(queues::depths(policy, &order, count));
        let stateful = switch.rank;
        let notes = names.in_refusals(notes);
        Ok(Self { steps: numbers.steps, cases, choice, stateful, reads, queues: count, notes })
    }

    /// Returns the fields that the program reads.
    pub(super) fn fields(&self) -> impl Iterator<Item = Field> {
        self.steps.all().iter().filter_map(|step| match step {
            Step::Input(Input::Field(field)) => Some(*field),
            _ => None,
        })
    }

    /// Whether every packet enters the only queue.
    pub(super) fn takes_all(&self) -> bool {
        self.cases.first().is_some_and(|case| case.when == Test::Known(true) && case.place.is_some())
    }
}

/// Returns the rank of packets of a queue by a function with state, and the function's inputs.
fn stateful(
    kept: SwitchRank,
    queue: &Queue,
    options: &TargetOptions,
    numbers: &mut Numbers<'_>,
    notes: &mut Vec<Note>,
    refuse: &mut impl FnMut(&str, &str),
) -> (Rank, [Operand; 2]) {
    let (bits, construct) = (options.switch.rank_bits, format!("--rank {}", kept.name()));
    let nothing = (Rank { value: Operand::Constant(0), drift: None }, [Operand::Constant(0); 2]);
    if keys(&queue.processing).is_none_or(|keys| !keys.is_empty()) {
        refuse(
            &format!("{}, procPrio {}", named(queue), queue.processing.name),
            &format!("is an order, and {construct} replaces it; leave out one of the two"),
        );
        return nothing;
    }
    let field = |field: PacketField| Num::Read(Read::Packet(PacketRef::This, field));
    let mut say = |reason: &str| notes.push(Note { construct: construct.clone(), reason: reason.to_owned() });
    match kept {
        SwitchRank::Stfq => {
            let flow = match numbers.key(&field(PacketField::Flow)) {
                Ok(flow) => flow,
                Err(reason) => {
                    refuse(&construct, &format!("the flow: {reason}"));
                    return nothing;
                }
            };
            say(
                "counts bytes: all flows have the same weight, and flows whose numbers share the lowest 10 bits count \
                 as one",
            );
            say("charges a flow also for dropped packets, since the queue drops them behind the program");
            let place = numbers.steps.and(flow.above, FLOWS - 1);
            let size = numbers.steps.input(Input::Size);
            let drift = Drift { rises: true, spread: (1 << (bits - 1)) - 1 };
            (Rank { value: Operand::Constant(0), drift: Some(drift) }, [place, size])
        }
        SwitchRank::FifoPlus => {
            if let Err(reason) = writable(options.mapping.source(Field::Slack)) {
                refuse(&construct, &reason);
                return nothing;
            }
            say("takes averages over 1,024 packets; a wait is as precise as the switch's clock, which in BMv2 counts \
                 microseconds");
            say("leaves the checksum of TCP or UDP as it was; send the slack where there is no checksum, such as in \
                 UDP over IPv4 with checksum 0");
            let sum =
                Num::Arith(Arith::Add, Box::new(field(PacketField::Arrival)), Box::new(field(PacketField::Slack)));
            let order =
                Comparator { keys: Some(vec![Key { value: sum, descending: false }]), ..queue.processing.clone() };
            let ordered = Queue { processing: order, ..queue.clone() };
            let rank = rank(&ordered, numbers, bits, notes, refuse);
            let read = [PacketField::Slack, PacketField::Class].map(|of| numbers.key(&field(of)).map(|it| it.above));
            match read {
                [Ok(slack), Ok(class)] => (rank, [slack, class]),
                [Err(reason), _] | [_, Err(reason)] => {
                    refuse(&construct, &reason.to_string());
                    nothing
                }
            }
        }
    }
}

/// Returns the cases of the classifier; `order` gives the indices of the queues.
fn cases(
    policy: &Policy,
    order: &[usize],
    numbers: &mut Numbers<'_>,
    refuse: &mut impl FnMut(&str, &str),
) -> Vec<Case> {
    if policy.queues.len() == 1 && policy.classify.is_empty() {
        return vec![Case { when: Test::Known(true), place: Some(0) }];
    }
    let external = Entry {
        when: Cond::Const(true),
        queues: (0..).take(policy.queues.len()).map(QueueId).collect(),
        first: 0,
        index: Num::Read(Read::Packet(PacketRef::This, PacketField::Queue)),
    };
    let entries = if policy.classify.is_empty() { std::slice::from_ref(&external) } else { &policy.classify[..] };
    let mut cases = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        match entry_cases(entry, order, numbers) {
            Ok(found) => cases.extend(found),
            Err(reason) => refuse(&format!("classify, case {}", number + 1), &reason.to_string()),
        }
    }
    cases
}

fn entry_cases(entry: &Entry, order: &[usize], numbers: &mut Numbers<'_>) -> Known<Vec<Case>> {
    let when = numbers.test(&entry.when)?;
    let index: Number = numbers.number(&entry.index)?;
    let place = |id: &QueueId| order.iter().position(|queue| *queue == usize::from(id.0));
    let mut cases = Vec::new();
    for (number, id) in (i128::from(entry.first)..).zip(&entry.queues) {
        let is =
            if number < index.least || number > index.most { Test::Known(false) } else { numbers.is(index, number)? };
        let when = when.clone().and(is);
        if when != Test::Known(false) {
            cases.push(Case { when, place: place(id) });
        }
    }
    let first = i128::from(entry.first);
    let last = first + i128::try_from(entry.queues.len()).unwrap_or(0) - 1;
    if index.least < first || index.most > last {
        cases.push(Case { when, place: None });
    }
    Ok(cases)
}
