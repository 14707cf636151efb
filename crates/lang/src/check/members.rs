//! Properties: `q.currSize`, `p.arrival`, `port.getCurrQueue()`.

use super::objects::ObjectId;
use super::properties::{self, Member, Owner, PROPERTIES, Property, find};
use super::scope::{Checker, Place, Scope, Typed};
use super::spelling::{did_you_mean, nearest, shown};
use super::tree::{Expr, Ident};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{BufferField, BufferRef, Num, PacketRef, PortField, PortRef, QueueField, QueueRef, Read};
use crate::unit::Unit;
use rowan::TextRange;

impl<'t> Checker<'t> {
    /// Lowers a property without parentheses.
    pub(super) fn field(&mut self, of: &'t Expr, name: &'t Ident, scope: &mut Scope) -> Typed {
        let object = self.typed(of, scope);
        let Some(property) = self.property(&object, of, name, scope) else { return Typed::Unknown };
        if property.is_method() {
            let said = Diagnostic::error(Code::WrongKind, name.span, format!("`{}` needs parentheses", name.text));
            self.sink.say(said.insert(name.span.end(), "()").help(format!("write `{}()`", name.text)));
            return Typed::Unknown;
        }
        self.read(&object, property, name, scope)
    }

    /// Lowers a call of a property.
    pub(super) fn method(&mut self, of: &'t Expr, name: &'t Ident, all: TextRange, scope: &mut Scope) -> Typed {
        let object = self.typed(of, scope);
        let Some(property) = self.property(&object, of, name, scope) else { return Typed::Unknown };
        if !property.is_method() && !matches!(property.member, Member::Slot(_)) {
            let message = format!("`{}` stands without parentheses", name.text);
            let rest = TextRange::new(name.span.end(), all.end());
            let said = Diagnostic::error(Code::WrongKind, name.span, message).help(format!("write `{}`", name.text));
            self.sink.say(said.replace(rest, ""));
            return Typed::Unknown;
        }
        self.read(&object, property, name, scope)
    }

    /// Returns the property of this name that the object has.
    pub(super) fn property(
        &mut self,
        object: &Typed,
        of: &Expr,
        name: &Ident,
        scope: &Scope,
    ) -> Option<&'static Property> {
        let Some(owner) = object.owner() else {
            if *object != Typed::Unknown {
                let message = format!("{} has no properties", object.called());
                let said = Diagnostic::error(Code::WrongKind, of.span, message);
                self.sink.say(said.here(format!("this is {}", object.called())));
            }
            return None;
        };
        let found = find(owner, &name.text);
        match found {
            Some(property) => self.symbols.refer_property(property, name.span),
            None => self.unknown_property(owner, name, scope),
        }
        found
    }

    pub(super) fn unknown_property(&mut self, owner: Owner, name: &Ident, scope: &Scope) {
        let what = owner.name();
        let message = format!("a {what} has no property `{}`", shown(&name.text));
        let said = Diagnostic::error(Code::UnknownProperty, name.span, message);
        let here = || PROPERTIES.iter().filter(move |property| property.owner == owner);
        let others = PROPERTIES.iter().find(|property| property.name == name.text);
        let synonym = super::foreign_names::synonym(owner, &name.text);
        let mut said = match nearest(&name.text, here().map(|property| property.name)) {
            _ if synonym.is_some() => said.help(format!("it is called `{}` here", synonym.unwrap_or_default())),
            Some(meant) => did_you_mean(said, name, &meant),
            None if name.text == "extractHigh" => {
                said.help("the engine dequeues packets; `findHigh()` reads the first")
            }
            None => match others {
                Some(other) => said.help(format!("`{}` is a property of a {}", name.text, other.owner.name())),
                None => {
                    let all: Vec<&str> = here().map(|property| property.name).collect();
                    said.help(format!("it has {}", all.join(", ")))
                }
            },
        };
        if let Some((span, text)) = &scope.because {
            said = said.label(*span, text.clone());
        }
        self.sink.say(said);
    }

    /// Lowers a read of a property.
    fn read(&mut self, object: &Typed, property: &Property, name: &Ident, scope: &mut Scope) -> Typed {
        let number = |read, unit| Typed::Num(Num::Read(read), unit);
        let (read, unit) = match (object, property.member) {
            (Typed::Packet(packet), Member::Packet(field)) => {
                (Read::Packet(*packet, field), properties::packet_unit(field))
            }
            (Typed::Queue(queue), Member::Queue(field)) => {
                let size = self.size_of_queue(*queue, name, scope);
                match (field, size) {
                    (QueueField::Size, Some((Some(size), unit))) => return Typed::Num(Num::Const(size), unit),
                    (QueueField::Size | QueueField::CurrSize, Some((_, unit))) => (Read::Queue(*queue, field), unit),
                    (QueueField::Size | QueueField::CurrSize, None) => return Typed::Unknown,
                    _ => (Read::Queue(*queue, field), Unit::None),
                }
            }
            (Typed::Port(port), Member::Port(field)) => match field {
                PortField::SchedState => (Read::Port(*port, field), Unit::None),
                PortField::Rate => match self.object_of_port(*port, scope) {
                    None => (Read::Port(*port, field), Unit::None),
                    Some(id) => return self.constant_of(id, name),
                },
            },
            (Typed::Buffer(buffer), Member::Buffer(field)) => {
                let value = match self.object_of_buffer(*buffer, scope) {
                    None => Typed::Num(Num::Read(Read::Buffer(*buffer, field)), Unit::None),
                    Some(id) => self.constant_of(id, name),
                };
                match (field, value) {
                    (BufferField::AdmState, _) => (Read::Buffer(*buffer, field), Unit::None),
                    (BufferField::Size, value) => return value,
                    (BufferField::CurrSize, Typed::Num(_, unit)) => (Read::Buffer(*buffer, field), unit),
                    _ => return Typed::Unknown,
                }
            }
            (Typed::Queue(queue), Member::Next) => return self.next_of_queue(*queue, name, scope),
            (Typed::Next(queue), member) => return self.read_next(*queue, member, name, scope),
            (Typed::Queue(queue), Member::FindHigh) => return Typed::Packet(PacketRef::Head(*queue)),
            (Typed::Port(port), Member::CurrQueue | Member::GetCurrQueue) => {
                let own = self.object_of_port(*port, scope);
                return self.current(*port == PortRef::This, own, Owner::Port, name, scope);
            }
            (Typed::Buffer(buffer), Member::CurrQueue | Member::GetCurrQueue) => {
                let own = self.object_of_buffer(*buffer, scope);
                return self.current(*buffer == BufferRef::This, own, Owner::Buffer, name, scope);
            }
            (_, Member::Slot(_)) => {
                let message = format!("`{}` is assigned once, and cannot be used in an expression", name.text);
                self.sink.say(Diagnostic::error(Code::WrongKind, name.span, message).here("this is not a value"));
                return Typed::Unknown;
            }
            _ => return Typed::Unknown,
        };
        if self.may_read(read, name.span, scope) { number(read, unit) } else { Typed::Unknown }
    }

    /// Lowers `currQueue`, which only the condition of the same object may read.
    fn current(&mut self, this: bool, id: Option<ObjectId>, owner: Owner, name: &Ident, scope: &Scope) -> Typed {
        let own = match scope.place {
            Place::Condition(of, own) => of == owner && (this || own.is_some() && own == id),
            _ => false,
        };
        if own {
            return Typed::Queue(QueueRef::Current);
        }
        let condition = if owner == Owner::Port { "`postSchedAct`" } else { "`congestion`" };
        let message = format!("`{}` of a {} is known only in its own {condition}", name.text, owner.name());
        self.sink.say(Diagnostic::error(Code::WrongPlace, name.span, message).here("not here"));
        Typed::Unknown
    }

    /// Returns the size of a queue, if the queue is known, and its unit. `None` if the size is wrong.
    fn size_of_queue(
        &mut self,
        queue: QueueRef,
        at: &Ident,
        scope: &Scope,
    ) -> Option<(Option<crate::number::Ratio>, Unit)> {
        let id = match (queue, scope.place) {
            (QueueRef::Named(id), _) => ObjectId { owner: Owner::Queue, index: usize::from(id.0) },
            (QueueRef::This, Place::Condition(Owner::Queue, Some(id))) => id,
            _ => return Some((None, scope.queue_unit)),
        };
        match self.constant_of(id, at) {
            Typed::Num(Num::Const(size), unit) => Some((Some(size), unit)),
            _ => None,
        }
    }

    fn object_of_port(&self, port: PortRef, scope: &Scope) -> Option<ObjectId> {
        match (port, scope.place) {
            (PortRef::Named(id), _) => Some(ObjectId { owner: Owner::Port, index: usize::from(id.0) }),
            (PortRef::This, Place::Condition(Owner::Port, id)) => id,
            _ => None,
        }
    }

    fn object_of_buffer(&self, buffer: BufferRef, scope: &Scope) -> Option<ObjectId> {
        match (buffer, scope.place) {
            (BufferRef::Named(id), _) => Some(ObjectId { owner: Owner::Buffer, index: usize::from(id.0) }),
            (BufferRef::This, Place::Condition(Owner::Buffer, id)) => id,
            _ => None,
        }
    }

    /// Lowers the size or rate of an object.
    fn constant_of(&mut self, id: ObjectId, at: &Ident) -> Typed {
        match self.size_or_rate_at(id, at) {
            Some(value) => Typed::Num(Num::Const(value.number), value.unit),
            None => Typed::Unknown,
        }
    }
}
