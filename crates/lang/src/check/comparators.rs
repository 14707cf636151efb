//! Comparators: from an assignment to an order.

use super::calls::library_name;
use super::families::call_of;
use super::properties::Owner;
use super::scope::{Checker, GlobalKind, Leads, Local, Place, Scope, Typed};
use super::tree::{Body, Expr, Ident};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{
    Comparator, Cond, NextField, Num, PacketField, PacketRef, QueueField, QueueRef, Read, Relation, keys_of,
};
use crate::symbol::SymbolKind;
use crate::unit::Unit;
use rowan::TextRange;

impl<'t> Checker<'t> {
    /// Returns the order that an assignment gives to packets or queues.
    ///
    /// `unit` is the unit of the queues' sizes, `None` if these differ.
    pub(super) fn order(&mut self, assignment: usize, owner: Owner, unit: Option<Unit>) -> Option<Comparator> {
        let (body, params, target, counters, name) = {
            let given = &self.objects.assignments[assignment];
            let name = format!("{}.{}", given.object, given.property.text);
            (given.body, given.params, given.target, given.counters.clone(), name)
        };
        let place = if owner == Owner::Packet { Place::PacketOrder } else { Place::QueueOrder };
        let mut scope = Scope::new(place, &counters);
        scope.queue_unit = unit.unwrap_or(Unit::None);
        scope.because = Some((target, format!("assigned here, where {}s are compared", owner.name())));
        let (name, before, expr) = match (body, params) {
            (Body::Missing, _) => return None,
            (Body::Let(..) | Body::Cases(_), _) => {
                let span = body.span().unwrap_or(target);
                let said =
                    Diagnostic::error(Code::WrongKind, span, "a comparator is needed here, not a boundary condition");
                self.sink.say(said.here("this has actions").help("write `q.admPrio(p1, p2) = (p1.value < p2.value)`"));
                return None;
            }
            (Body::Expr(expr), None | Some([])) => {
                let (name, before) = self.named_order(expr, target, owner, &mut scope)?;
                (name, before, expr)
            }
            (Body::Expr(expr), Some([first, second])) => {
                self.distinct(first, second)?;
                scope.because = None;
                let objects = sides(owner);
                for (param, value) in [first, second].into_iter().zip(objects) {
                    self.bind(param, value, &mut scope);
                }
                let before = self.truth(expr, &mut scope)?;
                (alias(expr, first, second).unwrap_or(name), before, expr)
            }
            (Body::Expr(_), Some(params)) => {
                self.wrong_count_of_params(target, "a comparator has two parameters", params.len());
                return None;
            }
        };
        self.one_measure(&before, unit, expr.span)?;
        Some(self.finished_order(name, before, expr))
    }

    /// Reports reads of queue sizes if not all queues are measured in the same unit.
    pub(super) fn one_measure(&mut self, cond: &Cond, unit: Option<Unit>, span: TextRange) -> Option<()> {
        let [own, next] = reads_sizes(cond);
        if (unit.is_some() || !own) && (self.leads != Leads::To(None) || !next) {
            return Some(());
        }
        let message = "these queues are not measured in the same unit, so that their sizes cannot be compared";
        let said = Diagnostic::error(Code::WrongUnit, span, message).here("this compares sizes");
        self.sink.say(said.help("give all queues sizes in packets, or all in bytes"));
        None
    }

    /// Lowers a comparator that is named, with or without empty parentheses.
    fn named_order(
        &mut self,
        expr: &'t Expr,
        target: TextRange,
        owner: Owner,
        scope: &mut Scope,
    ) -> Option<(String, Cond)> {
        let Some((name, arguments)) = call_of(expr) else {
            let said = Diagnostic::error(
                Code::WrongKind,
                expr.span,
                "a comparator needs names for the two objects that it compares",
            );
            let said = said.here("no name is given to either");
            let target_text = self.source(target);
            let said = said.help(format!("write `{target_text}(p1, p2) = …`, and use `p1` and `p2` after the `=`"));
            let text = self.source(expr.span);
            let names_them = text.contains("p1.") && text.contains("p2.");
            self.sink.say(if names_them { said.insert(target.end(), "(p1, p2)") } else { said });
            return None;
        };
        if !self.by_name.contains_key(&name.text) && library_name(expr).is_none() {
            self.unknown(name, scope);
            return None;
        }
        if !arguments.is_empty() {
            let said =
                Diagnostic::error(Code::WrongArguments, target, "the two objects that are compared have no names here");
            let named = |argument: &Expr| super::names::plain(argument).map(|name| name.text.clone());
            let both = match arguments {
                [first, second] => named(first).zip(named(second)),
                _ => None,
            };
            let help = format!("write `{} = {}`, or name both before the `=`", self.source(target), name.text);
            let said = said.here("`(p1, p2)` is missing after this").help(help);
            self.sink.say(match both {
                Some((first, second)) => said.insert(target.end(), format!("({first}, {second})")),
                None => said,
            });
            return None;
        }
        let Some(global) = self.by_name.get(&name.text).copied() else {
            if let Some((name, _)) = library_name(expr).filter(|(name, _)| name.text != "tailDrop") {
                self.symbols.refer_brought(&name.text, name.span);
                let before = self.library_order(name, &sides(owner), scope)?;
                return Some((name.text.clone(), before));
            }
            self.not_an_order(name, "a boundary condition");
            return None;
        };
        self.refer(global, name);
        match self.globals[global].kind {
            GlobalKind::Comparator => {
                let before = self.compared(Some(global), name, sides(owner), scope)?;
                Some((name.text.clone(), before))
            }
            // Another name for a comparator.
            GlobalKind::Value => {
                let Some(Body::Expr(expr)) = self.body(global) else { return None };
                if !self.enter(global, name) {
                    return None;
                }
                self.globals[global].checked = true;
                let order = self.named_order(expr, target, owner, scope);
                self.leave();
                order
            }
            GlobalKind::Broken => None,
            kind => {
                self.not_an_order(
                    name,
                    match kind {
                        GlobalKind::Condition | GlobalKind::Classifier => "a boundary condition",
                        GlobalKind::Version => "the choice of a version",
                        GlobalKind::Routine(_) => "an action",
                        GlobalKind::Object(id) => id.owner.name(),
                        _ => "a constant",
                    },
                );
                None
            }
        }
    }

    fn not_an_order(&mut self, name: &Ident, what: &str) {
        let message = format!("a comparator is needed here, and `{}` is not one", name.text);
        let said = Diagnostic::error(Code::WrongKind, name.span, message).here(format!("this is {what}"));
        self.sink.say(said.help("a comparator is defined by `name(p1, p2) = (p1.value > p2.value)`"));
    }

    /// Returns the condition of `fifo` or `rfifo`, if the file does not define it.
    pub(super) fn library_order(&mut self, name: &Ident, objects: &[Typed; 2], scope: &Scope) -> Option<Cond> {
        let relation = if name.text == "fifo" { Relation::Less } else { Relation::Greater };
        let [Typed::Packet(first), Typed::Packet(second)] = objects else {
            let owner = objects[0].owner().unwrap_or(Owner::Queue);
            let message = format!("`{}` compares packets, not {}s", name.text, owner.name());
            let said = Diagnostic::error(Code::WrongKind, name.span, message);
            let help = "queues can be compared by their next packets: `q1.findHigh().arrival < q2.findHigh().arrival`";
            self.sink.say(said.here(format!("{}s are compared here", owner.name())).help(help));
            return None;
        };
        let arrival = |packet| Read::Packet(packet, PacketField::Arrival);
        let readable =
            self.may_read(arrival(*first), name.span, scope) && self.may_read(arrival(*second), name.span, scope);
        readable.then(|| Cond::Compare(relation, Num::Read(arrival(*first)), Num::Read(arrival(*second))))
    }

    /// Returns the default order of a queue, port or buffer.
    pub(super) fn default_order(&mut self, owner: Owner, name: &str, relation: Relation) -> Comparator {
        let arrival = |packet| Num::Read(Read::Packet(packet, PacketField::Arrival));
        let [first, second] = match owner {
            Owner::Packet => [PacketRef::First, PacketRef::Second],
            _ => [PacketRef::Head(QueueRef::First), PacketRef::Head(QueueRef::Second)],
        };
        let before = Cond::Compare(relation, arrival(first), arrival(second));
        let keys = self.orders.entry(before.to_string()).or_insert_with(|| keys_of(&before)).clone();
        Comparator { name: name.to_owned(), before, keys }
    }

    /// Checks that two parameters have different names.
    pub(super) fn distinct(&mut self, first: &Ident, second: &Ident) -> Option<()> {
        if first.text != second.text {
            return Some(());
        }
        let message = format!("both parameters are called `{}`", second.text);
        let said = Diagnostic::error(Code::DefinedTwice, second.span, message).here("here again");
        self.sink.say(said.label(first.span, "first used here").help("write, for example, `(p1, p2)`"));
        None
    }

    /// Binds a parameter to its value.
    pub(super) fn bind(&mut self, param: &Ident, value: Typed, scope: &mut Scope) {
        let what = value.called();
        let symbol = self.symbols.define(param, SymbolKind::Local, || format!("**{}**: {what}", param.text));
        scope.locals.push(Local { name: param.text.clone(), value, symbol });
    }
}

/// Returns the two objects of a comparator.
pub(super) fn sides(owner: Owner) -> [Typed; 2] {
    if owner == Owner::Packet {
        [Typed::Packet(PacketRef::First), Typed::Packet(PacketRef::Second)]
    } else {
        [Typed::Queue(QueueRef::First), Typed::Queue(QueueRef::Second)]
    }
}

/// Returns the name of a comparator that another one only calls.
fn alias(expr: &Expr, first: &Ident, second: &Ident) -> Option<String> {
    let (name, [left, right]) = call_of(expr)? else { return None };
    let (left, right) = (&super::names::plain(left)?.text, &super::names::plain(right)?.text);
    if (left, right) == (&first.text, &second.text) {
        Some(name.text.clone())
    } else {
        ((left, right) == (&second.text, &first.text)).then(|| format!("reverse {}", name.text))
    }
}

/// Whether sizes are read: those of the queues, and those of the queues of the next stage.
fn reads_sizes(cond: &Cond) -> [bool; 2] {
    let mut found = [false; 2];
    cond.reads(&mut |read| {
        found[0] |= matches!(read, Read::Queue(_, QueueField::Size | QueueField::CurrSize));
        found[1] |= matches!(read, Read::Next(_, NextField::Size | NextField::CurrSize));
    });
    found
}
