//! Expands loops and families: from statements to definitions and assignments.

use super::BUDGET;
use super::classify::POLICY_ID;
use super::families::call_of;
use super::objects::{Assignment, constructor};
use super::properties::{BUILTINS, Owner};
use super::scope::{Checker, Counters, Given, Global, GlobalKind, Local, Place, Scope, Typed};
use super::symbols::SymbolId;
use super::tree::{Body, Expr, ExprKind, Ident, Statement};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::Num;
use crate::number::Ratio;
use crate::symbol::SymbolKind;
use crate::unit::Unit;
use rowan::TextRange;
use std::rc::Rc;

/// The cost of a statement in steps of the budget.
const COST_OF_A_STATEMENT: usize = 20;

/// The number of letters of a range that cost a step of the budget.
const LETTERS_OF_A_STEP: usize = 8;

/// Returns how often statements in loops are expanded, for ranges whose ends are numbers.
fn turns(statement: &Statement) -> usize {
    let Statement::For { range, body, .. } = statement else { return 1 };
    let number = |end: &Expr| match &end.kind {
        ExprKind::Number(Ok(number), _) => Some(number.to_integer()),
        _ => None,
    };
    let ends = range.as_ref().and_then(|(first, last)| Some((number(first)?, number(last)?)));
    let own = ends.map_or(1, |(first, last)| usize::try_from((last - first).saturating_add(1)).unwrap_or(1));
    // A loop without a body has its turns too.
    body.iter().map(turns).fold(0, usize::saturating_add).max(1).saturating_mul(own)
}

impl<'t> Checker<'t> {
    /// Collects constants and named values first, since ranges use them, then all others in their order.
    pub(super) fn collect(&mut self, statements: &'t [Statement]) {
        let none = Counters::default();
        for statement in statements {
            match statement {
                Statement::Param { name, value, span } => self.define_param(name, value, *span),
                Statement::Extern { name, params, span } => self.declare_routine(name, params, *span),
                Statement::Definition { target, params, body, span } if is_value(target, params.as_deref(), body) => {
                    if let ExprKind::Name(name) = &target.kind {
                        self.define(name, None, params.as_deref(), body, *span, &none);
                    }
                }
                _ => {}
            }
        }
        for statement in statements {
            if self.can_be_written_out(statement) {
                self.expand(statement, &none, true);
            }
        }
    }

    /// Checks that nested loops have few enough turns together to be expanded.
    fn can_be_written_out(&mut self, statement: &Statement) -> bool {
        let Statement::For { range: Some((first, last)), body, .. } = statement else { return true };
        // One range alone says itself that it is too long.
        if body.is_empty() {
            return true;
        }
        let turns = turns(statement);
        let most = BUDGET / COST_OF_A_STATEMENT;
        if turns <= most {
            return true;
        }
        let turns = if turns == usize::MAX { "over 10^19".to_owned() } else { turns.to_string() };
        let message = format!("this policy is too large: its loops have {turns} iterations in all");
        let said = Diagnostic::error(Code::TooLarge, first.span.cover(last.span), message).here("the outermost loop");
        self.sink.say(
            said.help(format!(
                "at most {most} iterations are allowed; a property needs one assignment for each object"
            )),
        );
        false
    }

    fn expand(&mut self, statement: &'t Statement, counters: &Counters, outside: bool) {
        let span = match statement {
            Statement::Param { span, .. }
            | Statement::Extern { span, .. }
            | Statement::Definition { span, .. }
            | Statement::For { span, .. } => *span,
        };
        if self.spend(COST_OF_A_STATEMENT, span).is_none() {
            return;
        }
        match statement {
            Statement::Param { .. } | Statement::Extern { .. } => {}
            Statement::Definition { target, params, body, span } => {
                if !(outside && is_value(target, params.as_deref(), body)) {
                    self.definition(target, params.as_deref(), body, *span, counters);
                }
            }
            Statement::For { counter, range, body, span } => {
                let Some((first, last)) = range else { return };
                let mut scope = Scope::new(Place::Constant, counters);
                let whole = first.span.cover(last.span);
                // Names of any length may stand there, and are looked up in each iteration of the loops around.
                if self.spend(usize::from(whole.len()) / LETTERS_OF_A_STEP, whole).is_none() {
                    return;
                }
                let Some((first, last)) = self.range(whole, (first, last), &mut scope) else { return };
                let text = self.source(*span);
                let line = || text.lines().next().unwrap_or_default();
                let symbol = self
                    .symbols
                    .define(counter, SymbolKind::Constant, || format!("`{}`: counter of `{}`", counter.text, line()));
                for number in first..=last {
                    let mut inner = counters.to_vec();
                    let value = Typed::Num(Num::Const(Ratio::from_integer(number)), Unit::None);
                    inner.push(Local { name: counter.text.clone(), value, symbol });
                    let inner = Rc::new(inner);
                    for statement in body {
                        self.expand(statement, &inner, false);
                    }
                    // Each turn has the counters of all loops around.
                    if self.spend(5 + counters.len(), whole).is_none() {
                        return;
                    }
                }
            }
        }
    }

    fn definition(
        &mut self,
        target: &'t Expr,
        params: Option<&'t [Ident]>,
        body: &'t Body,
        span: TextRange,
        counters: &Counters,
    ) {
        match &target.kind {
            ExprKind::Name(name) => self.define(name, None, params, body, span, counters),
            ExprKind::Index(of, index) => {
                for (family, number) in self.members_written(of, index, counters) {
                    self.define(family, Some(number), params, body, span, counters);
                }
            }
            ExprKind::Field(of, property) => {
                let objects: Vec<(&'t Ident, Option<i128>)> = match &of.kind {
                    ExprKind::Name(name) => vec![(name, None)],
                    ExprKind::Index(of, index) => {
                        let members = self.members_written(of, index, counters).into_iter();
                        members.map(|(family, number)| (family, Some(number))).collect()
                    }
                    ExprKind::Missing => return,
                    _ => {
                        let said = Diagnostic::error(Code::WrongKind, of.span, "this is not a queue, port or buffer");
                        self.sink.say(said.help("an assignment names an object and a property: `q1.admPrio = …`"));
                        return;
                    }
                };
                *self.objects.reach.entry((target.span.start().into(), target.span.end().into())).or_default() +=
                    objects.len();
                for (ident, number) in objects {
                    if self.spend(10, target.span).is_none() {
                        return;
                    }
                    let object = number.map_or_else(|| ident.text.clone(), |number| format!("{}{number}", ident.text));
                    let counters = counters.clone();
                    let target = target.span;
                    self.objects.assignments.push(Assignment {
                        object,
                        ident,
                        object_span: of.span,
                        property,
                        target,
                        params,
                        body,
                        counters,
                    });
                }
            }
            ExprKind::Missing => {}
            _ => {
                let said = Diagnostic::error(Code::WrongKind, target.span, "this cannot be assigned");
                self.sink.say(said.help("write `name = …`, `q[1..k] = …` or `q1.admPrio = …`"));
            }
        }
    }

    /// Returns the members of a family that a target names.
    fn members_written(&mut self, of: &'t Expr, index: &'t Expr, counters: &Counters) -> Vec<(&'t Ident, i128)> {
        let mut scope = Scope::new(Place::Constant, counters);
        let Some(family) = self.family_name(of) else { return Vec::new() };
        let ends = match &index.kind {
            ExprKind::Range(first, last) => self.range(index.span, (first, last), &mut scope),
            _ => self.index(index, &mut scope).map(|number| (number, number)),
        };
        ends.map_or_else(Vec::new, |(first, last)| (first..=last).map(|number| (family, number)).collect())
    }

    fn define_param(&mut self, name: &'t Ident, value: &'t Expr, span: TextRange) {
        let text = self.source(span);
        let symbol = self.symbols.define(name, SymbolKind::Constant, || code(text));
        let added = self.add(name, None, GlobalKind::Param, None, Given::Param(value), symbol, &Counters::default());
        self.parameters.extend(added.filter(|_| self.live.contains(&name.text)));
    }

    fn define(
        &mut self,
        name: &'t Ident,
        number: Option<i128>,
        params: Option<&'t [Ident]>,
        body: &'t Body,
        span: TextRange,
        counters: &Counters,
    ) {
        let kind = self.kind(name, params, body);
        let made = made(params, body).filter(|_| kind == GlobalKind::Value);
        let symbol_kind = match (kind, made) {
            (_, Some((Owner::Queue, ..))) => SymbolKind::Queue,
            (_, Some((Owner::Port, ..))) => SymbolKind::Port,
            (_, Some((Owner::Buffer, ..))) => SymbolKind::Buffer,
            (GlobalKind::Comparator, _) => SymbolKind::Comparator,
            (GlobalKind::Condition, _) => SymbolKind::Condition,
            (GlobalKind::Classifier | GlobalKind::Version, _) => SymbolKind::Function,
            _ => SymbolKind::Value,
        };
        let text = self.source(span);
        // A family may be defined by several statements; the first is its definition.
        let known = number.and_then(|_| self.families.get(&name.text).copied());
        let symbol = known.unwrap_or_else(|| self.symbols.define(name, symbol_kind, || code(text)));
        if number.is_some() {
            self.symbols.refer(symbol, name.span);
            self.families.entry(name.text.clone()).or_insert(symbol);
        }
        let Some(global) = self.add(name, number, kind, params, Given::Body(body), symbol, counters) else { return };
        if let Some((owner, arguments, span)) = made {
            self.symbols.refer_brought(super::objects::constructor_of(owner), constructor_name(body));
            self.globals[global].kind = GlobalKind::Object(self.declare(owner, global, arguments, span));
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of a definition")]
    pub(super) fn add(
        &mut self,
        ident: &'t Ident,
        number: Option<i128>,
        kind: GlobalKind,
        params: Option<&'t [Ident]>,
        given: Given<'t>,
        symbol: SymbolId,
        counters: &Counters,
    ) -> Option<usize> {
        let name = number.map_or_else(|| ident.text.clone(), |number| format!("{}{number}", ident.text));
        let is_classifier = match name.as_str() {
            "classify" => kind != GlobalKind::Param && number.is_none(),
            POLICY_ID => params.is_some() && number.is_none(),
            _ => false,
        };
        if !is_classifier && BUILTINS.iter().any(|(known, _)| *known == name) {
            let message = format!("`{name}` has a meaning in the language and cannot be defined");
            self.sink.say(Diagnostic::error(Code::ReservedName, ident.span, message).help("choose another name"));
            return None;
        }
        if let Some(other) = self.by_name.get(&name).copied() {
            let (mut later, mut earlier) = (ident.span, self.globals[other].ident.span);
            if later.start() < earlier.start() {
                std::mem::swap(&mut later, &mut earlier);
            }
            // A loop that defines the same name again and again is reported once, and soon reaches its limit.
            if self.sink.knows(later, Code::DefinedTwice) {
                self.spend(300, later);
                return None;
            }
            let said = Diagnostic::error(Code::DefinedTwice, later, format!("`{name}` is defined twice"));
            self.sink.say(if later == earlier {
                said.here("in each iteration of the loop").help("give each iteration its own name: `x[i] = …`")
            } else {
                said.here("here again").label(earlier, "first defined here").help("choose another name, or remove one")
            });
            return None;
        }
        self.by_name.insert(name.clone(), self.globals.len());
        let counters = counters.clone();
        let (constant, checked) = (None, false);
        self.globals.push(Global { name, ident, kind, params, given, counters, symbol, constant, checked });
        Some(self.globals.len() - 1)
    }

    /// Returns the kind of a definition, as far as its form shows.
    fn kind(&mut self, name: &Ident, params: Option<&[Ident]>, body: &Body) -> GlobalKind {
        let count = params.map(<[Ident]>::len);
        let span = params.and_then(|all| Some(all.first()?.span.cover(all.last()?.span))).unwrap_or(name.span);
        let kind = match (body, count) {
            (Body::Missing, _) => return GlobalKind::Broken,
            _ if name.text == "classify" => {
                (GlobalKind::Classifier, count == Some(1), "`classify` has one parameter, the packet")
            }
            (Body::Expr(_), Some(_)) if name.text == POLICY_ID => {
                (GlobalKind::Version, count == Some(1), "`policyId` has one parameter, the packet")
            }
            (_, Some(_)) if name.text == POLICY_ID => {
                let said = Diagnostic::error(Code::WrongKind, span, "`policyId` is a number, and has no cases");
                self.sink.say(said.help("write `policyId(p) = p.class`, or any other number of the packet"));
                return GlobalKind::Broken;
            }
            (Body::Expr(_), None) => return GlobalKind::Value,
            (Body::Expr(expr), Some(0 | 1)) if call_of(expr).is_some() => return GlobalKind::Condition,
            (Body::Expr(_), Some(1)) => {
                let said = Diagnostic::error(
                    Code::WrongArguments,
                    span,
                    "a boundary condition has actions, and a comparator two parameters",
                );
                let help = "write `name(q) = (condition, action)` or `name(p1, p2) = (p1.value > p2.value)`";
                self.sink.say(said.here("one parameter").help(help));
                return GlobalKind::Broken;
            }
            (Body::Expr(_), _) => (GlobalKind::Comparator, count == Some(2), "a comparator has two parameters"),
            _ => (GlobalKind::Condition, count.is_none_or(|count| count < 2), "a boundary condition has one parameter"),
        };
        let (kind, good, message) = kind;
        if good {
            return kind;
        }
        self.wrong_count_of_params(span, message, count.unwrap_or(0));
        GlobalKind::Broken
    }

    pub(super) fn wrong_count_of_params(&mut self, span: TextRange, message: &str, count: usize) {
        let said = Diagnostic::error(Code::WrongArguments, span, message).here(match count {
            0 => "there is none".to_owned(),
            1 => "there is one".to_owned(),
            n => format!("there are {n}"),
        });
        self.sink.say(said.help("comparators are `name(p1, p2) = …`, conditions `name(q) = (condition, action)`"));
    }

    /// Returns the text in a range.
    pub(super) fn source(&self, span: TextRange) -> &'t str {
        self.text.get(usize::from(span.start())..usize::from(span.end())).unwrap_or_default()
    }
}

/// Returns a statement as it is shown in messages.
pub(super) fn code(text: &str) -> String {
    const MAX: usize = 600;
    let end = text.char_indices().nth(MAX).map_or(text.len(), |(end, _)| end);
    let more = if end < text.len() { "…" } else { "" };
    format!("```openqueue\n{}{more}\n```", &text[..end])
}

/// Whether the definition is a named expression, which a range may use.
fn is_value(target: &Expr, params: Option<&[Ident]>, body: &Body) -> bool {
    matches!(target.kind, ExprKind::Name(_))
        && params.is_none()
        && matches!(body, Body::Expr(_))
        && made(None, body).is_none()
}

/// Returns the kind of object that the body constructs, with its arguments and its range.
fn made<'t>(params: Option<&[Ident]>, body: &'t Body) -> Option<(Owner, &'t [Expr], TextRange)> {
    let Body::Expr(expr @ Expr { kind: ExprKind::Call(..), span }) = body else { return None };
    let (name, arguments) = call_of(expr)?;
    let owner = constructor(&name.text).filter(|_| params.is_none())?;
    Some((owner, arguments, *span))
}

fn constructor_name(body: &Body) -> TextRange {
    match body {
        Body::Expr(expr) => call_of(expr).map_or(expr.span, |(name, _)| name.span),
        _ => TextRange::default(),
    }
}
