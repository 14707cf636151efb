//! Values with their types, and the scope of an expression.

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
    /// The queue of the next stage to which a queue's first packet goes.
    Next(QueueRef),
    Port(PortRef),
    Buffer(BufferRef),
    /// The expression was not understood, which was reported.
    Unknown,
}

impl Typed {
    /// Returns the value's name in messages.
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

/// The place of an expression, which determines what it may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A size, a rate, the end of a range, or an initial state.
    Constant,
    /// A comparator of packets.
    PacketOrder,
    /// A comparator of queues.
    QueueOrder,
    /// A boundary condition; without an object if no object has it.
    Condition(Owner, Option<ObjectId>),
    /// The classifier.
    Classify,
    /// The choice of the next queue after a port.
    Next,
    /// The choice of the queues that a port may serve.
    Eligible,
}

/// A parameter, a counter, or a name given by `let`.
#[derive(Debug, Clone)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) value: Typed,
    pub(super) symbol: SymbolId,
}

/// Whether queues lead to a next stage, at the place of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leads {
    /// The queues lead to no other stage.
    Nowhere,
    /// The stage is unknown, since no object has the expression.
    Unknown,
    /// To queues that are measured in this unit; `None`: the units differ.
    To(Option<Unit>),
}

/// An `enter` action.
#[derive(Debug, Clone)]
pub(super) struct Way {
    /// The index of the port that leads there; `None`: `classify`.
    pub(super) port: Option<usize>,
    /// The queues among which an index may choose.
    pub(super) queues: Vec<QueueId>,
    /// The range of the queues in the text.
    pub(super) span: TextRange,
}

pub(super) type Counters = Rc<Vec<Local>>;

/// The scope of an expression.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    pub(super) place: Place,
    pub(super) locals: Vec<Local>,
    /// The queue whose `schedState` may be written without a queue.
    pub(super) bare: Option<QueueRef>,
    /// The unit of the queues that a comparator compares.
    pub(super) queue_unit: Unit,
    /// The depth of expanded definitions.
    pub(super) depth: usize,
    /// The number of nodes so far.
    pub(super) nodes: usize,
    /// The purpose of the constant.
    pub(super) constant: &'static str,
    /// The assignment that uses a named definition in this place.
    pub(super) because: Option<(TextRange, String)>,
}

impl Scope {
    pub(super) fn new(place: Place, counters: &Counters) -> Self {
        let (locals, constant) = (counters.to_vec(), "a constant");
        Self { place, locals, bare: None, queue_unit: Unit::None, depth: 0, nodes: 0, constant, because: None }
    }
}

/// The kind of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GlobalKind {
    Param,
    Value,
    Comparator,
    Condition,
    Classifier,
    /// An action that a program implements.
    Routine(RoutineId),
    /// `policyId`: the version that applies to a packet.
    Version,
    Object(ObjectId),
    /// A definition whose mistake was reported.
    Broken,
}

/// The right side of a definition.
#[derive(Debug, Clone, Copy)]
pub(super) enum Given<'t> {
    Param(&'t Expr),
    Body(&'t Body),
}

/// A definition; a family has one for each member.
#[derive(Debug)]
pub(super) struct Global<'t> {
    /// The name; that of a member includes its number.
    pub(super) name: String,
    /// The name in the text; that of a family has no number.
    pub(super) ident: &'t Ident,
    pub(super) kind: GlobalKind,
    pub(super) params: Option<&'t [Ident]>,
    pub(super) given: Given<'t>,
    pub(super) counters: Counters,
    pub(super) symbol: SymbolId,
    /// The value of a constant, once it is known.
    pub(super) constant: Option<Option<Value>>,
    /// Whether the expression was checked.
    pub(super) checked: bool,
}

impl Global<'_> {
    /// Whether the definition has an index.
    pub(super) fn is_member(&self) -> bool {
        self.name != self.ident.text
    }
}

/// The checker of one text.
pub(super) struct Checker<'t> {
    pub(super) text: &'t str,
    pub(super) overrides: &'t Overrides,
    /// The names of params that are live.
    pub(super) live: &'t [String],
    /// The params that are live, in order of their definition.
    pub(super) parameters: Vec<usize>,
    /// The actions that a program implements.
    pub(super) routines: Vec<Routine>,
    pub(super) sink: Sink,
    pub(super) symbols: Symbols,
    pub(super) globals: Vec<Global<'t>>,
    pub(super) by_name: HashMap<String, usize>,
    /// The families by their names without number.
    pub(super) families: HashMap<String, SymbolId>,
    pub(super) objects: Objects<'t>,
    /// The definitions that are being expanded.
    pub(super) stack: Vec<usize>,
    /// The known keys of comparators.
    pub(super) orders: HashMap<String, Option<Vec<Key>>>,
    /// The findings on cases.
    pub(super) case_reports: CaseReports,
    /// The number of comparators that were searched for counterexamples.
    pub(super) searches: usize,
    /// The stage to which the current port's queues lead.
    pub(super) leads: Leads,
    /// The places where packets enter queues, as far as the text shows.
    pub(super) ways: Vec<Way>,
    /// The remaining work.
    pub(super) budget: usize,
}

/// Returns the object that a condition belongs to.
pub(super) fn this(owner: Owner) -> Typed {
    match owner {
        Owner::Port => Typed::Port(PortRef::This),
        Owner::Buffer => Typed::Buffer(BufferRef::This),
        _ => Typed::Queue(QueueRef::This),
    }
}
