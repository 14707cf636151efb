//! Objects that show that a comparator is no order.

use super::{Cond, PacketRef, QueueRef, Read};
use crate::number::Fixed;
use std::fmt;

/// A law of orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// Of two objects, at most one comes before the other. The two can be equal.
    Asymmetry,
    /// If one object precedes a second and the second a third, the first precedes the third.
    Transitivity,
    /// Two objects that tie with a third tie with each other.
    Ties,
}

/// The properties of an object, each with the read of `This` that returns it.
pub(super) type Object = Vec<(Read, Fixed)>;

/// Two or three objects that break a law of orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counterexample {
    /// The law.
    pub law: Law,
    /// Two or three objects, depending on the law. Each has all values that the comparator reads, as reads of `This`.
    pub objects: Vec<Vec<(Read, Fixed)>>,
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut texts = Vec::new();
        let mut names = Vec::new();
        for (number, object) in (1..).zip(&self.objects) {
            let kind = if object.iter().any(|(read, _)| read.to_string().starts_with('q')) { 'q' } else { 'p' };
            names.push(format!("{kind}{number}"));
            for (read, value) in object {
                let text = read.to_string();
                let (kind, rest) = text.split_at(1);
                texts.push(format!("{kind}{number}{rest} = {value}"));
            }
        }
        if let Some((last, others)) = texts.split_last() {
            let others = others.join(", ");
            let and = if others.is_empty() { "" } else { " and " };
            write!(f, "with {others}{and}{last}, ")?;
        }
        match (self.law, &names[..]) {
            (Law::Transitivity, [one, two, three]) => {
                write!(f, "{one} comes before {two} and {two} before {three}, but {one} not before {three}")
            }
            (Law::Ties, [one, two, three]) => {
                write!(f, "{two} ties with {one} and with {three}, but {one} comes before {three}")
            }
            _ => f.write_str("each comes before the other"),
        }
    }
}

/// The first and the second object.
pub(super) struct Pair<'a>(pub(super) &'a Object, pub(super) &'a Object);

impl Pair<'_> {
    /// Whether the first object ranks before the second. Other objects have zeros.
    pub(super) fn holds(&self, before: &Cond) -> bool {
        before.holds(&mut |read| {
            let (object, read) = match read {
                Read::Packet(PacketRef::First, field) => (self.0, Read::Packet(PacketRef::This, field)),
                Read::Packet(PacketRef::Second, field) => (self.1, Read::Packet(PacketRef::This, field)),
                Read::Packet(PacketRef::Head(QueueRef::First), field) => {
                    (self.0, Read::Packet(PacketRef::Head(QueueRef::This), field))
                }
                Read::Packet(PacketRef::Head(QueueRef::Second), field) => {
                    (self.1, Read::Packet(PacketRef::Head(QueueRef::This), field))
                }
                Read::Queue(QueueRef::First, field) => (self.0, Read::Queue(QueueRef::This, field)),
                Read::Queue(QueueRef::Second, field) => (self.1, Read::Queue(QueueRef::This, field)),
                Read::Next(QueueRef::First, field) => (self.0, Read::Next(QueueRef::This, field)),
                Read::Next(QueueRef::Second, field) => (self.1, Read::Next(QueueRef::This, field)),
                other => (self.0, other),
            };
            object.iter().find(|(known, _)| *known == read).map_or_else(Fixed::default, |(_, value)| *value)
        })
    }
}

/// Returns the law that three objects break, of which no two are before each other.
///
/// `before`: the first before the second, the second before the third, the first before the third. `after`: the same pairs reversed.
pub(super) fn broken(before: [bool; 3], after: [bool; 3]) -> Option<Law> {
    let [first, second, both] = before;
    if first && second && !both {
        return Some(Law::Transitivity);
    }
    let tie = |pair: usize| !before[pair] && !after[pair];
    (tie(0) && tie(1) && both).then_some(Law::Ties)
}

fn breaks(before: &Cond, law: Law, objects: &[Object]) -> bool {
    let is = |one: usize, other: usize| Pair(&objects[one], &objects[other]).holds(before);
    match law {
        Law::Asymmetry => is(0, 1) && is(1, 0),
        _ => broken([is(0, 1), is(1, 2), is(0, 2)], [is(1, 0), is(2, 1), is(2, 0)]) == Some(law),
    }
}

/// Returns a counterexample with numbers that are as small as possible, among those that `allowed` accepts.
///
/// Each step decreases the absolute value of one number, or of all numbers of one property. Makes at most a few thousand attempts.
pub(super) fn shrunk(
    before: &Cond,
    law: Law,
    mut objects: Vec<Object>,
    allowed: &dyn Fn(Read, Fixed) -> bool,
) -> Counterexample {
    let mut tries = 4_000_usize;
    let mut smaller = |objects: &[Object]| {
        steps(objects, allowed).into_iter().find(|objects| {
            tries = tries.saturating_sub(1);
            tries > 0 && breaks(before, law, objects)
        })
    };
    while let Some(found) = smaller(&objects) {
        objects = found;
    }
    Counterexample { law, objects }
}

fn steps(objects: &[Object], allowed: &dyn Fn(Read, Fixed) -> bool) -> Vec<Vec<Object>> {
    let mut all = Vec::new();
    let fields = objects.first().map_or(0, Vec::len);
    for field in 0..fields {
        let change = |change: &dyn Fn(usize, i64) -> i64| {
            let mut changed = objects.to_vec();
            for (place, object) in changed.iter_mut().enumerate() {
                object[field].1 = Fixed(change(place, object[field].1.0));
            }
            let smaller = |old: &Object, new: &Object| new[field].1.0.unsigned_abs() <= old[field].1.0.unsigned_abs();
            let fine = changed.iter().all(|object| allowed(object[field].0, object[field].1));
            let smaller = objects.iter().zip(&changed).all(|(old, new)| smaller(old, new));
            (fine && smaller && changed != objects).then_some(changed)
        };
        let one = 1 << Fixed::FRACTION_BITS;
        let least = objects.iter().map(|object| object[field].1.0).min().unwrap_or(0);
        for shift in [least, least.saturating_sub(one), one] {
            all.extend(change(&|_, value| value.saturating_sub(shift)));
        }
        for chosen in 0..objects.len() {
            for value in [0, one, 2 * one, 3 * one] {
                all.extend(change(&|place, old| if place == chosen { value } else { old }));
            }
            all.extend(change(&|place, old| if place == chosen { old - old.signum() * one } else { old }));
        }
    }
    all
}
