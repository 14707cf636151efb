//! Boundary conditions: from an assignment to cases with actions.

use super::families::call_of;
use super::objects::ObjectId;
use super::properties::{Member, Owner};
use super::scope::{Checker, GlobalKind, Local, Place, Scope, Typed, this};
use super::tree::{ActionKind, Body, Expr, ExprKind, Ident};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{
    Action, Arith, BufferField, BufferRef, Case, Cond, Condition, Num, PacketField, PacketRef, PortField, QueueField,
    QueueRef, Read, Relation, State,
};
use crate::number::Ratio;
use crate::symbol::SymbolKind;
use crate::unit::Unit;
use rowan::TextRange;

/// A case and the range of its condition.
pub(super) type Placed = (Case, TextRange);

impl<'t> Checker<'t> {
    /// Returns the boundary condition that an assignment gives to an object.
    pub(super) fn condition(&mut self, assignment: usize, id: ObjectId) -> Option<Condition> {
        let (body, params, target, counters, name) = {
            let given = &self.objects.assignments[assignment];
            let name = format!("{}.{}", given.object, given.property.text);
            (given.body, given.params, given.target, given.counters.clone(), name)
        };
        let mut scope = Scope::new(Place::Condition(id.owner, Some(id)), &counters);
        match params {
            None | Some([]) => {}
            Some([param]) => self.bind(param, this(id.owner), &mut scope),
            Some(params) => {
                self.wrong_count_of_params(target, "a boundary condition has one parameter", params.len());
                return None;
            }
        }
        if matches!(body, Body::Expr(_)) {
            scope.because = Some((target, format!("assigned here, to a {}", id.owner.name())));
        }
        let (alias, cases) = self.cases(body, &mut scope)?;
        Some(self.finished_condition(alias.unwrap_or(name), cases))
    }

    /// Returns the cases of a body, and the name of the condition if it has one.
    pub(super) fn cases(&mut self, body: &'t Body, scope: &mut Scope) -> Option<(Option<String>, Vec<Placed>)> {
        match body {
            Body::Missing => None,
            Body::Let(name, value, inner) => {
                self.bind_let(name, value, scope);
                self.cases(inner, scope)
            }
            Body::Cases(cases) => {
                let mut all = Vec::new();
                let mut complete = true;
                for case in cases {
                    scope.nodes = 0;
                    let when = self.truth(&case.when, scope);
                    let actions: Vec<Option<Action>> =
                        case.actions.iter().map(|action| self.action(&action.kind, action.span, scope)).collect();
                    let actions: Option<Vec<Action>> = actions.into_iter().collect();
                    match (when, actions) {
                        (Some(when), Some(actions)) => all.push((Case { when, actions }, case.when.span)),
                        _ => complete = false,
                    }
                }
                complete.then_some((None, all))
            }
            Body::Expr(expr) => self.named_condition(expr, scope),
        }
    }

    pub(super) fn bind_let(&mut self, name: &Ident, value: &'t Expr, scope: &mut Scope) {
        let value = self.typed(value, scope);
        if value == Typed::Queue(QueueRef::Current) {
            scope.bare = Some(QueueRef::Current);
        }
        let what = value.called();
        let symbol = self.symbols.define(name, SymbolKind::Local, || format!("**{}**: {what}", name.text));
        scope.locals.push(Local { name: name.text.clone(), value, symbol });
    }

    fn named_condition(&mut self, expr: &'t Expr, scope: &mut Scope) -> Option<(Option<String>, Vec<Placed>)> {
        let Place::Condition(owner, _) = scope.place else { return None };
        let Some((name, arguments)) = call_of(expr) else {
            let said = Diagnostic::error(Code::WrongKind, expr.span, "a boundary condition is needed here");
            self.sink.say(
                said.here("this has no action")
                    .help("write `(condition, action)`, for example `(q.currSize >= q.size, drop(1))`"),
            );
            return None;
        };
        let Some(global) = self.by_name.get(&name.text).copied() else {
            if name.text != "tailDrop" {
                match super::calls::library_name(expr) {
                    Some(_) => self.not_a_condition(name, "a comparator"),
                    None => self.unknown(name, scope),
                }
                return None;
            }
            self.symbols.refer_brought("tailDrop", name.span);
            if owner == Owner::Port {
                self.sink.say(cannot_drop(name.span));
                return None;
            }
            self.own_argument(arguments, name, scope)?;
            let Place::Condition(_, Some(id)) = scope.place else { return Some((None, Vec::new())) };
            let condition = self.tail_drop(id)?;
            return Some((Some(condition.name), condition.cases.into_iter().map(|case| (case, expr.span)).collect()));
        };
        self.refer(global, name);
        match self.globals[global].kind {
            GlobalKind::Condition => {}
            // Another name for a condition.
            GlobalKind::Value if arguments.is_empty() => {}
            GlobalKind::Broken => return None,
            kind => {
                self.not_a_condition(
                    name,
                    match kind {
                        GlobalKind::Comparator => "a comparator",
                        GlobalKind::Object(id) => id.owner.name(),
                        GlobalKind::Classifier => "the classifier",
                        GlobalKind::Version => "the choice of a version",
                        GlobalKind::Routine(_) => "an action",
                        _ => "a value",
                    },
                );
                return None;
            }
        }
        self.own_argument(arguments, name, scope)?;
        let params = self.globals[global].params;
        if !self.enter(global, name) {
            return None;
        }
        self.globals[global].checked = true;
        let mut inner = Scope::new(scope.place, &self.globals[global].counters);
        inner.because = scope.because.clone();
        if let Some([param, ..]) = params {
            self.bind(param, this(owner), &mut inner);
        }
        let cases = self.body(global).and_then(|body| self.cases(body, &mut inner));
        self.leave();
        cases.map(|(_, cases)| (Some(name.text.clone()), cases))
    }

    /// Checks the argument of a named condition: if there is any, it must be the object of the assignment.
    fn own_argument(&mut self, arguments: &'t [Expr], name: &Ident, scope: &mut Scope) -> Option<()> {
        let Place::Condition(owner, id) = scope.place else { return None };
        let [argument] = arguments else {
            if let (Some(first), Some(last)) = (arguments.first(), arguments.last()) {
                let message = format!("`{}` takes one object", name.text);
                self.wrong_count(first.span.cover(last.span), &message, arguments.len());
                return None;
            }
            return Some(());
        };
        let value = match &argument.kind {
            // `q[1..k].congestion = tailDrop(q[1..k])`
            ExprKind::Index(of, index) if matches!(index.kind, ExprKind::Range(..)) => {
                let family = self.family_name(of)?;
                let own = id.filter(|id| id.owner == Owner::Queue);
                if own.is_some_and(|id| self.is_in_family(id.index, &family.text)) {
                    this(owner)
                } else {
                    Typed::Cond(Cond::Const(false))
                }
            }
            _ => self.typed(argument, scope),
        };
        if value == Typed::Unknown {
            return None;
        }
        if value != this(owner) {
            let message = "the argument of a condition is the object that it is assigned to";
            let said = Diagnostic::error(Code::WrongArguments, argument.span, message).here("this is something else");
            let said = said.help(format!("write `{0}`, or name the {1} itself", name.text, owner.name()));
            self.sink.say(match &scope.because {
                Some((span, text)) => said.label(*span, text.clone()),
                None => said,
            });
            return None;
        }
        Some(())
    }

    fn not_a_condition(&mut self, name: &Ident, what: &str) {
        let message = format!("a boundary condition is needed here, and `{}` is not one", name.text);
        let said = Diagnostic::error(Code::WrongKind, name.span, message).here(format!("this is {what}"));
        self.sink.say(said.help("a condition is defined by `name(q) = (condition, action)`"));
    }

    fn action(&mut self, action: &'t ActionKind, span: TextRange, scope: &mut Scope) -> Option<Action> {
        let Place::Condition(owner, _) = scope.place else { return None };
        match action {
            ActionKind::Drop(probability) => {
                let value = self.probability(probability, scope);
                if owner == Owner::Port {
                    let said = cannot_drop(span);
                    self.sink.say(match &scope.because {
                        Some((span, text)) => said.label(*span, text.clone()),
                        None => said,
                    });
                    return None;
                }
                value.map(Action::Drop)
            }
            ActionKind::Routine(name, arguments) => self.routine(name, arguments, scope),
            ActionKind::Mark => Some(Action::Mark),
            ActionKind::Notify => Some(Action::Notify),
            ActionKind::Enter(_) => {
                let said = Diagnostic::error(
                    Code::WrongPlace,
                    span,
                    "`enter` stands only in `classify` and in `next` of a port",
                );
                self.sink.say(said.help(
                    "a packet is directed once: `classify(p) = (p.class >= 40, enter(voice)).(true, enter(rest))`",
                ));
                None
            }
            ActionKind::Modify(target, value) => {
                let state = self.state(target, scope);
                let value = match value {
                    Some(value) => self.number(value, scope).map(|(value, _)| value),
                    None => state.map(|state| {
                        let one = Box::new(Num::Const(Ratio::from_integer(1)));
                        Num::Arith(Arith::Add, Box::new(Num::Read(read_of(state))), one)
                    }),
                };
                Some(Action::Modify(state?, value?))
            }
        }
    }

    fn probability(&mut self, expr: &'t Expr, scope: &mut Scope) -> Option<Num> {
        let (number, unit) = self.number(expr, scope)?;
        let known = match &number {
            Num::Const(value) => Some(*value),
            Num::Read(Read::Parameter(id)) => self.initial(*id),
            _ => None,
        };
        match (unit, known) {
            (Unit::Percent, _) => {
                self.percent(expr, "a probability is a fraction");
                None
            }
            (Unit::None, Some(value)) if value < Ratio::from_integer(0) || value > Ratio::from_integer(1) => {
                let said = Diagnostic::error(Code::BadValue, expr.span, "a probability is between 0 and 1");
                self.sink.say(
                    said.here(format!("this is {value}"))
                        .help("`drop(1)` drops always, `drop(.5)` every second time on average"),
                );
                None
            }
            (Unit::None, _) => Some(number),
            (unit, _) => {
                let message =
                    format!("a probability has no unit, and this is measured in {}", crate::unit::called(unit));
                let said = Diagnostic::error(Code::WrongUnit, expr.span, message);
                self.sink.say(said.help("divide by something in the same unit, for example `q.currSize / q.size`"));
                None
            }
        }
    }

    /// Returns the state that `modify` changes.
    fn state(&mut self, target: &'t Expr, scope: &mut Scope) -> Option<State> {
        let (of, name) = match &target.kind {
            ExprKind::Missing => return None,
            ExprKind::Name(name) => {
                let queue = scope.bare.filter(|_| name.text == "schedState");
                if let Some(queue) = queue.filter(|_| scope.locals.iter().all(|local| local.name != name.text)) {
                    self.symbols.refer_brought("queue.schedState", name.span);
                    return Some(State::QueueSched(queue));
                }
                if self.typed(target, scope) != Typed::Unknown {
                    self.sink.say(not_writable(name.span, &name.text));
                }
                return None;
            }
            ExprKind::Field(of, name) => (of, name),
            _ => {
                self.sink.say(not_writable(target.span, "this"));
                return None;
            }
        };
        let object = self.typed(of, scope);
        let property = self.property(&object, of, name, scope)?;
        let state = match (&object, property.member) {
            (Typed::Queue(queue), Member::Queue(QueueField::AdmState)) => Some(State::QueueAdm(*queue)),
            (Typed::Queue(queue), Member::Queue(QueueField::SchedState)) => Some(State::QueueSched(*queue)),
            (Typed::Port(port), Member::Port(PortField::SchedState)) => Some(State::PortSched(*port)),
            (Typed::Buffer(buffer), Member::Buffer(BufferField::AdmState)) => Some(State::BufferAdm(*buffer)),
            (Typed::Packet(PacketRef::Head(queue)), Member::Packet(PacketField::Value)) => {
                Some(State::HeadValue(*queue))
            }
            (Typed::Packet(PacketRef::Arriving), Member::Packet(PacketField::Value)) => Some(State::ArrivingValue),
            _ => None,
        };
        if state.is_none() {
            self.sink.say(not_writable(name.span, &name.text));
        }
        state
    }

    /// Returns the default condition of a queue or buffer (section III-C).
    pub(super) fn tail_drop(&mut self, id: ObjectId) -> Option<Condition> {
        let size = Num::Const(self.size_or_rate(id)?.number);
        let occupancy = Num::Read(match id.owner {
            Owner::Buffer => Read::Buffer(BufferRef::This, BufferField::CurrSize),
            _ => Read::Queue(QueueRef::This, QueueField::CurrSize),
        });
        let when = Cond::Compare(Relation::Greater, occupancy, size);
        let actions = vec![Action::Drop(Num::Const(Ratio::from_integer(1)))];
        Some(Condition { name: "tailDrop".to_owned(), cases: vec![Case { when, actions }] })
    }
}

fn cannot_drop(span: TextRange) -> Diagnostic {
    Diagnostic::error(Code::WrongPlace, span, "`postSchedAct` cannot drop: the packet was served already")
        .help("its actions are `mark`, `notify` and `modify`; packets are dropped in `congestion`")
}

fn not_writable(span: TextRange, name: &str) -> Diagnostic {
    Diagnostic::error(Code::ReadOnly, span, format!("`modify` cannot change `{name}`"))
        .here("this can only be read")
        .help(match name {
            "marked" => "the action `mark` sets it",
            "notified" => "the action `notify` sets it",
            _ => "it changes `admState`, `schedState`, and the `value` of `arriving` and of `q.findHigh()`",
        })
}

/// Returns the read of a state.
fn read_of(state: State) -> Read {
    match state {
        State::QueueAdm(queue) => Read::Queue(queue, QueueField::AdmState),
        State::QueueSched(queue) => Read::Queue(queue, QueueField::SchedState),
        State::PortSched(port) => Read::Port(port, PortField::SchedState),
        State::BufferAdm(buffer) => Read::Buffer(buffer, BufferField::AdmState),
        State::HeadValue(queue) => Read::Packet(PacketRef::Head(queue), PacketField::Value),
        State::ArrivingValue => Read::Packet(PacketRef::Arriving, PacketField::Value),
    }
}
