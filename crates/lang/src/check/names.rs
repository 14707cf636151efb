//! Resolves names in expressions.

use super::properties::{BUILTINS, LIBRARY, Owner, PROPERTIES};
use super::scope::{Checker, GlobalKind, Place, Scope, Typed};
use super::spelling::{did_you_mean, is_brought, nearest, shown};
use super::tree::{Body, Expr, Ident};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{BufferId, BufferRef, Cond, Num, PacketRef, PortId, PortRef, QueueField, QueueRef, Read};
use crate::unit::{Unit, Value};
use forebay_core::QueueId;

/// The most names that are compared with an unknown one.
const MAX_CANDIDATES: usize = 2_000;

impl<'t> Checker<'t> {
    pub(super) fn name(&mut self, name: &'t Ident, scope: &mut Scope) -> Typed {
        if let Some(local) = scope.locals.iter().rev().find(|local| local.name == name.text) {
            self.symbols.refer(local.symbol, name.span);
            scope.nodes += local.value.nodes();
            return local.value.clone();
        }
        if let Some(global) = self.by_name.get(&name.text).copied() {
            self.refer(global, name);
            return self.global(global, name, scope);
        }
        match name.text.as_str() {
            "now" => self.now(name, scope),
            "arriving" => self.arriving(name, scope),
            "schedState" if scope.bare.is_some() => {
                let Some(queue) = scope.bare else { return Typed::Unknown };
                self.symbols.refer_brought("queue.schedState", name.span);
                Typed::Num(Num::Read(Read::Queue(queue, QueueField::SchedState)), Unit::None)
            }
            known if is_brought(known) => {
                self.symbols.refer_brought(known, name.span);
                let message = format!("`{known}` is not a value");
                let about =
                    BUILTINS.iter().chain(LIBRARY).find(|(name, _)| *name == known).map_or("", |(_, about)| about);
                self.sink.say(Diagnostic::error(Code::WrongKind, name.span, message).help(about));
                Typed::Unknown
            }
            _ => {
                self.unknown(name, scope);
                Typed::Unknown
            }
        }
    }

    fn now(&mut self, name: &Ident, scope: &Scope) -> Typed {
        self.symbols.refer_brought("now", name.span);
        if self.may_read(Read::Now, name.span, scope) {
            Typed::Num(Num::Read(Read::Now), Unit::Nanoseconds)
        } else {
            Typed::Unknown
        }
    }

    fn arriving(&mut self, name: &Ident, scope: &Scope) -> Typed {
        self.symbols.refer_brought("arriving", name.span);
        if matches!(scope.place, Place::Condition(Owner::Queue | Owner::Buffer, _)) {
            return Typed::Packet(PacketRef::Arriving);
        }
        let said = Diagnostic::error(Code::WrongPlace, name.span, "there is an arriving packet only in `congestion`");
        self.sink.say(match scope.place {
            Place::Condition(..) => {
                said.help("the packet that was served is `findHigh()` of the queue that was served")
            }
            Place::Classify => said.help("in `classify(p)`, the arriving packet is `p`"),
            Place::Next => said.help("in `next(p)`, the packet that was served is `p`"),
            Place::Eligible => said.help("the packet that the queue would serve is `q.findHigh()`"),
            _ => said.help("write a boundary condition: `name(q) = (arriving.slack < 1 ms, drop(1))`"),
        });
        Typed::Unknown
    }

    /// Records a use of a definition's name.
    pub(super) fn refer(&mut self, global: usize, at: &Ident) {
        let global = &self.globals[global];
        if at.text != global.name {
            // `q[1]`, which may be `q1` that is no member of a family.
            if global.is_member() {
                self.symbols.refer(global.symbol, at.span);
            }
        } else if global.is_member() {
            // Of `q12` the family's name is `q`.
            let family = rowan::TextSize::of(global.ident.text.as_str());
            self.symbols.refer(global.symbol, rowan::TextRange::at(at.span.start(), family));
        } else {
            self.symbols.refer(global.symbol, at.span);
        }
    }

    /// Returns the value of a definition in an expression.
    pub(super) fn global(&mut self, index: usize, at: &Ident, scope: &mut Scope) -> Typed {
        match self.globals[index].kind {
            GlobalKind::Param => match self.param(index, at) {
                Some(value) if self.parameters.contains(&index) => self.live_parameter(index, value, at.span, scope),
                Some(Value { number, unit }) => Typed::Num(Num::Const(number), unit),
                None => Typed::Unknown,
            },
            GlobalKind::Value => self.written_out(index, at, scope),
            // Its own name in its own condition.
            GlobalKind::Object(id) if scope.place == Place::Condition(id.owner, Some(id)) => {
                super::scope::this(id.owner)
            }
            GlobalKind::Object(id) => {
                let number = u16::try_from(id.index).expect("a policy has at most MAX_OBJECTS of a kind");
                match id.owner {
                    Owner::Queue => Typed::Queue(QueueRef::Named(QueueId(number))),
                    Owner::Port => Typed::Port(PortRef::Named(PortId(number))),
                    Owner::Buffer => Typed::Buffer(BufferRef::Named(BufferId(number))),
                    Owner::Packet => Typed::Unknown,
                }
            }
            GlobalKind::Broken => Typed::Unknown,
            kind @ (GlobalKind::Comparator
            | GlobalKind::Condition
            | GlobalKind::Classifier
            | GlobalKind::Version
            | GlobalKind::Routine(_)) => {
                let (what, help) = match kind {
                    GlobalKind::Comparator => ("a comparator", format!("compare with it: `{}(p1, p2)`", at.text)),
                    GlobalKind::Condition => {
                        ("a boundary condition", format!("assign it: `q.congestion = {}`", at.text))
                    }
                    GlobalKind::Routine(_) => {
                        ("an action", format!("it stands in a case: `(condition, {}(…))`", at.text))
                    }
                    GlobalKind::Version => ("the choice of a version", "of a packet it is `p.policyId`".to_owned()),
                    _ => ("the classifier", "nothing else can use it".to_owned()),
                };
                let said =
                    Diagnostic::error(Code::WrongKind, at.span, format!("`{}` is {what}, and not a value", at.text));
                self.sink.say(said.label(self.globals[index].ident.span, "defined here").help(help));
                Typed::Unknown
            }
        }
    }

    /// Expands a named expression in place of its name.
    fn written_out(&mut self, index: usize, at: &Ident, scope: &mut Scope) -> Typed {
        let Some(body) = self.body(index) else { return Typed::Unknown };
        let Body::Expr(expr) = body else { return Typed::Unknown };
        if !self.enter(index, at) {
            return Typed::Unknown;
        }
        let counters = self.globals[index].counters.to_vec();
        let locals = std::mem::replace(&mut scope.locals, counters);
        let bare = scope.bare.take();
        self.globals[index].checked = true;
        let value = self.typed(expr, scope);
        scope.locals = locals;
        scope.bare = bare;
        self.leave();
        value
    }

    pub(super) fn body(&self, index: usize) -> Option<&'t Body> {
        match self.globals[index].given {
            super::scope::Given::Body(body) => Some(body),
            super::scope::Given::Param(_) => None,
        }
    }

    /// Returns the value of a named constant.
    pub(super) fn param(&mut self, index: usize, at: &Ident) -> Option<Value> {
        if let Some(known) = self.globals[index].constant {
            return known;
        }
        let super::scope::Given::Param(expr) = self.globals[index].given else { return None };
        if !self.enter(index, at) {
            return None;
        }
        let mut scope = Scope::new(Place::Constant, &std::rc::Rc::default());
        let given = self.constant(expr, &mut scope, "a named constant");
        self.leave();
        let replaced = self.overrides.iter().rev().find(|(name, _)| *name == self.globals[index].name);
        let value = match (replaced, given) {
            // `--param B=64` for `param B = 128 pkts` means packets, too.
            (Some((_, Value { number, unit: Unit::None })), given) => {
                Some(Value { number: *number, unit: given.map_or(Unit::None, |(_, unit)| unit) })
            }
            (Some((_, value)), _) => Some(*value),
            (None, given) => given.map(|(number, unit)| Value { number, unit }),
        };
        let value = value.filter(|value| super::constants::fit(value.number).is_ok());
        self.globals[index].constant = Some(value);
        value
    }

    /// Begins to expand a definition, unless it is being expanded already.
    pub(super) fn enter(&mut self, index: usize, at: &Ident) -> bool {
        let Some(first) = self.stack.iter().position(|other| *other == index) else {
            self.stack.push(index);
            return true;
        };
        let mut chain: Vec<&str> = self.stack[first..].iter().map(|other| self.globals[*other].name.as_str()).collect();
        chain.push(&self.globals[index].name);
        if chain.len() > 9 {
            chain.splice(4..chain.len() - 4, ["…"]);
        }
        let message = format!("`{}` is defined by itself", self.globals[index].name);
        let mut said = Diagnostic::error(Code::Recursion, at.span, message)
            .here("this leads back")
            .help(format!("the chain is {}", chain.join(" → ")));
        for other in self.stack[first..].iter().take(8) {
            said = said.label(self.globals[*other].ident.span, "by this definition");
        }
        self.sink.say(said);
        false
    }

    pub(super) fn leave(&mut self) {
        self.stack.pop();
    }

    /// Reports an unknown name.
    pub(super) fn unknown(&mut self, name: &Ident, scope: &Scope) {
        self.unknown_of(name, scope, format!("define it: `param {0} = …;` or `{0} = …;`", shown(&name.text)));
    }

    /// Reports an unknown name, with `help` if no similar name is found.
    pub(super) fn unknown_of(&mut self, name: &Ident, scope: &Scope, help: String) {
        if self.sink.knows(name.span, Code::UnknownName) {
            return;
        }
        if self.families.contains_key(&name.text) {
            return self.is_family(name);
        }
        let locals = scope.locals.iter().map(|local| local.name.as_str());
        let globals = self.globals.iter().map(|global| global.name.as_str()).take(MAX_CANDIDATES);
        let brought = BUILTINS.iter().chain(LIBRARY).map(|(name, _)| *name);
        let said = Diagnostic::error(Code::UnknownName, name.span, format!("there is no `{}`", shown(&name.text)));
        if let Some((help, meant)) = super::foreign_names::habit(&name.text, scope) {
            let said = said.help(help);
            return self.sink.say(match meant {
                Some(meant) => said.replace(name.span, meant),
                None => said,
            });
        }
        let meant = nearest(&name.text, locals.chain(globals).chain(brought));
        // Objects are made by few names, to which others are near by chance.
        let made = |meant: &str| BUILTINS[..3].iter().any(|(name, _)| *name == meant);
        let first = |text: &str| text.chars().next().map(|c| c.to_ascii_lowercase());
        let meant = meant.filter(|meant| !made(meant) || first(meant) == first(&name.text));
        let said = match meant {
            Some(meant) => did_you_mean(said, name, &meant),
            None if PROPERTIES.iter().any(|property| property.name == name.text) => {
                said.help(format!("a property stands after its object: `q.{}`", name.text))
            }
            None => said.help(help),
        };
        self.sink.say(said);
    }

    /// Checks that this place may read `read`.
    pub(super) fn may_read(&mut self, read: Read, span: rowan::TextRange, scope: &Scope) -> bool {
        let own_packet = matches!(read, Read::Packet(PacketRef::First | PacketRef::Second, _));
        let (code, message, help) = match (scope.place, read) {
            (Place::Constant, _) => {
                (Code::NotConstant, "this changes while the policy runs; a constant is needed here", "")
            }
            (Place::PacketOrder | Place::QueueOrder, Read::Now) => (
                Code::WrongPlace,
                "a comparator cannot use `now`: an order must not change with time",
                "compare times that do not change, for example `p1.arrival + p1.slack < p2.arrival + p2.slack`",
            ),
            (Place::PacketOrder, _) if !own_packet => (
                Code::WrongPlace,
                "a comparator of packets reads only its two packets and constants",
                "any other value could change, and with it the order of packets that wait",
            ),
            (
                Place::QueueOrder,
                Read::Queue(QueueRef::First | QueueRef::Second, _)
                | Read::Next(QueueRef::First | QueueRef::Second, _)
                | Read::Packet(PacketRef::Head(QueueRef::First | QueueRef::Second), _),
            ) => return true,
            (Place::QueueOrder | Place::Classify | Place::Next, Read::Parameter(_)) => return true,
            (Place::QueueOrder, _) => (
                Code::WrongPlace,
                "a comparator of queues reads only its two queues, their `findHigh()` and constants",
                "any other value could change, and with it the order of the queues",
            ),
            (Place::Classify, Read::Packet(PacketRef::This, _) | Read::Now) => return true,
            (Place::Classify, _) => (
                Code::WrongPlace,
                "`classify` reads only the packet, `now` and constants",
                "a packet is classified before any queue is examined; `congestion` can read queues",
            ),
            (Place::Next, Read::Packet(PacketRef::This, _)) => return true,
            (Place::Next, _) => (
                Code::WrongPlace,
                "`next` reads only the packet and constants",
                "the destination of a packet must not change while it waits; `eligible` can read queues",
            ),
            (Place::Eligible, Read::Now) => (
                Code::WrongPlace,
                "`eligible` cannot use `now`: whether a queue may be served must not change with time alone",
                "it can read queues, ports, buffers and packets",
            ),
            _ => return true,
        };
        let mut said = Diagnostic::error(code, span, message);
        if !help.is_empty() {
            said = said.help(help);
        }
        if let Some((span, text)) = &scope.because {
            said = said.label(*span, text.clone());
        }
        self.sink.say(said);
        false
    }
}

impl Typed {
    /// Returns the number of nodes.
    fn nodes(&self) -> usize {
        fn num(number: &Num) -> usize {
            match number {
                Num::Const(_) | Num::Read(_) => 1,
                Num::Neg(operand) => 1 + num(operand),
                Num::Arith(_, left, right) => 1 + num(left) + num(right),
            }
        }
        fn cond(value: &Cond) -> usize {
            match value {
                Cond::Const(_) => 1,
                Cond::Compare(_, left, right) => 1 + num(left) + num(right),
                Cond::CompareProducts(_, products) => 1 + products.as_flattened().iter().map(num).sum::<usize>(),
                Cond::Not(operand) => 1 + cond(operand),
                Cond::And(left, right) | Cond::Or(left, right) => 1 + cond(left) + cond(right),
            }
        }
        match self {
            Self::Num(number, _) => num(number),
            Self::Cond(value) => cond(value),
            _ => 1,
        }
    }
}

/// Returns the name, if the expression is only a name.
pub(super) fn plain(expr: &Expr) -> Option<&Ident> {
    match &expr.kind {
        super::tree::ExprKind::Name(name) => Some(name),
        _ => None,
    }
}
