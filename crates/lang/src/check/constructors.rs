//! Queues, ports and buffers: the arguments of their constructors.

use super::families::MAX_OBJECTS;
use super::objects::{Object, ObjectId, constructor_of};
use super::properties::{Owner, Slot};
use super::scope::{Checker, Place, Scope};
use super::tree::{Expr, ExprKind, Ident};
use crate::diagnostic::{Code, Diagnostic};
use crate::number::Ratio;
use crate::unit::{Unit, Value, called, written};
use rowan::TextRange;
use std::collections::BTreeMap;

impl<'t> Checker<'t> {
    /// Adds an object, unless there are too many.
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

    /// Returns the size of a queue or buffer, or the rate of a port.
    pub(super) fn size_or_rate(&mut self, id: ObjectId) -> Option<Value> {
        let ident = self.globals[self.objects.get(id)?.global].ident;
        self.size_or_rate_at(id, ident)
    }

    /// Returns the size or rate of an object for a name at `at`.
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
                    Owner::Port => self.rate(first, number, unit, self.slot(id, Slot::Next).is_some()),
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

    /// Returns the rate of a port. `inside`: the port leads to queues of a later stage, and may be faster than a link.
    fn rate(&mut self, expr: &Expr, number: Ratio, unit: Unit, inside: bool) -> Option<Value> {
        let (unit, wrong) = match unit {
            Unit::None | Unit::Percent => {
                let good = number > Ratio::from_integer(0) && (inside || number <= Ratio::from_integer(100));
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

    /// Returns the queues that a port or buffer lists; `None` if it lists none.
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
