//! Expressions: numbers and truth values as C expressions. Constants are computed here, as the engines compute them.

use super::constants::{both, literal, on_the_left, on_the_right};
use super::scope::Scope;
use super::value::{Truth, Value};
use forebay_lang::ir::{Cond, Num, Relation};
use forebay_lang::{Fixed, Ratio};

/// Returns a number as C.
pub(super) fn number(number: &Num, scope: &Scope<'_>) -> Value {
    let known = |number: &Num| Value::Const(number.value(&mut |_| Fixed(0)));
    match number {
        Num::Const(constant) => Value::Const(*constant),
        Num::Read(read) => scope.read(*read),
        Num::Neg(operand) => match self::number(operand, scope) {
            Value::Const(constant) => known(&Num::Neg(Box::new(Num::Const(constant)))),
            Value::Text(text) => Value::Text(format!("oq_neg({text})")),
        },
        Num::Arith(arith, left, right) => match (self::number(left, scope), self::number(right, scope)) {
            (Value::Const(left), Value::Const(right)) => {
                known(&Num::Arith(*arith, Box::new(Num::Const(left)), Box::new(Num::Const(right))))
            }
            (Value::Text(left), Value::Const(right)) => Value::Text(on_the_right(*arith, &left, right)),
            (Value::Const(left), Value::Text(right)) => Value::Text(on_the_left(*arith, left, &right)),
            (Value::Text(left), Value::Text(right)) => Value::Text(both(*arith, &left, &right)),
        },
    }
}

/// Returns a truth value as C.
pub(super) fn truth(cond: &Cond, scope: &Scope<'_>) -> Truth {
    match cond {
        Cond::Const(truth) => Truth::Const(*truth),
        Cond::Compare(relation, left, right) => compare(*relation, number(left, scope), number(right, scope)),
        Cond::CompareProducts(relation, products) => {
            let factor = |factor: &Num| match number(factor, scope) {
                Value::Const(constant) => literal(Fixed::floor(constant)),
                Value::Text(text) => text,
            };
            let [[a, b], [c, d]] = products.each_ref().map(|product| product.each_ref().map(factor));
            Truth::Text(format!("oq_compare_products({a}, {b}, {c}, {d}) {relation} 0"))
        }
        Cond::Not(operand) => match truth(operand, scope) {
            Truth::Const(truth) => Truth::Const(!truth),
            Truth::Text(text) => Truth::Text(format!("!({text})")),
        },
        Cond::And(left, right) => joined(truth(left, scope), truth(right, scope), "&&", false),
        Cond::Or(left, right) => joined(truth(left, scope), truth(right, scope), "||", true),
    }
}

/// Joins two conditions; `decisive` is the value by which one side decides alone.
fn joined(left: Truth, right: Truth, sign: &str, decisive: bool) -> Truth {
    match (left, right) {
        (Truth::Const(truth), _) | (_, Truth::Const(truth)) if truth == decisive => Truth::Const(decisive),
        (Truth::Const(_), other) | (other, Truth::Const(_)) => other,
        (Truth::Text(left), Truth::Text(right)) => Truth::Text(format!("(({left}) {sign} ({right}))")),
    }
}

fn compare(relation: Relation, left: Value, right: Value) -> Truth {
    match (left, right) {
        (Value::Const(left), Value::Const(right)) => Truth::Const(relation.holds(left, right)),
        (Value::Text(left), Value::Const(right)) => with_constant(relation, &left, right),
        (Value::Const(left), Value::Text(right)) => with_constant(exchanged(relation), &right, left),
        // Compilers warn of this.
        (Value::Text(left), Value::Text(right)) if left == right => Truth::Const(relation.holds(0, 0)),
        (Value::Text(left), Value::Text(right)) => Truth::Text(format!("{left} {relation} {right}")),
    }
}

/// Compares exactly with a constant, by the multiple of 1/65,536 next to it.
fn with_constant(relation: Relation, left: &str, constant: Ratio) -> Truth {
    let units = constant * Ratio::from_integer(Fixed::UNITS);
    let bound = match relation {
        Relation::Less | Relation::GreaterEqual => units.ceil(),
        Relation::LessEqual | Relation::Greater => units.floor(),
        Relation::Equal | Relation::NotEqual if units.is_integer() => units,
        Relation::Equal | Relation::NotEqual => return Truth::Const(relation == Relation::NotEqual),
    };
    match i64::try_from(bound.to_integer()) {
        Ok(bound) => Truth::Text(format!("{left} {relation} {}", literal(Fixed(bound)))),
        // Every number is on one side.
        Err(_) => Truth::Const(relation.holds(Ratio::from_integer(0), bound)),
    }
}

fn exchanged(relation: Relation) -> Relation {
    match relation {
        Relation::Less => Relation::Greater,
        Relation::LessEqual => Relation::GreaterEqual,
        Relation::Greater => Relation::Less,
        Relation::GreaterEqual => Relation::LessEqual,
        other => other,
    }
}
