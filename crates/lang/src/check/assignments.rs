//! Assignments: which object gets which property.
//!
//! A property of an object is assigned once. There is one exception: a later assignment to fewer objects replaces one to more objects:
//! `q[1..k].admPrio = rfifo(); q3.admPrio = srpt();`.

use super::objects::ObjectId;
use super::properties::{Slot, find};
use super::scope::{Checker, GlobalKind, Place, Scope};
use super::tree::{Body, Ident};
use crate::diagnostic::{Code, Diagnostic};
use crate::number::Ratio;

impl<'t> Checker<'t> {
    /// Finds the object and the property of each assignment.
    pub(super) fn assign(&mut self) {
        for number in 0..self.objects.assignments.len() {
            if let Some((id, slot)) = self.assigned(number) {
                self.fill(id, slot, number);
            }
        }
    }

    fn assigned(&mut self, number: usize) -> Option<(ObjectId, Slot)> {
        let (ident, property, target) = {
            let given = &self.objects.assignments[number];
            (given.ident, given.property, given.target)
        };
        let nothing = Scope::new(Place::Constant, &super::scope::Counters::default());
        let name = &self.objects.assignments[number].object;
        let Some(global) = self.by_name.get(name).copied() else {
            match name.strip_prefix(&ident.text).and_then(|digits| digits.parse().ok()) {
                Some(member) => {
                    let span = self.objects.assignments[number].object_span;
                    self.existing_member(ident, member, span);
                }
                None => self.unknown(ident, &nothing),
            }
            return None;
        };
        self.refer(global, ident);
        let id = match self.globals[global].kind {
            GlobalKind::Object(id) => id,
            GlobalKind::Broken => return None,
            _ => {
                let message = format!("`{}` is not a queue, port or buffer", ident.text);
                let said = Diagnostic::error(Code::WrongKind, ident.span, message).here("this has no properties");
                self.sink.say(said.label(self.globals[global].ident.span, "defined here"));
                return None;
            }
        };
        let Some(found) = find(id.owner, &property.text) else {
            self.unknown_property(id.owner, property, &nothing);
            return None;
        };
        self.symbols.refer_property(found, property.span);
        let slot = found.slot();
        if slot.is_none() {
            let message = format!("`{}` of a {} cannot be assigned", property.text, id.owner.name());
            let said = Diagnostic::error(Code::ReadOnly, target, message).here("this can only be read");
            let given = matches!(property.text.as_str(), "size" | "rate");
            self.sink.say(if given {
                let constructor = super::objects::constructor_of(id.owner);
                said.help(format!("it is given where the object is made: `{} = {constructor}(…)`", ident.text))
            } else {
                said.help("the engine sets it")
            });
        }
        Some((id, slot?))
    }

    fn fill(&mut self, id: ObjectId, slot: Slot, number: usize) {
        let earlier = self.objects.get(id).and_then(|object| object.slots.get(&slot).copied());
        if let Some(earlier) = earlier {
            let (before, now) = (self.reach_of(earlier), self.reach_of(number));
            if now >= before {
                let given = &self.objects.assignments[number];
                let first = self.objects.assignments[earlier].target;
                let message = format!("`{}.{}` is assigned twice", given.object, given.property.text);
                let said = Diagnostic::error(Code::AssignedTwice, given.target, message);
                self.sink.say(if first == given.target {
                    said.here("in each iteration of the loop").help("assign it once, outside of the loop")
                } else {
                    let said = said.here("here again").label(first, "first assigned here");
                    if now > before {
                        said.help("assign to the whole family before you assign to one member")
                    } else {
                        said.help("remove one of them")
                    }
                });
                return;
            }
        }
        if let Some(object) = self.objects.get_mut(id) {
            object.slots.insert(slot, number);
        }
    }

    /// Returns the number of objects that the statement of an assignment assigns to.
    fn reach_of(&self, number: usize) -> usize {
        let target = self.objects.assignments[number].target;
        let key = (target.start().into(), target.end().into());
        self.objects.reach.get(&key).copied().unwrap_or_default()
    }

    /// Returns the number of the assignment of a property.
    pub(super) fn slot(&self, id: ObjectId, slot: Slot) -> Option<usize> {
        self.objects.get(id)?.slots.get(&slot).copied()
    }

    /// Returns the initial value of a state; 0 if none is assigned.
    pub(super) fn state_of(&mut self, id: ObjectId, slot: Slot) -> Option<Ratio> {
        let Some(number) = self.slot(id, slot) else { return Some(Ratio::from_integer(0)) };
        let (body, params, counters) = {
            let given = &self.objects.assignments[number];
            (given.body, given.params, given.counters.clone())
        };
        match (body, params) {
            (Body::Expr(expr), None) => {
                let mut scope = Scope::new(Place::Constant, &counters);
                self.constant(expr, &mut scope, "the initial value of a state").map(|(value, _)| value)
            }
            (Body::Missing, _) => None,
            _ => {
                let span = params.and_then(<[Ident]>::first).map(|param| param.span).or(body.span());
                let target = self.objects.assignments[number].target;
                let said = Diagnostic::error(Code::WrongKind, span.unwrap_or(target), "a state begins with a number");
                self.sink.say(said.help("write `q1.schedState = 1;`; `modify` changes it later"));
                None
            }
        }
    }
}
