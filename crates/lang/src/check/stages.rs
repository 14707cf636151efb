//! Stages of buffers: the queues that a port leads to, and those that it may serve.

use super::objects::ObjectId;
use super::properties::{Member, Slot};
use super::scope::{Checker, Leads, Place, Scope, Typed};
use super::tree::{Body, Ident};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Cond, Next, NextField, Num, PacketRef, Policy, PortId, QueueField, QueueRef, Read};
use crate::unit::Unit;
use forebay_core::QueueId;
use rowan::TextRange;

impl<'t> Checker<'t> {
    /// Returns the queues that a port leads to; `Some(None)` if packets leave from it. After this call, `next` of its queues can be read.
    pub(super) fn next_of_port(&mut self, id: ObjectId) -> Option<Option<Next>> {
        let Some(assignment) = self.slot(id, Slot::Next) else { return Some(None) };
        // Until more is known.
        self.leads = Leads::Unknown;
        let given = &self.objects.assignments[assignment];
        let (body, params, target, counters) = (given.body, given.params, given.target, given.counters.clone());
        let Some([param]) = params else {
            self.in_place(target, "next", "next(p) = enter(q)");
            return None;
        };
        let mut scope = Scope::new(Place::Next, &counters);
        self.bind(param, Typed::Packet(PacketRef::This), &mut scope);
        let next = Next { entries: self.entries(body, Some(id.index), &mut scope)?, eligible: None };
        self.leads = Leads::To(self.unit_of_queues(&next.queues()));
        Some(Some(next))
    }

    /// Adds the condition that says which queues may be served. After this call, `next` of the port's queues cannot be read.
    pub(super) fn with_eligible(
        &mut self,
        id: ObjectId,
        queues: &[QueueId],
        next: Option<Option<Next>>,
    ) -> Option<Option<Next>> {
        let eligible = self.eligible(id, queues);
        self.leads = Leads::Nowhere;
        let eligible = eligible?;
        Some(next?.map(|next| Next { eligible, ..next }))
    }

    fn eligible(&mut self, id: ObjectId, queues: &[QueueId]) -> Option<Option<Cond>> {
        let Some(assignment) = self.slot(id, Slot::Eligible) else { return Some(None) };
        let given = &self.objects.assignments[assignment];
        let (body, params, target, counters) = (given.body, given.params, given.target, given.counters.clone());
        if self.leads == Leads::Nowhere {
            let name = &self.globals[self.objects.get(id)?.global].name;
            let message = format!("`{name}` has no `next`, so that all of its queues may be served");
            let said = Diagnostic::error(Code::WrongPlace, target, message).here("this holds queues back");
            self.sink.say(said.help(format!("write where its packets go: `{name}.next(p) = enter(q)`")));
            return None;
        }
        let Some([param]) = params else {
            self.in_place(target, "eligible", "eligible(q) = q.next.currSize < q.next.size");
            return None;
        };
        let mut scope = Scope::new(Place::Eligible, &counters);
        let unit = self.unit_of_queues(queues);
        scope.queue_unit = unit.unwrap_or(Unit::None);
        self.bind(param, Typed::Queue(QueueRef::This), &mut scope);
        let (eligible, span) = self.held_back(body, &mut scope)?;
        self.one_measure(&eligible, unit, span)?;
        Some(Some(eligible))
    }

    /// Returns the condition of a body, and its range.
    fn held_back(&mut self, body: &'t Body, scope: &mut Scope) -> Option<(Cond, TextRange)> {
        match body {
            Body::Missing => None,
            Body::Let(name, value, inner) => {
                self.bind_let(name, value, scope);
                self.held_back(inner, scope)
            }
            Body::Expr(expr) => Some((self.truth(expr, scope)?, expr.span)),
            Body::Cases(cases) => {
                let span = cases.iter().map(|case| case.when.span).reduce(TextRange::cover).unwrap_or_default();
                let message = "`eligible` is a truth value of a queue, and has no actions";
                let said = Diagnostic::error(Code::WrongKind, span, message).here("this has actions");
                self.sink.say(said.help("write `eligible(q) = q.next.currSize < q.next.size`"));
                None
            }
        }
    }

    /// Reports a property that is not defined where it is assigned.
    fn in_place(&mut self, target: TextRange, name: &str, example: &str) {
        let message = format!("`{name}` is defined where it is assigned, and has one parameter");
        let object = self.source(target).rsplit_once('.').map_or("out", |(object, _)| object);
        let said = Diagnostic::error(Code::WrongArguments, target, message).here("its parameter has no name");
        self.sink.say(said.help(format!("write, for example, `{object}.{example}`")));
    }

    /// Lowers `q.next`, which only the order and the condition of a port with `next` may read.
    pub(super) fn next_of_queue(&mut self, queue: QueueRef, at: &Ident, scope: &Scope) -> Typed {
        let own = match scope.place {
            Place::QueueOrder => matches!(queue, QueueRef::First | QueueRef::Second),
            Place::Eligible => queue == QueueRef::This,
            _ => false,
        };
        if own && self.leads != Leads::Nowhere {
            return Typed::Next(queue);
        }
        let message = "`next` of a queue is known only in `schedPrio` and `eligible` of a port that has a `next`";
        let said = Diagnostic::error(Code::WrongPlace, at.span, message).here("not here");
        let said = said.help("`eligible(q)` reads `q.next`, `schedPrio(q1, q2)` reads `q1.next` and `q2.next`");
        self.sink.say(match &scope.because {
            Some((span, text)) => said.label(*span, text.clone()),
            None => said,
        });
        Typed::Unknown
    }

    /// Lowers a property of `q.next`.
    pub(super) fn read_next(&mut self, queue: QueueRef, member: Member, at: &Ident, scope: &Scope) -> Typed {
        let size = match self.leads {
            Leads::To(Some(unit)) => unit,
            Leads::To(None) | Leads::Unknown | Leads::Nowhere => Unit::None,
        };
        let (field, unit) = match member {
            Member::Queue(QueueField::Size) => (NextField::Size, size),
            Member::Queue(QueueField::CurrSize) => (NextField::CurrSize, size),
            Member::Queue(QueueField::AdmState) => (NextField::AdmState, Unit::None),
            Member::Queue(QueueField::SchedState) => (NextField::SchedState, Unit::None),
            _ => {
                let message = format!("`{}` of a `next` cannot be read", at.text);
                let said = Diagnostic::error(Code::WrongPlace, at.span, message).here("not of the next stage");
                self.sink.say(said.help("`next` has `size`, `currSize`, `admState` and `schedState`"));
                return Typed::Unknown;
            }
        };
        let read = Read::Next(queue, field);
        if self.may_read(read, at.span, scope) { Typed::Num(Num::Read(read), unit) } else { Typed::Unknown }
    }

    /// Reports impossible stages of a policy.
    pub(super) fn check_stages(&mut self, policy: &Policy) {
        if !policy.has_stages() {
            return;
        }
        if let Some(circle) = policy.circle() {
            self.leads_back(policy, &circle);
            return;
        }
        let place = |queue: QueueId| usize::from(queue.0);
        let mut later = vec![true; policy.queues.len()];
        policy.entrances().into_iter().for_each(|queue| later[place(queue)] = false);
        for way in self.ways.clone().iter().filter(|way| way.port.is_none()) {
            let Some(queue) = way.queues.iter().find(|queue| later[place(**queue)]) else { continue };
            let name = &policy.queues[usize::from(queue.0)].name;
            let message = format!("`{name}` belongs to a later stage, and arriving packets cannot enter it");
            let said = Diagnostic::error(Code::Stages, way.span, message).here("`classify` leads there");
            let other = self.ways.iter().find(|other| other.port.is_some() && other.queues.contains(queue));
            let said = other.into_iter().fold(said, |said, other| said.label(other.span, "and so does this port"));
            let help = "give packets that skip a stage a queue of their own at the port of the later stage";
            self.sink.say(said.help(help));
        }
        if policy.classify.is_empty() {
            return;
        }
        let mut alone = vec![true; policy.queues.len()];
        self.ways.iter().flat_map(|way| &way.queues).for_each(|queue| alone[place(*queue)] = false);
        for (queue, declared) in policy.queues.iter().enumerate().filter(|(queue, _)| alone[*queue]) {
            let span = self.globals[self.objects.queues[queue].global].ident.span;
            if self.sink.knows(span, Code::Stages) {
                continue;
            }
            let message = format!("no packet ever enters `{}`", declared.name);
            let said = Diagnostic::error(Code::Stages, span, message);
            let said = said.here("neither `classify` nor a `next` leads there");
            let port = &policy.ports[usize::from(declared.port.0)].name;
            self.sink.say(said.help(format!("let one lead there, or remove the queue from `{port}`")));
        }
    }

    /// Reports ports that lead in a circle.
    fn leads_back(&mut self, policy: &Policy, circle: &[PortId]) {
        let name = |port: &PortId| format!("`{}`", policy.ports[usize::from(port.0)].name);
        let around = circle.iter().chain(circle.first()).map(name).collect::<Vec<_>>().join(" to ");
        // The last of them leads back.
        let (Some(last), Some(first)) = (circle.last(), circle.first()) else { return };
        let back = self.ways.iter().find(|way| {
            let leads = |queue: &QueueId| policy.queues[usize::from(queue.0)].port == *first;
            way.port == Some(usize::from(last.0)) && way.queues.iter().any(leads)
        });
        let Some(back) = back else { return };
        let said = Diagnostic::error(Code::Stages, back.span, format!("the ports form a cycle: from {around}"));
        self.sink.say(
            said.here("this leads back")
                .help("a stage leads only to later ones; packets leave from a port without `next`"),
        );
    }
}
