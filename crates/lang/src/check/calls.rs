//! Calls in expressions: functions, methods, comparators.

use super::families::call_of;
use super::properties::LIBRARY;
use super::scope::{Checker, GlobalKind, Scope, Typed};
use super::spelling::is_brought;
use super::tree::{Expr, ExprKind, Ident};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Arith, Cond};
use rowan::TextRange;

impl<'t> Checker<'t> {
    pub(super) fn call(
        &mut self,
        span: TextRange,
        callee: &'t Expr,
        arguments: &'t [Expr],
        scope: &mut Scope,
    ) -> Typed {
        match &callee.kind {
            ExprKind::Field(of, name) => {
                if let Some(first) = arguments.first() {
                    let message = format!("`{}` has no arguments", name.text);
                    let said = Diagnostic::error(Code::WrongArguments, first.span, message).here("one too many");
                    self.sink.say(match name.text.as_str() {
                        "admPrio" | "procPrio" | "schedPrio" => said.help(
                            "give the comparator a name first: `first(p1, p2) = (…); q.procPrio = first; \
                             q.admPrio(p1, p2) = first(p2, p1)`",
                        ),
                        _ => said,
                    });
                    return Typed::Unknown;
                }
                self.method(of, name, span, scope)
            }
            ExprKind::Name(name) => self.function(span, name, arguments, scope),
            ExprKind::Missing => Typed::Unknown,
            _ => {
                let said = Diagnostic::error(Code::WrongKind, callee.span, "this cannot be called");
                self.sink.say(said.help("functions are `mod`, `min` and `max`; methods `findHigh` and `getCurrQueue`"));
                Typed::Unknown
            }
        }
    }

    fn function(&mut self, span: TextRange, name: &'t Ident, arguments: &'t [Expr], scope: &mut Scope) -> Typed {
        let is_local = scope.locals.iter().any(|local| local.name == name.text);
        if !is_local && let Some(global) = self.by_name.get(&name.text).copied() {
            self.refer(global, name);
            if self.globals[global].kind == GlobalKind::Comparator {
                return self.comparison(Some(global), name, arguments, scope);
            }
            if matches!(self.global(global, name, scope), Typed::Unknown) {
                return Typed::Unknown;
            }
        }
        let arith = match name.text.as_str() {
            "mod" => Arith::Mod,
            "min" => Arith::Min,
            "max" => Arith::Max,
            "fifo" | "rfifo" if !is_local && !self.by_name.contains_key(&name.text) => {
                self.symbols.refer_brought(&name.text, name.span);
                return self.comparison(None, name, arguments, scope);
            }
            constructor @ ("Queue" | "Port" | "Buffer") => {
                self.symbols.refer_brought(constructor, name.span);
                let message = format!("`{constructor}` stands only right after the `=` of a definition");
                let said = Diagnostic::error(Code::WrongPlace, span, message).here("this makes an object");
                self.sink.say(said.help(format!("give it a name: `x = {constructor}(…);`")));
                return Typed::Unknown;
            }
            "findHigh" | "getCurrQueue" => {
                let message = format!("`{0}()` stands after a dot", name.text);
                let said = Diagnostic::error(Code::UnknownName, name.span, message);
                self.sink.say(said.help(format!("write the object before the dot: `q.{}()`", name.text)));
                return Typed::Unknown;
            }
            other if is_local || is_brought(other) || self.by_name.contains_key(other) => {
                let message = format!("`{other}` cannot be called here");
                self.sink.say(Diagnostic::error(Code::WrongKind, name.span, message).here("this is not a function"));
                return Typed::Unknown;
            }
            _ => {
                self.unknown_of(name, scope, "functions are `mod(a, b)`, `min(a, b)` and `max(a, b)`".to_owned());
                return Typed::Unknown;
            }
        };
        self.symbols.refer_brought(&name.text, name.span);
        let [left, right] = arguments else {
            self.wrong_count(span, &format!("`{}` takes two numbers", name.text), arguments.len());
            return Typed::Unknown;
        };
        self.arith(arith, span, left, right, scope)
    }

    /// Lowers a call of a comparator within another one.
    fn comparison(&mut self, global: Option<usize>, name: &Ident, arguments: &'t [Expr], scope: &mut Scope) -> Typed {
        let [left, right] = arguments else {
            let all = arguments.first().zip(arguments.last()).map(|(first, last)| first.span.cover(last.span));
            let message = format!("the comparator `{}` takes two objects", name.text);
            self.wrong_count(all.unwrap_or(name.span), &message, arguments.len());
            return Typed::Unknown;
        };
        let (first, second) = (self.typed(left, scope), self.typed(right, scope));
        for (expr, value) in [(left, &first), (right, &second)] {
            if value.owner().is_none() {
                if *value != Typed::Unknown {
                    let message = format!("a comparator compares packets or queues, not {}", value.called());
                    let said = Diagnostic::error(Code::WrongKind, expr.span, message);
                    self.sink.say(said.here(format!("this is {}", value.called())));
                }
                return Typed::Unknown;
            }
        }
        if first.owner() != second.owner() {
            let message = format!("{} cannot be compared with {}", first.called(), second.called());
            self.sink.say(Diagnostic::error(Code::WrongKind, left.span.cover(right.span), message));
            return Typed::Unknown;
        }
        self.compared(global, name, [first, second], scope).map_or(Typed::Unknown, Typed::Cond)
    }

    /// Lowers the condition that the comparator ranks the first object before the second.
    pub(super) fn compared(
        &mut self,
        global: Option<usize>,
        name: &Ident,
        objects: [Typed; 2],
        scope: &mut Scope,
    ) -> Option<Cond> {
        let Some(global) = global else { return self.library_order(name, &objects, scope) };
        let params = self.globals[global].params?;
        let body = self.body(global)?;
        let super::tree::Body::Expr(expr) = body else { return None };
        let [first, second] = params else { return None };
        self.distinct(first, second)?;
        if !self.enter(global, name) {
            return None;
        }
        self.globals[global].checked = true;
        let mut inner = scope.clone();
        inner.locals = self.globals[global].counters.to_vec();
        inner.bare = None;
        for (param, value) in [first, second].into_iter().zip(objects) {
            self.bind(param, value, &mut inner);
        }
        inner.depth += 1;
        let cond = self.truth(expr, &mut inner);
        scope.nodes = inner.nodes;
        self.leave();
        cond
    }

    pub(super) fn wrong_count(&mut self, span: TextRange, message: &str, given: usize) {
        let here = match given {
            0 => "none is given".to_owned(),
            1 => "one is given".to_owned(),
            n => format!("{n} are given"),
        };
        self.sink.say(Diagnostic::error(Code::WrongArguments, span, message).here(here));
    }
}

/// Returns the library's name that an expression calls, or names without arguments.
pub(super) fn library_name(expr: &Expr) -> Option<(&Ident, &[Expr])> {
    let (name, arguments) = call_of(expr)?;
    LIBRARY.iter().any(|(known, _)| *known == name.text).then_some((name, arguments))
}
