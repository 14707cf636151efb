//! The classifier: it chooses the queue of a packet, and the version of the policy.

use super::families::call_of;
use super::scope::{Checker, Place, Scope, Typed, Way};
use super::tree::{ActionKind, Body, Expr, ExprKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Cond, Entry, Num, PacketRef, QueueRef};
use crate::number::Ratio;
use crate::unit::Unit;

/// The definition that chooses the version for a packet.
pub(super) const POLICY_ID: &str = "policyId";

impl<'t> Checker<'t> {
    /// Returns the cases of `classify`; empty if there is none.
    pub(super) fn classifier(&mut self) -> Option<Vec<Entry>> {
        let Some(global) = self.by_name.get("classify").copied() else { return Some(Vec::new()) };
        let (Some(body), Some([param])) = (self.body(global), self.globals[global].params) else { return None };
        self.globals[global].checked = true;
        let mut scope = Scope::new(Place::Classify, &self.globals[global].counters);
        self.bind(param, Typed::Packet(PacketRef::This), &mut scope);
        self.entries(body, None, &mut scope)
    }

    /// Returns the version that `policyId` chooses; `Some(None)` if there is no such definition.
    pub(super) fn chosen_version(&mut self) -> Option<Option<Num>> {
        let Some(global) = self.by_name.get(POLICY_ID).copied() else { return Some(None) };
        let (Some(Body::Expr(expr)), Some([param])) = (self.body(global), self.globals[global].params) else {
            return None;
        };
        self.globals[global].checked = true;
        let mut scope = Scope::new(Place::Classify, &self.globals[global].counters);
        self.bind(param, Typed::Packet(PacketRef::This), &mut scope);
        let (number, unit) = self.number(expr, &mut scope)?;
        if unit != Unit::None {
            let message = format!(
                "a version is a number 1, 2, … without unit, and this is measured in {}",
                crate::unit::called(unit)
            );
            self.sink.say(
                Diagnostic::error(Code::WrongUnit, expr.span, message)
                    .help("take a property without unit, for example `policyId(p) = p.class`"),
            );
            return None;
        }
        Some(Some(number))
    }

    /// Returns the cases of `classify`, or of `next` of a port.
    pub(super) fn entries(&mut self, body: &'t Body, port: Option<usize>, scope: &mut Scope) -> Option<Vec<Entry>> {
        let what = if port.is_some() { "next" } else { "classify" };
        match body {
            Body::Missing => None,
            Body::Let(name, value, inner) => {
                self.bind_let(name, value, scope);
                self.entries(inner, port, scope)
            }
            Body::Cases(cases) => {
                let entries: Vec<Option<Entry>> = cases
                    .iter()
                    .map(|case| {
                        scope.nodes = 0;
                        let when = self.truth(&case.when, scope);
                        for action in &case.actions {
                            if !matches!(action.kind, ActionKind::Enter(_)) {
                                let message = format!("`{what}` only says which queue a packet enters");
                                let said = Diagnostic::error(Code::WrongPlace, action.span, message);
                                self.sink.say(
                                    said.here("this action is not allowed here")
                                        .help("write `enter(queue)`; `congestion` can drop and mark"),
                                );
                                return None;
                            }
                        }
                        let mut actions = case.actions.iter();
                        let (Some(first), second) = (actions.next(), actions.next()) else { return None };
                        if let Some(second) = second {
                            let said = Diagnostic::error(Code::WrongPlace, second.span, "a packet enters one queue");
                            self.sink.say(said.here("this is the second").label(first.span, "the first"));
                            return None;
                        }
                        let ActionKind::Enter(queue) = &first.kind else { return None };
                        let entry = self.entered(queue, port, scope)?;
                        Some(Entry { when: when?, ..entry })
                    })
                    .collect();
                entries.into_iter().collect()
            }
            Body::Expr(expr) => match call_of(expr) {
                Some((name, [queue])) if name.text == "enter" => Some(vec![self.entered(queue, port, scope)?]),
                _ => {
                    let message = format!("`{what}` needs the action `enter`");
                    let said = Diagnostic::error(Code::WrongKind, expr.span, message).here("no queue is entered");
                    let help = format!("write `{what}(p) = (p.class >= 40, enter(voice)).(true, enter(rest))`");
                    self.sink.say(said.help(help));
                    None
                }
            },
        }
    }

    /// Returns the case of an `enter` that holds for every packet.
    fn entered(&mut self, queue: &'t Expr, port: Option<usize>, scope: &mut Scope) -> Option<Entry> {
        let entry = self.named_or_chosen(queue, scope)?;
        self.ways.push(Way { port, queues: entry.queues.clone(), span: queue.span });
        Some(entry)
    }

    fn named_or_chosen(&mut self, queue: &'t Expr, scope: &mut Scope) -> Option<Entry> {
        let when = Cond::Const(true);
        if let ExprKind::Index(of, index) = &queue.kind
            && !matches!(index.kind, ExprKind::Range(..))
        {
            let (index, _) = self.number(index, scope)?;
            if !matches!(index, Num::Const(_)) {
                return self.chosen(of, queue, index);
            }
        }
        match self.typed(queue, scope) {
            Typed::Queue(QueueRef::Named(id)) => {
                Some(Entry { when, queues: vec![id], first: 0, index: Num::Const(Ratio::from_integer(0)) })
            }
            Typed::Unknown => None,
            other => {
                let message = format!("a packet enters a queue, not {}", other.called());
                self.sink.say(
                    Diagnostic::error(Code::WrongKind, queue.span, message).here(format!("this is {}", other.called())),
                );
                None
            }
        }
    }

    /// Returns the case of a member of a family that an index chooses for each packet.
    fn chosen(&mut self, of: &'t Expr, queue: &'t Expr, index: Num) -> Option<Entry> {
        let family = self.family_name(of)?;
        let members = self.queues_of(&family.text);
        let (Some((first, _)), Some((last, _))) = (members.first_key_value(), members.last_key_value()) else {
            // Says that there is no such family.
            self.existing_member(family, 1, queue.span);
            return None;
        };
        let count = i64::try_from(members.len()).expect("fewer than 2^63 members");
        if last - first + 1 != count {
            let message = format!("`{}` has gaps between its members {first} to {last}", family.text);
            let said = Diagnostic::error(Code::NoMember, queue.span, message).here("an index can fall into a gap");
            self.sink.say(said.help("number the members without gaps"));
            return None;
        }
        self.spend(members.len(), queue.span)?;
        if let Some(member) = self.by_name.get(&format!("{}{first}", family.text)).copied() {
            self.refer(member, family);
        }
        Some(Entry { when: Cond::Const(true), first: *first, queues: members.into_values().collect(), index })
    }
}
