//! Checks whether comparators are orders (`docs/openqueue-semantics.md`, 4.1).

use super::families::call_of;
use super::scope::{Checker, GlobalKind};
use super::tree::{Body, Expr, ExprKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Comparator, Cond, Known, Relation, exact_products, is_proved, keys_of, order};
use rowan::TextRange;

/// The longest chain of comparators that only name another one.
const MAX_NAMES: usize = 16;

/// The most comparators that are searched for counterexamples; a loop can make more, of the same form.
const MAX_SEARCHES: usize = 200;

impl<'t> Checker<'t> {
    /// Checks a comparator; called once for each object that has it. `expr` is its expression in the text.
    pub(super) fn finished_order(&mut self, name: String, before: Cond, expr: &'t Expr) -> Comparator {
        let before = exact_products(before);
        // Members of a family have the same one, and a search for a counterexample takes some milliseconds.
        if !before.parameters().is_empty() {
            return self.live_order(name, before, expr);
        }
        let key = before.to_string();
        let known = self.orders.get(&key).cloned();
        let keys = known.unwrap_or_else(|| {
            let found = if self.searches < MAX_SEARCHES {
                order(&before)
            } else {
                Ok(keys_of(&before).map_or(Known::NotRefuted, Known::ByKeys))
            };
            self.searches += usize::from(matches!(found, Ok(Known::NotRefuted) | Err(_)));
            let keys = match found {
                Ok(Known::ByKeys(keys)) => Some(keys),
                Ok(Known::Proved) => None,
                Ok(Known::NotRefuted) => {
                    self.warn_of_unproved(expr);
                    None
                }
                Err(counterexample) => {
                    let written = self.written_as(expr);
                    let said = Diagnostic::error(
                        Code::NoOrder,
                        written.span,
                        format!("this is not an order: {counterexample}"),
                    );
                    self.sink.say(match self.strict(&before, written) {
                        Some((span, relation)) => {
                            let said = said.here("two equal objects would each come before the other");
                            said.help(format!("write `{relation}`")).replace(span, relation.to_string())
                        }
                        None if has_products(&before) => {
                            said.here("a factor can be 0, and then all are equal to it").help(
                                "compare ratios whose denominator is never 0: \
                             `(a.value * max(b.remaining, 1) > b.value * max(a.remaining, 1))`",
                            )
                        }
                        None => said.here("a comparator says which of two comes first").help(
                            "compare one property, and another one only if the first is equal: \
                             `(a.value > b.value || a.value == b.value && a.arrival < b.arrival)`",
                        ),
                    });
                    None
                }
            };
            self.orders.insert(key, keys.clone());
            keys
        });
        Comparator { name, before, keys }
    }

    /// Checks a comparator that reads live parameters; it runs by comparing.
    fn live_order(&mut self, name: String, before: Cond, expr: &'t Expr) -> Comparator {
        let key = before.to_string();
        if self.searches < MAX_SEARCHES && self.orders.insert(key, None).is_none() {
            self.searches += 1;
            if let Some((values, counterexample)) = self.refuted_while_live(&before) {
                let message = format!("this is not an order with {values}: {counterexample}");
                let said = Diagnostic::error(Code::NoOrder, self.written_as(expr).span, message);
                self.sink.say(said.here("a comparator must be an order for all values of its live params").help(
                    "compare one number of each, such as `a.schedState + K * a.currSize < b.schedState + K * b.currSize`",
                ));
            } else if !is_proved(&before) {
                self.warn_of_unproved(expr);
            }
        }
        Comparator { name, before, keys: None }
    }

    /// Warns that a comparator is neither proved to be an order nor refuted.
    fn warn_of_unproved(&mut self, expr: &'t Expr) {
        let message = "this could not be proved to be an order; a search found no counterexample";
        let said = Diagnostic::error(Code::UnprovedOrder, self.written_as(expr).span, message);
        self.sink.warn(said.here("at run time, all objects are compared with each other").help(
            "compare one number of each object, and further numbers among equals, or ratios with a denominator above 0; \
             only such orders have faster structures, and targets that sort packets reject others",
        ));
    }

    /// Returns the expression that a chain of comparator names leads to.
    fn written_as(&self, mut expr: &'t Expr) -> &'t Expr {
        for _ in 0..MAX_NAMES {
            let global = call_of(expr).and_then(|(name, _)| self.by_name.get(&name.text));
            let named = global
                .filter(|global| matches!(self.globals[**global].kind, GlobalKind::Comparator | GlobalKind::Value));
            match named.and_then(|global| self.body(*global)) {
                Some(Body::Expr(inner)) => expr = inner,
                _ => break,
            }
        }
        expr
    }

    /// Returns the only `<=` or `>=` that can be made strict to get an order, if there is one.
    fn strict(&self, before: &Cond, written: &Expr) -> Option<(TextRange, Relation)> {
        let mut found = Vec::new();
        relations(written, &mut found);
        let [(relation, left, right)] = found[..] else { return None };
        order(&stricter(before)).ok()?;
        let between = TextRange::new(left.span.end(), right.span.start());
        let text = self.source(between);
        let at = text.find(relation.word()).filter(|_| !text.contains("//"))?;
        let start = between.start() + rowan::TextSize::try_from(at).ok()?;
        let strict = if relation == Relation::LessEqual { Relation::Less } else { Relation::Greater };
        Some((TextRange::at(start, rowan::TextSize::of(relation.word())), strict))
    }
}

/// Whether the comparator compares products of both objects' numbers.
fn has_products(before: &Cond) -> bool {
    match before {
        Cond::CompareProducts(..) => true,
        Cond::Const(_) | Cond::Compare(..) => false,
        Cond::Not(operand) => has_products(operand),
        Cond::And(left, right) | Cond::Or(left, right) => has_products(left) || has_products(right),
    }
}

/// Collects the relations `<=` and `>=` of an expression.
fn relations<'t>(expr: &'t Expr, found: &mut Vec<(Relation, &'t Expr, &'t Expr)>) {
    match &expr.kind {
        ExprKind::Relation(relation @ (Relation::LessEqual | Relation::GreaterEqual), left, right) => {
            found.push((*relation, left, right));
        }
        ExprKind::And(left, right) | ExprKind::Or(left, right) => {
            relations(left, found);
            relations(right, found);
        }
        ExprKind::Not(inner) => relations(inner, found),
        _ => {}
    }
}

/// Replaces `<=` and `>=` by `<` and `>`.
fn stricter(before: &Cond) -> Cond {
    let both = |left: &Cond, right: &Cond| (Box::new(stricter(left)), Box::new(stricter(right)));
    match before {
        Cond::Compare(Relation::LessEqual, left, right) => Cond::Compare(Relation::Less, left.clone(), right.clone()),
        Cond::Compare(Relation::GreaterEqual, left, right) => {
            Cond::Compare(Relation::Greater, left.clone(), right.clone())
        }
        Cond::CompareProducts(Relation::LessEqual, products) => Cond::CompareProducts(Relation::Less, products.clone()),
        Cond::CompareProducts(Relation::GreaterEqual, products) => {
            Cond::CompareProducts(Relation::Greater, products.clone())
        }
        Cond::Const(_) | Cond::Compare(..) | Cond::CompareProducts(..) => before.clone(),
        Cond::Not(inner) => Cond::Not(Box::new(stricter(inner))),
        Cond::And(left, right) => {
            let (left, right) = both(left, right);
            Cond::And(left, right)
        }
        Cond::Or(left, right) => {
            let (left, right) = both(left, right);
            Cond::Or(left, right)
        }
    }
}
