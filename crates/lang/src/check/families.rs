//! Families: `q[1..k]` has the members `q1` to `qk`, which are also called `q[1]` to `q[k]`.

use super::scope::{Checker, Place, Scope, Typed};
use super::spelling::{did_you_mean, nearest, shown};
use super::tree::{Expr, ExprKind, Ident};
use crate::diagnostic::{Code, Diagnostic};
use forebay_core::QueueId;
use rowan::TextRange;
use std::collections::BTreeMap;

/// The most objects of a kind, and the most turns of a loop.
pub(super) const MAX_OBJECTS: i128 = 65_535;

impl<'t> Checker<'t> {
    /// Lowers `q[i]` in an expression.
    pub(super) fn member(&mut self, span: TextRange, of: &'t Expr, index: &'t Expr, scope: &mut Scope) -> Typed {
        let Some(family) = self.family_name(of) else { return Typed::Unknown };
        if let ExprKind::Range(..) = index.kind {
            let said = Diagnostic::error(Code::WrongKind, span, "several members are given where one is needed");
            let said = said.here("this is a range of a family");
            self.sink.say(said.help("ranges stand before `=` and among the queues of a port or buffer"));
            return Typed::Unknown;
        }
        let Some(number) = self.index(index, scope) else { return Typed::Unknown };
        match self.existing_member(family, number, span) {
            Some(global) => {
                self.refer(global, family);
                self.global(global, family, scope)
            }
            None => Typed::Unknown,
        }
    }

    /// Returns the name before the brackets.
    pub(super) fn family_name(&mut self, of: &'t Expr) -> Option<&'t Ident> {
        match &of.kind {
            ExprKind::Name(name) if !name.text.ends_with(|c: char| c.is_ascii_digit()) => Some(name),
            ExprKind::Name(name) => {
                let message =
                    format!("`{}` is not a family: the name of a family does not end with a digit", name.text);
                let said = Diagnostic::error(Code::NoMember, name.span, message);
                self.sink.say(said.help(format!("member 2 would be called `{}2`; choose another name", name.text)));
                None
            }
            ExprKind::Missing => None,
            _ => {
                let said = Diagnostic::error(Code::WrongKind, of.span, "only a family has members");
                self.sink.say(said.help("write `q[i].size`, not `q.size[i]`"));
                None
            }
        }
    }

    /// Returns the index: a whole number that is not negative.
    pub(super) fn index(&mut self, expr: &'t Expr, scope: &mut Scope) -> Option<i128> {
        let mut constant = Scope { place: Place::Constant, ..scope.clone() };
        let (number, _) = self.constant(expr, &mut constant, "an index")?;
        if number.is_integer() && *number.numer() >= 0 {
            return Some(*number.numer());
        }
        let message = format!("an index is a whole number, not {number}");
        self.sink.say(Diagnostic::error(Code::BadValue, expr.span, message).here(format!("this is {number}")));
        None
    }

    /// Returns the ends of a range that has at least one member.
    pub(super) fn range(
        &mut self,
        span: TextRange,
        ends: (&'t Expr, &'t Expr),
        scope: &mut Scope,
    ) -> Option<(i128, i128)> {
        let (first, last) = (self.index(ends.0, scope), self.index(ends.1, scope));
        let (first, last) = (first?, last?);
        if first > last {
            let message = format!("the range {first}..{last} is empty");
            let said = Diagnostic::error(Code::EmptyRange, span, message).here("no number is in it");
            let swapped = "a range begins with the smaller number, and both ends belong to it";
            self.sink.say(said.help(swapped));
            return None;
        }
        if last - first >= MAX_OBJECTS {
            let message = format!("the range {first}..{last} has {} numbers", last - first + 1);
            let said = Diagnostic::error(Code::TooLarge, span, message).here("this is too much");
            self.sink.say(said.help(format!("a range has at most {MAX_OBJECTS} numbers")));
            return None;
        }
        Some((first, last))
    }

    /// Returns the definition of a member.
    pub(super) fn existing_member(&mut self, family: &Ident, number: i128, span: TextRange) -> Option<usize> {
        let name = format!("{}{number}", family.text);
        if let Some(global) = self.by_name.get(&name) {
            return Some(*global);
        }
        if self.sink.knows(span, Code::NoMember) || self.sink.knows(family.span, Code::UnknownName) {
            return None;
        }
        let members = self.numbers_of(&family.text);
        let said = match (members.first(), members.last()) {
            (Some(first), Some(last)) => {
                let message = format!("`{}` has no member {number}", shown(&family.text));
                let which = if first == last {
                    format!("its only member is {first}")
                } else {
                    format!("its members are {first} to {last}")
                };
                let said = Diagnostic::error(Code::NoMember, span, message).here("it does not exist").help(which);
                match self.by_name.get(&format!("{}{first}", family.text)) {
                    Some(global) => said.label(self.globals[*global].ident.span, "the family is defined here"),
                    None => said,
                }
            }
            _ if self.by_name.contains_key(&family.text) => {
                let message = format!("`{}` is not a family, and has no members", shown(&family.text));
                let said = Diagnostic::error(Code::NoMember, span, message).here("it does not exist");
                said.help(format!("write `{}` without an index", shown(&family.text)))
            }
            _ => {
                let message = format!("there is no family `{}`", shown(&family.text));
                let said = Diagnostic::error(Code::UnknownName, family.span, message);
                match nearest(
                    &family.text,
                    self.families.keys().map(String::as_str).collect::<std::collections::BTreeSet<_>>().into_iter(),
                ) {
                    Some(meant) => did_you_mean(said, family, &meant),
                    None => said.help(format!("define it: `{}[1..k] = …;`", shown(&family.text))),
                }
            }
        };
        self.sink.say(said);
        None
    }

    /// Reports that a family needs an index.
    pub(super) fn is_family(&mut self, name: &Ident) {
        let members = self.numbers_of(&name.text);
        let (Some(first), Some(last)) = (members.first(), members.last()) else { return };
        let message = format!("`{}` is a family; one of its members, or a range of them, is needed here", name.text);
        let said = Diagnostic::error(Code::UnknownName, name.span, message).here("no member is named");
        self.sink.say(said.help(format!("write `{0}[{first}]` or `{0}[{first}..{last}]`", name.text)));
    }

    /// Returns the numbers of the members of a family, in order.
    fn numbers_of(&self, family: &str) -> Vec<i128> {
        let mut numbers: Vec<i128> =
            self.globals.iter().filter_map(|global| number_in(&global.name, family)).map(i128::from).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Whether a queue is a member of a family.
    pub(super) fn is_in_family(&self, queue: usize, family: &str) -> bool {
        number_in(&self.globals[self.objects.queues[queue].global].name, family).is_some()
    }

    /// Returns the queues of a family by their numbers.
    pub(super) fn queues_of(&self, family: &str) -> BTreeMap<i64, QueueId> {
        let queues = self.objects.queues.iter().enumerate();
        let numbered = queues.filter_map(|(index, queue)| {
            let number = number_in(&self.globals[queue.global].name, family)?;
            Some((number, QueueId(u16::try_from(index).ok()?)))
        });
        numbered.collect()
    }
}

/// Returns the number after the family's name.
fn number_in(name: &str, family: &str) -> Option<i64> {
    let digits = name.strip_prefix(family)?;
    let number: i64 = digits.parse().ok()?;
    (number.to_string() == digits).then_some(number)
}

/// Returns the name that an expression calls, or that it is without arguments.
pub(super) fn call_of(expr: &Expr) -> Option<(&Ident, &[Expr])> {
    match &expr.kind {
        ExprKind::Name(name) => Some((name, &[])),
        ExprKind::Call(callee, arguments) => match &callee.kind {
            ExprKind::Name(name) => Some((name, arguments)),
            _ => None,
        },
        _ => None,
    }
}
