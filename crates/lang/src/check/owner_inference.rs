//! Infers the kind of object for an unassigned definition from the properties that it uses.

use super::properties::{Owner, PROPERTIES};
use super::scope::Checker;
use super::tree::{ActionKind, Body, Expr, ExprKind, Ident};

/// The greatest depth of calls of other definitions that are followed.
const MAX_CALLS: usize = 8;

/// The properties of the parameters that a definition uses.
#[derive(Default)]
struct Uses<'t> {
    properties: Vec<&'t str>,
    calls: Vec<&'t str>,
    drops: bool,
}

impl<'t> Checker<'t> {
    /// Whether a comparator compares packets or queues.
    pub(super) fn compared_owner(&self, body: &'t Body, params: &'t [Ident]) -> Owner {
        let uses = self.uses(body, params);
        let has = |owner, name: &str| PROPERTIES.iter().any(|known| known.owner == owner && known.name == name);
        let only = |owner, other| uses.properties.iter().filter(|name| has(owner, name) && !has(other, name)).count();
        if only(Owner::Queue, Owner::Packet) > only(Owner::Packet, Owner::Queue) { Owner::Queue } else { Owner::Packet }
    }

    /// Whether a condition belongs to queues, ports or buffers.
    pub(super) fn conditioned_owner(&self, body: &'t Body, params: &'t [Ident]) -> Owner {
        let uses = self.uses(body, params);
        let uses_one = |names: &[&str]| uses.properties.iter().any(|name| names.contains(name));
        if uses_one(&["rate"]) || uses_one(&["currQueue", "getCurrQueue"]) && !uses.drops {
            Owner::Port
        } else if uses_one(&["currQueue", "getCurrQueue"]) {
            Owner::Buffer
        } else {
            Owner::Queue
        }
    }

    fn uses(&self, body: &'t Body, params: &'t [Ident]) -> Uses<'t> {
        let mut uses = Uses::default();
        uses.body(body, params);
        // What it calls has parameters of the same kind.
        let mut next = 0;
        while let Some(name) = uses.calls.get(next).copied().filter(|_| next < MAX_CALLS) {
            next += 1;
            let Some(global) = self.by_name.get(name).copied() else {
                if matches!(name, "fifo" | "rfifo") {
                    uses.properties.push("arrival");
                }
                continue;
            };
            if let (Some(body), Some(params)) = (self.body(global), self.globals[global].params) {
                uses.body(body, params);
            }
        }
        uses
    }
}

impl<'t> Uses<'t> {
    fn body(&mut self, body: &'t Body, params: &'t [Ident]) {
        match body {
            Body::Missing => {}
            Body::Let(_, value, inner) => {
                self.expr(value, params);
                self.body(inner, params);
            }
            Body::Cases(cases) => {
                for case in cases {
                    self.expr(&case.when, params);
                    for action in &case.actions {
                        match &action.kind {
                            ActionKind::Drop(value) => {
                                self.drops = true;
                                self.expr(value, params);
                            }
                            ActionKind::Enter(value) => self.expr(value, params),
                            ActionKind::Modify(target, value) => {
                                self.expr(target, params);
                                if let Some(value) = value {
                                    self.expr(value, params);
                                }
                            }
                            ActionKind::Routine(_, values) => values.iter().for_each(|value| self.expr(value, params)),
                            ActionKind::Mark | ActionKind::Notify => {}
                        }
                    }
                }
            }
            Body::Expr(expr) => self.expr(expr, params),
        }
    }

    fn expr(&mut self, expr: &'t Expr, params: &'t [Ident]) {
        match &expr.kind {
            ExprKind::Missing | ExprKind::Number(..) | ExprKind::Truth(_) | ExprKind::Name(_) => {}
            ExprKind::Field(of, name) => {
                if super::names::plain(of).is_some_and(|of| params.iter().any(|param| param.text == of.text)) {
                    self.properties.push(&name.text);
                }
                self.expr(of, params);
            }
            ExprKind::Neg(inner) | ExprKind::Not(inner) => self.expr(inner, params),
            ExprKind::Call(callee, arguments) => {
                let direct = arguments.iter().all(|argument| super::names::plain(argument).is_some());
                match &callee.kind {
                    ExprKind::Name(name) if direct => self.calls.push(&name.text),
                    _ => self.expr(callee, params),
                }
                for argument in arguments {
                    self.expr(argument, params);
                }
            }
            ExprKind::Index(left, right)
            | ExprKind::Range(left, right)
            | ExprKind::Arith(_, left, right)
            | ExprKind::Relation(_, left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right) => {
                self.expr(left, params);
                self.expr(right, params);
            }
        }
    }
}
