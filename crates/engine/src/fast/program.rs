//! Conditions and the classifier, compiled.

use super::expr::{Expr, Reader, Test};
use super::names::Names;
use super::source::QueueAt;
use forebay_lang::Ratio;
use forebay_lang::ir::{
    Action, BufferField, BufferRef, Cond, Condition, Entry, Next, Num, PacketField, PacketRef, Policy, PortRef,
    QueueField, QueueRef, Read, Relation, State,
};

/// A compiled `congestion` or `postSchedAct`.
#[derive(Debug)]
pub(super) enum Program {
    /// Victims leave from this occupancy on; never if it is the greatest number.
    Tail(u64),
    /// Anything else: the first case that holds acts.
    Cases(Box<[CompiledCase]>),
}

#[derive(Debug)]
pub(super) struct CompiledCase {
    pub(super) when: Test,
    pub(super) actions: Box<[CompiledAction]>,
    pub(super) can_be_lifted: bool,
    /// Whether the condition is false once the arriving packet has left.
    pub(super) is_about_arriving: bool,
}

#[derive(Debug)]
pub(super) enum CompiledAction {
    /// A drop with a probability of at least 1.
    DropSurely,
    Drop(Expr),
    Mark,
    Notify,
    Modify(Target, Expr),
    /// An action of the program, by its index.
    Call(usize, Box<[Expr]>),
}

/// The state that a `modify` changes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target {
    QueueAdm(QueueAt),
    QueueSched(QueueAt),
    PortSched(usize),
    BufferAdm(usize),
    HeadValue(QueueAt),
    ArrivingValue,
}

impl Target {
    /// Compiles a state; `None` if there is no such object.
    pub(super) fn new(state: State, names: &Names) -> Option<Self> {
        Some(match state {
            State::QueueAdm(queue) => Self::QueueAdm(names.queue(queue)?),
            State::QueueSched(queue) => Self::QueueSched(names.queue(queue)?),
            State::PortSched(port) => Self::PortSched(names.port(port)?),
            State::BufferAdm(buffer) => Self::BufferAdm(names.buffer(buffer)?),
            State::HeadValue(queue) => Self::HeadValue(names.queue(queue)?),
            State::ArrivingValue => Self::ArrivingValue,
        })
    }
}

impl Target {
    /// Compiles a state that is named by its object; `None` if it is not.
    pub(super) fn named(state: State) -> Option<Self> {
        let at = |queue| match queue {
            QueueRef::Named(queue) => Some(QueueAt::Named(usize::from(queue.0))),
            _ => None,
        };
        Some(match state {
            State::QueueAdm(queue) => Self::QueueAdm(at(queue)?),
            State::QueueSched(queue) => Self::QueueSched(at(queue)?),
            State::HeadValue(queue) => Self::HeadValue(at(queue)?),
            State::PortSched(PortRef::Named(port)) => Self::PortSched(usize::from(port.0)),
            State::BufferAdm(BufferRef::Named(buffer)) => Self::BufferAdm(usize::from(buffer.0)),
            State::PortSched(_) | State::BufferAdm(_) | State::ArrivingValue => return None,
        })
    }
}

impl Program {
    pub(super) fn compile(condition: &Condition, names: &Names) -> Self {
        match tail(condition, names) {
            Some(tail) => Self::Tail(tail),
            None => Self::Cases(cases(condition, names)),
        }
    }
}

fn cases(condition: &Condition, names: &Names) -> Box<[CompiledCase]> {
    let action = |action: &Action| {
        Some(match action {
            Action::Drop(probability) => match Expr::compile(probability, names) {
                Expr::Const(probability) if probability >= Ratio::ONE => CompiledAction::DropSurely,
                probability => CompiledAction::Drop(probability),
            },
            Action::Call(routine, numbers) => CompiledAction::Call(
                usize::from(routine.0),
                numbers.iter().map(|number| Expr::compile(number, names)).collect(),
            ),
            Action::Mark => CompiledAction::Mark,
            Action::Notify => CompiledAction::Notify,
            Action::Modify(state, value) => {
                CompiledAction::Modify(Target::new(*state, names)?, Expr::compile(value, names))
            }
        })
    };
    let case = |case: &forebay_lang::ir::Case| CompiledCase {
        when: Test::compile(&case.when, names),
        actions: case.actions.iter().filter_map(action).collect(),
        can_be_lifted: case.can_be_lifted(),
        is_about_arriving: case.is_about_arriving(),
    };
    condition.cases.iter().map(case).collect()
}

/// Returns the least occupancy at which a tail drop acts. A tail drop is one case with one sure drop, if the `currSize` of its owner is
/// above, or at least, a constant.
fn tail(condition: &Condition, names: &Names) -> Option<u64> {
    let case = match &*condition.cases {
        [] => return Some(u64::MAX),
        [case] => case,
        _ => return None,
    };
    let [Action::Drop(Num::Const(probability))] = &*case.actions else { return None };
    let own = |number: &Num| {
        matches!(
            number,
            Num::Read(
                Read::Queue(QueueRef::This, QueueField::CurrSize)
                    | Read::Buffer(BufferRef::This, BufferField::CurrSize)
            )
        )
    };
    let Cond::Compare(relation, left, right) = &case.when else { return None };
    let (relation, bound) = match relation {
        Relation::Greater | Relation::GreaterEqual if own(left) => (*relation, right),
        Relation::Less if own(right) => (Relation::Greater, left),
        Relation::LessEqual if own(right) => (Relation::GreaterEqual, left),
        _ => return None,
    };
    let Expr::Const(bound) = Expr::compile(bound, names) else { return None };
    // Beyond the range of numbers counts are cut, which needs the general form.
    let in_range = bound > Ratio::ZERO && bound < Ratio::from_integer(1 << 46);
    if *probability < Ratio::ONE || !in_range {
        return None;
    }
    let first = match relation {
        Relation::Greater => bound.floor().to_integer() + 1,
        _ => bound.ceil().to_integer(),
    };
    u64::try_from(first).ok()
}

/// How the queue of a packet is found.
#[derive(Debug)]
pub(super) enum Classifier {
    /// There is one queue.
    One,
    /// The packet names its queue.
    Directed,
    /// The first case that holds chooses the queue.
    Cases(Box<[CompiledEntry]>),
}

#[derive(Debug)]
pub(super) struct CompiledEntry {
    pub(super) when: Test,
    pub(super) queues: Box<[usize]>,
    pub(super) first: i64,
    pub(super) index: Expr,
}

impl CompiledEntry {
    fn compile(entry: &Entry, names: &Names) -> Self {
        Self {
            when: Test::compile(&entry.when, names),
            queues: entry.queues.iter().map(|id| usize::from(id.0)).collect(),
            first: entry.first,
            index: Expr::compile(&entry.index, names),
        }
    }

    /// Returns the queue that the case chooses, if its index is valid.
    pub(super) fn chosen(&self, reader: &impl Reader) -> Option<usize> {
        let index = self.index.exact(reader).floor().to_integer() - i128::from(self.first);
        self.queues.get(usize::try_from(index).ok()?).copied()
    }
}

/// The next stage of a port.
#[derive(Debug)]
pub(super) struct Leads {
    /// The cases of which the first that holds chooses the next queue of a packet.
    pub(super) entries: Box<[CompiledEntry]>,
    /// The condition under which a queue may be served; `None` allows all queues with packets.
    pub(super) eligible: Option<Test>,
}

impl Leads {
    pub(super) fn compile(next: &Next, policy: &Policy) -> Self {
        let (packet, queue) = (Names::packet_key(policy), Names::queue_key(policy));
        Self {
            entries: next.entries.iter().map(|entry| CompiledEntry::compile(entry, &packet)).collect(),
            eligible: next.eligible.as_ref().map(|eligible| Test::compile(eligible, &queue)),
        }
    }
}

impl Classifier {
    pub(super) fn compile(policy: &Policy) -> Self {
        let names = Names::packet_key(policy);
        let cases = |entries: &[Entry]| {
            Self::Cases(entries.iter().map(|entry| CompiledEntry::compile(entry, &names)).collect())
        };
        match (&*policy.classify, policy.queues.len()) {
            // 11.1: the packet is directed to queues of the first stage, counted without others.
            ([], _) if policy.has_stages() => {
                let queues = policy.entrances();
                let directed = Num::Read(Read::Packet(PacketRef::This, PacketField::Queue));
                let index = if queues.len() == 1 { Num::Const(Ratio::ZERO) } else { directed };
                cases(&[Entry { when: Cond::Const(true), queues, first: 0, index }])
            }
            ([], 1) => Self::One,
            ([], _) => Self::Directed,
            (entries, _) => cases(entries),
        }
    }
}
