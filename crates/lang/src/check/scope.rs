//! What a name can mean where it stands: values with their types, and the scope of an expression.

use super::case_reports::CaseReports;
use super::diagnostic_sink::Sink;
use super::objects::{ObjectId, Objects};
use super::properties::Owner;
use super::symbols::{SymbolId, Symbols};
use super::tree::{Body, Expr, Ident};
use crate::ir::{BufferRef, Cond, Key, Num, PacketRef, PortRef, QueueRef, Routine, RoutineId};
use crate::unit::{Overrides, Unit, Value};
use forebay_core::QueueId;
use rowan::TextRange;
use std::collections::HashMap;
use std::rc::Rc;

/// A value with its type.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Typed {
    Num(Num, Unit),
    Cond(Cond),
    Packet(PacketRef),
    Queue(QueueRef),
    /// The queue of the next stage that a queue leads to.
    Next(QueueRef),
    Port(PortRef),
    Buffer(BufferRef),
    /// It could not be understood, and that was said.
    Unknown,
}

impl Typed {
    /// Its name for people.
    pub(super) fn called(&self) -> &'static str {
        match self {
            Self::Num(..) => "a number",
            Self::Cond(_) => "a truth value",
            Self::Packet(_) => "a packet",
            Self::Queue(_) | Self::Next(_) => "a queue",
            Self::Port(_) => "a port",
            Self::Buffer(_) => "a buffer",
            Self::Unknown => "something unknown",
        }
    }

    pub(super) fn owner(&self) -> Option<Owner> {
        Some(match self {
            Self::Packet(_) => Owner::Packet,
            Self::Queue(_) | Self::Next(_) => Owner::Queue,
            Self::Port(_) => Owner::Port,
            Self::Buffer(_) => Owner::Buffer,
            _ => return None,
        })
    }
}

/// Where an expression stands: what it may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A size, a rate, the end of a range, an initial state.
    Constant,
    /// A comparator of packets.
    PacketOrder,
    /// A comparator of queues.
    QueueOrder,
    /// A boundary condition; without object if nothing has it.
    Condition(Owner, Option<ObjectId>),
    /// The classifier.
    Classify,
    /// Where a packet goes that a port has served.
    Next,
    /// Which queues a port may serve.
    Eligible,
}

/// A parameter, a counter, a name given by `let`.
#[derive(Debug, Clone)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) value: Typed,
    pub(super) symbol: SymbolId,
}

/// Whether queues lead to queues of a next stage, where an expression stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leads {
    /// They do not.
    Nowhere,
    /// Nothing is known, since nothing has the expression.
    Unknown,
    /// To queues that are measured in this; `None`: not all in the same.
    To(Option<Unit>),
}

/// An `enter`.
#[derive(Debug, Clone)]
pub(super) struct Way {
    /// The port that leads there, by its place; `None`: `classify`.
    pub(super) port: Option<usize>,
    /// The queues among which an index may choose.
    pub(super) queues: Vec<QueueId>,
    /// Where they are written.
    pub(super) span: TextRange,
}

pub(super) type Counters = Rc<Vec<Local>>;

/// The scope of an expression.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    pub(super) place: Place,
    pub(super) locals: Vec<Local>,
    /// The queue whose `schedState` may stand without a queue.
    pub(super) bare: Option<QueueRef>,
    /// What the queues that a comparator compares are measured in.
    pub(super) queue_unit: Unit,
    /// How deep the expression is written out.
    pub(super) depth: usize,
    /// How large it has become.
    pub(super) nodes: usize,
    /// What a constant is for.
    pub(super) constant: &'static str,
    /// The assignment that makes a named definition stand in this place.
    pub(super) because: Option<(TextRange, String)>,
}

impl Scope {
    pub(super) fn new(place: Place, counters: &Counters) -> Self {
        let (locals, constant) = (counters.to_vec(), "a constant");
        Self { place, locals, bare: None, queue_unit: Unit::None, depth: 0, nodes: 0, constant, because: None }
    }
}

/// What a definition gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GlobalKind {
    Param,
    Value,
    Comparator,
    Condition,
    Classifier,
    /// An action that a program brings.
    Routine(RoutineId),
    /// `policyId`: which version applies to a packet.
    Version,
    Object(ObjectId),
    /// A mistake was said.
    Broken,
}

/// What stands after the `=` of a definition.
#[derive(Debug, Clone, Copy)]
pub(super) enum Given<'t> {
    Param(&'t Expr),
    Body(&'t Body),
}

/// A definition; of a family, one of each member.
#[derive(Debug)]
pub(super) struct Global<'t> {
    /// Of a member with its number.
    pub(super) name: String,
    /// Where it is written; of a family without number.
    pub(super) ident: &'t Ident,
    pub(super) kind: GlobalKind,
    pub(super) params: Option<&'t [Ident]>,
    pub(super) given: Given<'t>,
    pub(super) counters: Counters,
    pub(super) symbol: SymbolId,
    /// Of a constant: its value, once it is known.
    pub(super) constant: Option<Option<Value>>,
    /// Whether its expression was looked at.
    pub(super) checked: bool,
}

impl Global<'_> {
    /// Whether it was defined with an index.
    pub(super) fn is_member(&self) -> bool {
        self.name != self.ident.text
    }
}

/// A checker of one text.
pub(super) struct Checker<'t> {
    pub(super) text: &'t str,
    pub(super) overrides: &'t Overrides,
    /// The names of params that are live.
    pub(super) live: &'t [String],
    /// The params that are live, in order of their definition.
    pub(super) parameters: Vec<usize>,
    /// Actions that a program brings.
    pub(super) routines: Vec<Routine>,
    pub(super) sink: Sink,
    pub(super) symbols: Symbols,
    pub(super) globals: Vec<Global<'t>>,
    pub(super) by_name: HashMap<String, usize>,
    /// Families by their names without number.
    pub(super) families: HashMap<String, SymbolId>,
    pub(super) objects: Objects<'t>,
    /// Definitions that are being written out.
    pub(super) stack: Vec<usize>,
    /// What is known of comparators, by what they are.
    pub(super) orders: HashMap<String, Option<Vec<Key>>>,
    /// What is known of cases.
    pub(super) case_reports: CaseReports,
    /// How many of them were searched for counterexamples.
    pub(super) searches: usize,
    /// What the queues of the port lead to whose properties are looked at.
    pub(super) leads: Leads,
    /// Where packets enter queues, as far as the text says.
    pub(super) ways: Vec<Way>,
    /// Work that may still be done.
    pub(super) budget: usize,
}

/// The object that a condition belongs to.
pub(super) fn this(owner: Owner) -> Typed {
    match owner {
        Owner::Port => Typed::Port(PortRef::This),
        Owner::Buffer => Typed::Buffer(BufferRef::This),
        _ => Typed::Queue(QueueRef::This),
    }
}
