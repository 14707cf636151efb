//! Definitions that nothing uses: they are checked as well, and reported.

use super::families::call_of;
use super::objects::ObjectId;
use super::properties::{Member, Owner, PROPERTIES};
use super::scope::{Checker, Given, Global, GlobalKind, Leads, Place, Scope};
use super::tree::Body;
use crate::diagnostic::{Code, Diagnostic};

impl<'t> Checker<'t> {
    /// Checks the expressions that no object needed.
    pub(super) fn check_the_rest(&mut self) {
        for index in 0..self.globals.len() {
            let Global { kind, checked, params, ident, .. } = self.globals[index];
            if checked || self.budget == 0 {
                continue;
            }
            let counters = self.globals[index].counters.clone();
            let body = self.body(index);
            match (kind, body) {
                (GlobalKind::Param, _) => {
                    self.param(index, ident);
                }
                (GlobalKind::Comparator, Some(body)) => {
                    let owner = self.compared_owner(body, params.unwrap_or_default());
                    let place = if owner == Owner::Packet { Place::PacketOrder } else { Place::QueueOrder };
                    let mut scope = Scope::new(place, &counters);
                    self.leads = Leads::Unknown;
                    let before = self.compared(Some(index), ident, super::comparators::sides(owner), &mut scope);
                    self.leads = Leads::Nowhere;
                    if let (Some(before), Body::Expr(expr)) = (before, body) {
                        self.finished_order(String::new(), before, expr);
                    }
                }
                (GlobalKind::Condition, Some(body)) => {
                    let params = params.unwrap_or_default();
                    let owner = self.conditioned_owner(body, params);
                    let mut scope = Scope::new(Place::Condition(owner, None), &counters);
                    if let [param] = params {
                        self.bind(param, super::scope::this(owner), &mut scope);
                    }
                    if self.enter(index, ident) {
                        self.cases(body, &mut scope);
                        self.leave();
                    }
                }
                (GlobalKind::Value, Some(Body::Expr(expr))) if !self.is_alias(expr) => {
                    let mut scope = Scope::new(Place::Condition(Owner::Queue, None), &counters);
                    if self.enter(index, ident) {
                        self.typed(expr, &mut scope);
                        self.leave();
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether a named value is another name for a comparator or condition.
    fn is_alias(&self, expr: &super::tree::Expr) -> bool {
        let Some((name, [])) = call_of(expr) else { return false };
        match self.by_name.get(&name.text) {
            Some(global) => {
                matches!(self.globals[*global].kind, GlobalKind::Comparator | GlobalKind::Condition | GlobalKind::Value)
            }
            None => super::calls::library_name(expr).is_some(),
        }
    }

    /// Warns of unused definitions.
    pub(super) fn warn_of_unused(&mut self) {
        for index in 0..self.globals.len() {
            let global = &self.globals[index];
            let what = match global.kind {
                GlobalKind::Param => "constant",
                GlobalKind::Value => "value",
                GlobalKind::Comparator => "comparator",
                GlobalKind::Condition => "condition",
                GlobalKind::Routine(_) => "action",
                GlobalKind::Classifier | GlobalKind::Version | GlobalKind::Object(_) | GlobalKind::Broken => continue,
            };
            if self.symbols.is_used(global.symbol) {
                continue;
            }
            let name = &global.name;
            let said = Diagnostic::error(Code::Unused, global.ident.span, format!("the {what} `{name}` is never used"));
            let said = said.here("this has no effect");
            self.sink.warn(match self.usual_place(global) {
                Some((object, slot)) => said.help(format!("assign it: `{object}.{slot} = {name};`")),
                None => said.help("use it or remove it"),
            });
        }
    }

    /// Returns the object and the property to which a comparator or condition could be assigned.
    fn usual_place(&self, global: &Global<'t>) -> Option<(&str, &'static str)> {
        let Given::Body(body) = global.given else { return None };
        let params = global.params.unwrap_or_default();
        let first = |owner| {
            let object = self.objects.get(ObjectId { owner, index: 0 })?;
            Some(self.globals[object.global].name.as_str())
        };
        let (owner, slot) = match global.kind {
            GlobalKind::Comparator if self.compared_owner(body, params) == Owner::Packet => (Owner::Queue, "procPrio"),
            GlobalKind::Comparator => (Owner::Port, "schedPrio"),
            GlobalKind::Condition => match self.conditioned_owner(body, params) {
                Owner::Port => (Owner::Port, "postSchedAct"),
                owner => (owner, "congestion"),
            },
            _ => return None,
        };
        // A definition that is called like a property was probably meant to be that.
        let named = |owner: Owner| {
            let slots = PROPERTIES.iter().filter(move |property| property.owner == owner);
            slots
                .filter(|property| matches!(property.member, Member::Slot(_)))
                .find(|property| property.name == global.name)
        };
        let same = [owner, Owner::Queue, Owner::Port, Owner::Buffer].into_iter().find_map(named);
        let (owner, slot) = same.map_or((owner, slot), |property| (property.owner, property.name));
        Some((first(owner)?, slot))
    }
}
