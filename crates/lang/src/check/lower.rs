//! Lowers expressions: from the tree to numbers and truth values, with types and units.

use super::constants::{self, Trouble, common, product};
use super::scope::{Checker, Place, Scope, Typed};
use super::tree::{Expr, ExprKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Arith, Cond, Num, Read, Relation};
use crate::number::{MAX_DENOMINATOR, Ratio};
use crate::unit::Unit;
use crate::unit::called;
use rowan::TextRange;

/// The most nodes of an expression when all names in it are expanded.
const MAX_NODES: usize = 10_000;
/// The greatest depth of such an expression.
const MAX_DEPTH: usize = 400;

impl<'t> Checker<'t> {
    /// Returns the value of an expression with its type.
    pub(super) fn typed(&mut self, expr: &'t Expr, scope: &mut Scope) -> Typed {
        scope.nodes += 1;
        if self.spend(1, expr.span).is_none() {
            return Typed::Unknown;
        }
        if scope.nodes > MAX_NODES || scope.depth >= MAX_DEPTH {
            self.sink.overflow(too_large(expr.span, scope.nodes > MAX_NODES));
            return Typed::Unknown;
        }
        scope.depth += 1;
        let value = self.typed_inner(expr, scope);
        scope.depth -= 1;
        value
    }

    /// Takes work from the budget; `None` if it is exhausted.
    pub(super) fn spend(&mut self, work: usize, span: TextRange) -> Option<()> {
        self.budget = self.budget.saturating_sub(work);
        if self.budget > 0 {
            return Some(());
        }
        let message = "this policy is too large when its loops and families are expanded";
        self.sink.overflow(Diagnostic::error(Code::TooLarge, span, message).here("the limit is reached here"));
        None
    }

    fn typed_inner(&mut self, expr: &'t Expr, scope: &mut Scope) -> Typed {
        match &expr.kind {
            ExprKind::Missing => Typed::Unknown,
            ExprKind::Number(Ok(number), unit) => Typed::Num(Num::Const(*number), *unit),
            ExprKind::Number(Err(trouble), _) => {
                self.trouble(expr.span, *trouble);
                Typed::Unknown
            }
            ExprKind::Truth(value) => Typed::Cond(Cond::Const(*value)),
            ExprKind::Name(name) => self.name(name, scope),
            ExprKind::Field(of, name) => self.field(of, name, scope),
            ExprKind::Index(of, index) => self.member(expr.span, of, index, scope),
            ExprKind::Call(callee, arguments) => self.call(expr.span, callee, arguments, scope),
            ExprKind::Range(..) => {
                let said = Diagnostic::error(Code::WrongKind, expr.span, "a range stands in brackets or in a loop");
                self.sink.say(said.here("this is not a value").help("write `q[1..k]` or `for i in 1..k { … }`"));
                Typed::Unknown
            }
            ExprKind::Neg(operand) => match self.number(operand, scope) {
                Some((Num::Const(number), unit)) => Typed::Num(Num::Const(-number), unit),
                Some((number, unit)) => Typed::Num(Num::Neg(Box::new(number)), unit),
                None => Typed::Unknown,
            },
            ExprKind::Arith(arith, left, right) => self.arith(*arith, expr.span, left, right, scope),
            ExprKind::Relation(relation, left, right) => self.relation(*relation, expr.span, left, right, scope),
            ExprKind::Not(operand) => self.truth(operand, scope).map_or(Typed::Unknown, |cond| Typed::Cond(not(cond))),
            ExprKind::And(left, right) => self.both(left, right, false, scope),
            ExprKind::Or(left, right) => self.both(left, right, true, scope),
        }
    }

    /// Returns a number; `None` if the expression is none.
    pub(super) fn number(&mut self, expr: &'t Expr, scope: &mut Scope) -> Option<(Num, Unit)> {
        match self.typed(expr, scope) {
            Typed::Num(number, unit) => Some((number, unit)),
            Typed::Unknown => None,
            other => {
                let message = format!("a number is needed here, not {}", other.called());
                let said = Diagnostic::error(Code::WrongKind, expr.span, message).here(is(&other));
                self.sink.say(match other.owner() {
                    Some(owner) => said.help(format!("name a property of this {}", owner.name())),
                    None => said.help("a truth value is not a number"),
                });
                None
            }
        }
    }

    /// Returns a truth value; `None` if the expression is none.
    pub(super) fn truth(&mut self, expr: &'t Expr, scope: &mut Scope) -> Option<Cond> {
        match self.typed(expr, scope) {
            Typed::Cond(cond) => Some(cond),
            Typed::Num(flag @ Num::Read(Read::Packet(_, field)), _) if field.is_flag() => {
                Some(Cond::Compare(Relation::Greater, flag, Num::Const(Ratio::from_integer(0))))
            }
            Typed::Unknown => None,
            other => {
                let message = format!("a truth value is needed here, not {}", other.called());
                let said = Diagnostic::error(Code::WrongKind, expr.span, message).here(is(&other));
                self.sink.say(said.help(match scope.place {
                    Place::PacketOrder => "compare two numbers, for example `p1.value > p2.value`",
                    Place::Classify | Place::Next => "compare it with something, for example `p.class >= 40`",
                    _ => "compare it with something, for example `q.currSize > 0`",
                }));
                None
            }
        }
    }

    /// Returns a constant with its unit. `of` describes the constant's purpose.
    pub(super) fn constant(&mut self, expr: &'t Expr, scope: &mut Scope, of: &'static str) -> Option<(Ratio, Unit)> {
        scope.constant = of;
        match self.number(expr, scope)? {
            (Num::Const(number), unit) => Some((number, unit)),
            _ => {
                let message = format!("{of} is a constant, and this changes while the policy runs");
                self.sink.say(Diagnostic::error(Code::NotConstant, expr.span, message).here("this is not constant"));
                None
            }
        }
    }

    fn both(&mut self, left: &'t Expr, right: &'t Expr, or: bool, scope: &mut Scope) -> Typed {
        let (left, right) = (self.truth(left, scope), self.truth(right, scope));
        let (Some(left), Some(right)) = (left, right) else { return Typed::Unknown };
        Typed::Cond(match (left, right) {
            // `or` is what a constant must be to decide alone.
            (Cond::Const(value), other) | (other, Cond::Const(value)) => {
                if value == or {
                    Cond::Const(or)
                } else {
                    other
                }
            }
            (left, right) if or => Cond::Or(Box::new(left), Box::new(right)),
            (left, right) => Cond::And(Box::new(left), Box::new(right)),
        })
    }

    pub(super) fn arith(
        &mut self,
        arith: Arith,
        span: TextRange,
        left: &'t Expr,
        right: &'t Expr,
        scope: &mut Scope,
    ) -> Typed {
        let (first, second) = (self.number(left, scope), self.number(right, scope));
        let (Some((a, a_unit)), Some((b, b_unit))) = (first, second) else { return Typed::Unknown };
        let unit = match arith {
            Arith::Mul | Arith::Div => {
                // `out.rate / 50%` is a plain number; `50% * q.size` would be fifty times the size.
                let first = if arith == Arith::Mul { self.no_percent(left, a_unit) } else { a_unit };
                let second = if first == Unit::Percent { b_unit } else { self.no_percent(right, b_unit) };
                product(arith, first, second)
            }
            _ => match self.same_unit((left, a_unit), (right, b_unit), scope) {
                Some(unit) => unit,
                None => return Typed::Unknown,
            },
        };
        if let (Arith::Div | Arith::Mod, Num::Const(zero)) = (arith, &b)
            && *zero.numer() == 0
        {
            self.trouble(right.span, Trouble::ByZero);
            return Typed::Unknown;
        }
        let (Num::Const(first), Num::Const(second)) = (&a, &b) else {
            return Typed::Num(Num::Arith(arith, Box::new(a), Box::new(b)), unit);
        };
        match constants::compute(arith, *first, *second) {
            Ok(number) => Typed::Num(Num::Const(number), unit),
            Err(trouble) => {
                self.trouble(span, trouble);
                Typed::Unknown
            }
        }
    }

    fn relation(
        &mut self,
        relation: Relation,
        span: TextRange,
        left: &'t Expr,
        right: &'t Expr,
        scope: &mut Scope,
    ) -> Typed {
        let (first, second) = (self.typed(left, scope), self.typed(right, scope));
        match (first, second) {
            (Typed::Num(a, a_unit), Typed::Num(b, b_unit)) => {
                if self.same_unit((left, a_unit), (right, b_unit), scope).is_none() {
                    return Typed::Unknown;
                }
                Typed::Cond(match (&a, &b) {
                    (Num::Const(a), Num::Const(b)) => Cond::Const(relation.holds(*a, *b)),
                    _ => Cond::Compare(relation, a, b),
                })
            }
            (Typed::Unknown, _) | (_, Typed::Unknown) => Typed::Unknown,
            (first, second) => {
                let (expr, wrong) = if matches!(first, Typed::Num(..)) { (right, second) } else { (left, first) };
                let message = format!("`{relation}` compares numbers, not {}", wrong.called());
                let said = Diagnostic::error(Code::WrongKind, expr.span, message).here(is(&wrong));
                let said = said.label(span, "in this comparison");
                self.sink.say(match wrong.owner() {
                    Some(owner) => said.help(format!("name a property of this {}", owner.name())),
                    None => said.help("join truth values with `&&`, `||` and `!`"),
                });
                Typed::Unknown
            }
        }
    }

    /// Returns the unit of two values that are added or compared.
    fn same_unit(&mut self, left: (&Expr, Unit), right: (&Expr, Unit), scope: &Scope) -> Option<Unit> {
        let unit = common(left.1, right.1);
        if unit.is_none() {
            let message = format!("{} and {} cannot be combined", called(left.1), called(right.1));
            let mut said = Diagnostic::error(Code::WrongUnit, right.0.span, message)
                .here(measured(right.1))
                .label(left.0.span, measured(left.1));
            let packets = [left.1, right.1].contains(&Unit::Packets) && [left.1, right.1].contains(&Unit::Bytes);
            if packets {
                said =
                    said.help("a queue is measured in the unit of its size: write `Queue(64 KB)` or `Queue(64 pkts)`");
            } else if [left.1, right.1].contains(&Unit::Compound) {
                said = said.help("divide by `1 B` to get a number from bytes: `arriving.size / 1 B * 0.8 ns`");
            }
            if let Some((span, text)) = &scope.because {
                said = said.label(*span, text.clone());
            }
            self.sink.say(said);
        }
        unit
    }

    /// Returns the unit of a factor. Reports a percentage, which then counts as a fraction.
    fn no_percent(&mut self, expr: &Expr, unit: Unit) -> Unit {
        if unit != Unit::Percent {
            return unit;
        }
        self.percent(expr, "a percentage is a rate of a port, and not a factor");
        Unit::None
    }

    /// Reports that a fraction is written without `%`.
    pub(super) fn percent(&mut self, expr: &Expr, message: &str) {
        let said = Diagnostic::error(Code::WrongUnit, expr.span, message).here("this is a percentage");
        let fraction = match expr.kind {
            ExprKind::Number(Ok(number), Unit::Percent) => decimal(number / 100),
            _ => None,
        };
        self.sink.say(match fraction {
            Some(fraction) => said.help(format!("write the fraction: `{fraction}`")).replace(expr.span, fraction),
            None => said.help("write a fraction such as `.95`"),
        });
    }

    pub(super) fn trouble(&mut self, span: TextRange, trouble: Trouble) {
        let said = match trouble {
            Trouble::TooLarge => Diagnostic::error(Code::TooLarge, span, "this number is too large")
                .help("numbers lie between -2^47 and 2^47"),
            Trouble::TooFine => Diagnostic::error(Code::TooLarge, span, "this fraction is too fine")
                .help(format!("a constant is a fraction with a denominator of at most {MAX_DENOMINATOR}")),
            Trouble::ByZero => Diagnostic::error(Code::DivisionByZero, span, "this divides by zero")
                .here("this is always 0")
                .help("while a policy runs, `a / 0` is 0; a constant 0 is a mistake"),
        };
        self.sink.say(said);
    }
}

/// Returns the negation of a condition.
pub(super) fn not(cond: Cond) -> Cond {
    match cond {
        Cond::Const(value) => Cond::Const(!value),
        Cond::Not(inner) => *inner,
        other => Cond::Not(Box::new(other)),
    }
}

fn measured(unit: Unit) -> String {
    let called = called(unit);
    if unit == Unit::Compound { called.to_owned() } else { format!("measured in {}", called.trim_start_matches("a ")) }
}

fn is(value: &Typed) -> String {
    format!("this is {}", value.called())
}

/// Returns the decimal notation of a fraction between 0 and 1, if it has one.
fn decimal(number: Ratio) -> Option<String> {
    let thousandths = number * 1_000;
    if !thousandths.is_integer() || !(0..1_000).contains(thousandths.numer()) {
        return (number == Ratio::from_integer(1)).then(|| "1".to_owned());
    }
    Some(format!(".{:03}", thousandths.numer()).trim_end_matches('0').to_owned()).filter(|text| text != ".")
}

fn too_large(span: TextRange, nodes: bool) -> Diagnostic {
    let message = if nodes {
        format!("this expression has more than {MAX_NODES} parts when its names are expanded")
    } else {
        format!("this expression is more than {MAX_DEPTH} deep when its names are expanded")
    };
    Diagnostic::error(Code::TooLarge, span, message).here("the limit is reached here")
}
