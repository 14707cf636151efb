//! Queues, ports and buffers: what their constructors say.

use super::constants::{called, written};
use super::families::MAX_OBJECTS;
use super::properties::Owner;
use super::scope::{Checker, Place, Scope};
use super::tree::{Body, Expr, ExprKind, Ident};
use crate::analysis::{Unit, Value};
use crate::diagnostic::{Code, Diagnostic};
use crate::number::Ratio;
use rowan::TextRange;
use std::collections::BTreeMap;

/// A property that is assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Slot {
    AdmPrio,
    ProcPrio,
    SchedPrio,
    Congestion,
    PostSchedAct,
    AdmState,
    SchedState,
}

/// An object by its kind and its place among those of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ObjectId {
    pub(super) owner: Owner,
    pub(super) index: usize,
}

/// A queue, port or buffer as it is declared.
#[derive(Debug)]
pub(super) struct Object<'t> {
    /// Its definition.
    pub(super) global: usize,
    /// What its constructor is given.
    pub(super) arguments: &'t [Expr],
    /// The call of the constructor.
    pub(super) span: TextRange,
    /// Its size or rate, once it is known.
    pub(super) constant: Option<Option<Value>>,
    /// What is assigned to it, by the number of the assignment.
    pub(super) slots: BTreeMap<Slot, usize>,
}

/// An assignment of a property of one object.
#[derive(Debug)]
pub(super) struct Assignment<'t> {
    /// Whose: the name of the object, and where it is written.
    pub(super) object: String,
    pub(super) ident: &'t Ident,
    /// The same with its index.
    pub(super) object_span: TextRange,
    pub(super) property: &'t Ident,
    /// What stands before the `=`, without parameters.
    pub(super) target: TextRange,
    pub(super) params: Option<&'t [Ident]>,
    pub(super) body: &'t Body,
    pub(super) counters: super::scope::Counters,
}

/// All objects and assignments.
#[derive(Debug, Default)]
pub(super) struct Objects<'t> {
    pub(super) queues: Vec<Object<'t>>,
    pub(super) ports: Vec<Object<'t>>,
    pub(super) buffers: Vec<Object<'t>>,
    pub(super) assignments: Vec<Assignment<'t>>,
    /// How many objects each statement assigns to, by its place.
    pub(super) reach: BTreeMap<(u32, u32), usize>,
    /// A list of queues that could not be understood; then a queue may be missing because of that.
    pub(super) has_bad_list: bool,
}

impl<'t> Objects<'t> {
    pub(super) fn of(&self, owner: Owner) -> &[Object<'t>] {
        match owner {
            Owner::Queue => &self.queues,
            Owner::Port => &self.ports,
            Owner::Buffer => &self.buffers,
            Owner::Packet => &[],
        }
    }

    pub(super) fn get(&self, id: ObjectId) -> Option<&Object<'t>> {
        self.of(id.owner).get(id.index)
    }

    pub(super) fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object<'t>> {
        match id.owner {
            Owner::Queue => self.queues.get_mut(id.index),
            Owner::Port => self.ports.get_mut(id.index),
            Owner::Buffer => self.buffers.get_mut(id.index),
            Owner::Packet => None,
        }
    }
}

/// What a constructor makes.
pub(super) fn constructor(name: &str) -> Option<Owner> {
    [Owner::Queue, Owner::Port, Owner::Buffer].into_iter().find(|owner| constructor_of(*owner) == name)
}

pub(super) fn constructor_of(owner: Owner) -> &'static str {
    match owner {
        Owner::Queue => "Queue",
        Owner::Port => "Port",
        Owner::Buffer => "Buffer",
        Owner::Packet => "",
    }
}

impl<'t> Checker<'t> {
    /// A new object, unless there are too many.
    pub(super) fn declare(&mut self, owner: Owner, global: usize, arguments: &'t [Expr], span: TextRange) -> ObjectId {
        let object = Object { global, arguments, span, constant: None, slots: BTreeMap::new() };
        let all = match owner {
            Owner::Port => &mut self.objects.ports,
            Owner::Buffer => &mut self.objects.buffers,
            _ => &mut self.objects.queues,
        };
        if i128::try_from(all.len()).is_ok_and(|count| count >= MAX_OBJECTS) {
            let message = format!("a policy has at most {MAX_OBJECTS} {}s", owner.name());
            self.sink.say(Diagnostic::error(Code::TooLarge, span, message).here("this is one too many"));
        } else {
            all.push(object);
        }
        ObjectId { owner, index: all.len() - 1 }
    }

    /// The size of a queue or buffer, the rate of a port.
    pub(super) fn size_or_rate(&mut self, id: ObjectId) -> Option<Value> {
        let ident = self.globals[self.objects.get(id)?.global].ident;
        self.size_or_rate_at(id, ident)
    }

    /// The same, asked for by the name that stands there.
    pub(super) fn size_or_rate_at(&mut self, id: ObjectId, at: &Ident) -> Option<Value> {
        let (global, arguments, span, known) = {
            let object = self.objects.get(id)?;
            (object.global, object.arguments, object.span, object.constant)
        };
        if let Some(known) = known {
            return known;
        }
        if !self.enter(global, at) {
            return None;
        }
        let value = match (arguments.first(), id.owner) {
            (Some(first), owner) => {
                let mut scope = Scope::new(Place::Constant, &self.globals[global].counters);
                let what = if owner == Owner::Port { "a rate" } else { "a size" };
                let value = self.constant(first, &mut scope, what);
                value.and_then(|(number, unit)| match owner {
                    Owner::Port => self.rate(first, number, unit),
                    _ => self.size(first, number, unit, owner),
                })
            }
            (None, owner) => {
                let constructor = constructor_of(owner);
                let (what, help) = match owner {
                    Owner::Port => ("rate", "Port(100%, q1)"),
                    Owner::Buffer => ("size", "Buffer(1 MB, q1, q2)"),
                    _ => ("size", "Queue(128 pkts)"),
                };
                let message = format!("`{constructor}` needs a {what}");
                let said = Diagnostic::error(Code::WrongArguments, span, message).here(format!("no {what} is given"));
                self.sink.say(said.help(format!("write, for example, `{help}`")));
                None
            }
        };
        self.leave();
        if let Some(object) = self.objects.get_mut(id) {
            object.constant = Some(value);
        }
        value
    }

    fn size(&mut self, expr: &Expr, number: Ratio, unit: Unit, owner: Owner) -> Option<Value> {
        let unit = match unit {
            Unit::None | Unit::Bytes => Unit::Bytes,
            Unit::Packets => Unit::Packets,
            other => {
                let message = format!("the size of a {} is in bytes or packets, not {}", owner.name(), called(other));
                let said = Diagnostic::error(Code::WrongUnit, expr.span, message);
                self.sink.say(said.here(format!("this is {}", called(other))).help("write `64 KB` or `128 pkts`"));
                return None;
            }
        };
        let number = number.floor();
        if *number.numer() < 1 {
            let message = format!("a {} must hold something", owner.name());
            let said = Diagnostic::error(Code::BadValue, expr.span, message);
            self.sink.say(said.here(format!("this is {}", written(number, unit))).help("a size is at least 1"));
            return None;
        }
        Some(Value { number, unit })
    }

    fn rate(&mut self, expr: &Expr, number: Ratio, unit: Unit) -> Option<Value> {
        let (unit, wrong) = match unit {
            Unit::None | Unit::Percent => {
                let good = number > Ratio::from_integer(0) && number <= Ratio::from_integer(100);
                (Unit::Percent, (!good).then_some("a percentage of the link is above 0 and at most 100"))
            }
            Unit::BitsPerSecond => {
                let good = number.is_integer() && *number.numer() > 0;
                (Unit::BitsPerSecond, (!good).then_some("a rate is a whole number of bits per second, at least 1"))
            }
            other => {
                let message = format!("the rate of a port is a percentage or bits per second, not {}", called(other));
                let said = Diagnostic::error(Code::WrongUnit, expr.span, message);
                self.sink.say(said.here(format!("this is {}", called(other))).help("write `100%` or `2.5 Gbps`"));
                return None;
            }
        };
        if let Some(message) = wrong {
            let said = Diagnostic::error(Code::BadValue, expr.span, message);
            let said = said.here(format!("this is {}", written(number, unit)));
            self.sink.say(said.help("write `100%` for the whole link, or a rate such as `2.5 Gbps`"));
            return None;
        }
        Some(Value { number, unit })
    }

    /// The queues that a port or buffer lists; `None` if it lists none.
    pub(super) fn listed_queues(&mut self, id: ObjectId) -> Option<Vec<(usize, TextRange)>> {
        let object = self.objects.get(id)?;
        let (arguments, global) = (object.arguments, object.global);
        let listed = arguments.get(1..).filter(|listed| !listed.is_empty())?;
        let mut queues = Vec::new();
        for argument in listed {
            let mut scope = Scope::new(Place::Constant, &self.globals[global].counters);
            let mut found = Vec::new();
            match &argument.kind {
                ExprKind::Index(of, index) if matches!(index.kind, ExprKind::Range(..)) => {
                    let ExprKind::Range(first, last) = &index.kind else { continue };
                    let ends = self.family_name(of).zip(self.range(index.span, (first, last), &mut scope));
                    let Some((family, (first, last))) = ends else {
                        self.objects.has_bad_list = true;
                        continue;
                    };
                    for number in first..=last {
                        if self.spend(5, argument.span).is_none() {
                            self.objects.has_bad_list = true;
                            return Some(queues);
                        }
                        let Some(member) = self.existing_member(family, number, argument.span) else {
                            self.objects.has_bad_list = true;
                            break;
                        };
                        self.refer(member, family);
                        found.push(self.global(member, family, &mut scope));
                    }
                }
                _ => found.push(self.typed(argument, &mut scope)),
            }
            for value in found {
                match value {
                    super::scope::Typed::Queue(crate::ir::QueueRef::Named(queue)) => {
                        queues.push((usize::from(queue.0), argument.span));
                    }
                    super::scope::Typed::Unknown => self.objects.has_bad_list = true,
                    other => {
                        let message = format!(
                            "a {} has queues, not {}s",
                            id.owner.name(),
                            other.called().trim_start_matches("a ")
                        );
                        let said = Diagnostic::error(Code::WrongKind, argument.span, message);
                        self.sink.say(said.here(format!("this is {}", other.called())));
                    }
                }
            }
        }
        Some(queues)
    }
}
