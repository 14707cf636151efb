//! Comparators that are lists of keys: the first key that differs decides.
//!
//! Most comparators are such lists, in various spellings. A comparator is read as a function of the outcomes of its [facts](super::facts).
//! It is a list of keys if one fact decides alone wherever it is no tie. The rest, where that fact is a tie, must be such a list again. So
//! parentheses, the order of operands and `!` make no difference. The check tries all outcomes of up to eight facts: at most 6,561
//! evaluations for each key.

use super::facts::{Fact, Facts, Formula};
use super::{Arith, Cond, Key, Num, PacketField, PacketRef, Read, interval};
use crate::number::{Fixed, Ratio};
use std::cmp::Ordering;

/// The most combinations that are tried: eight facts with three outcomes each.
const MOST_COMBINATIONS: usize = 6_561;

/// Returns the keys of an order: `before` holds exactly if the first key that differs says so.
///
/// The list is empty if `before` never holds. `None` if `before` is no such list, or that could not be proved. A key is left out if earlier
/// keys determine it, such as `min(p.value, 9)` after `p.value`.
///
/// The keys are those of `before`; the caller adds the tie-breaker. A last key `arrival`, lowest first, can be left out
/// where ties are in order of arrival, as in service. A last `arrival`, highest first, can be left out where ties are in the
/// reverse order, as for victims (`docs/openqueue-semantics.md`, 4.3; see [`Key::is_arrival`]).
#[must_use]
pub fn keys_of(before: &Cond) -> Option<Vec<Key>> {
    let (found, facts) = list(before)?;
    let mut keys: Vec<Key> = Vec::new();
    for found in found {
        let key = found.key(&facts)?;
        if !is_fixed(&key.value, &keys) {
            keys.push(key);
        }
    }
    Some(keys)
}

/// Whether it is proved that a comparator is an order: it is a list of keys, ratios, or numbers with live parameters. A structure that does
/// not compare all pairs, such as a heap, then finds the same packet as a scan.
#[must_use]
pub fn is_proved(before: &Cond) -> bool {
    list(before).is_some()
}

fn list(before: &Cond) -> Option<(Vec<Found>, Vec<Fact>)> {
    let (formula, facts) = Facts::of(before)?;
    let combinations = facts.iter().try_fold(1_usize, |all, fact| all.checked_mul(fact.outcomes().len()))?;
    if combinations > MOST_COMBINATIONS {
        return None;
    }
    let mut search = Search { formula: &formula, facts: &facts, outcomes: vec![None; facts.len()] };
    let found = search.keys()?;
    Some((found, facts))
}

/// Whether objects that tie in all of `keys` tie in this number, since every property that it reads is a key.
fn is_fixed(number: &Num, keys: &[Key]) -> bool {
    let mut fixed = true;
    number.reads(&mut |read| fixed &= keys.iter().any(|key| key.value == Num::Read(read)));
    fixed
}

impl Key {
    /// Whether the key is the time of arrival.
    #[must_use]
    pub fn is_arrival(&self) -> bool {
        self.value == Num::Read(Read::Packet(PacketRef::This, PacketField::Arrival))
    }
}

/// A fact as a key.
#[derive(Clone, PartialEq, Eq)]
struct Found {
    fact: usize,
    descending: bool,
    /// The tests that an object must pass, or must not pass, for this key to apply.
    among: Vec<(usize, bool)>,
}

impl Found {
    /// Converts the fact into a key, which is 0 for objects to which it does not apply. `None` if there is no such key.
    fn key(self, facts: &[Fact]) -> Option<Key> {
        let one = || Num::Const(Ratio::ONE);
        let value = self.among.iter().try_fold(facts[self.fact].value()?.clone(), |value, (test, passes)| {
            let test = facts[*test].value()?;
            let is_one = interval(test).greatest == Fixed::whole(1);
            let passed =
                if *passes { test.clone() } else { Num::Arith(Arith::Sub, Box::new(one()), Box::new(test.clone())) };
            is_one.then(|| Num::Arith(Arith::Mul, Box::new(passed), Box::new(value)))
        })?;
        Some(Key { value, descending: self.descending })
    }
}

struct Search<'a> {
    formula: &'a Formula,
    facts: &'a [Fact],
    /// The assumed outcome of each fact.
    outcomes: Vec<Option<u8>>,
}

impl Search<'_> {
    /// Returns the keys that decide under the assumed outcomes.
    fn keys(&mut self) -> Option<Vec<Found>> {
        if let Some(always) = self.always() {
            return (!always).then(Vec::new);
        }
        for fact in 0..self.facts.len() {
            if self.outcomes[fact].is_some() {
                continue;
            }
            if let Some(descending) = self.decides(fact) {
                let rest = self.under_ties(fact)?;
                return Some([vec![Found { fact, descending, among: Vec::new() }], rest].concat());
            }
        }
        None
    }

    /// If a fact decides alone unless it is a tie, returns whether the highest is first.
    fn decides(&mut self, fact: usize) -> Option<bool> {
        let mut first = [None; 2];
        for (outcome, order) in self.facts[fact].outcomes().iter().enumerate() {
            if *order == Ordering::Equal {
                continue;
            }
            let always = self.assume(fact, outcome, |search| search.always())?;
            let known = &mut first[usize::from(*order == Ordering::Greater)];
            if known.is_some_and(|known| known != always) {
                return None;
            }
            *known = Some(always);
        }
        match first {
            [Some(false), Some(true)] => Some(true),
            [Some(true), Some(false)] => Some(false),
            _ => None,
        }
    }

    /// Returns the remaining keys if a fact is a tie.
    ///
    /// If the fact is a test, objects that pass can have other keys than objects that do not.
    fn under_ties(&mut self, fact: usize) -> Option<Vec<Found>> {
        let outcomes = self.facts[fact].outcomes().iter().enumerate();
        let ties: Vec<usize> = outcomes.filter(|(_, order)| order.is_eq()).map(|(outcome, _)| outcome).collect();
        match ties[..] {
            [neither, both] => {
                let (mut others, mut passing) =
                    (self.assume(fact, neither, Self::keys)?, self.assume(fact, both, Self::keys)?);
                // The last keys are often the same.
                let same =
                    others.iter().rev().zip(passing.iter().rev()).take_while(|(one, other)| one == other).count();
                let last = others.split_off(others.len() - same);
                passing.truncate(passing.len() - same);
                for (keys, passes) in [(&mut passing, true), (&mut others, false)] {
                    keys.iter_mut().for_each(|key| key.among.push((fact, passes)));
                }
                Some([passing, others, last].concat())
            }
            [tie] => self.assume(fact, tie, Self::keys),
            _ => None,
        }
    }

    fn assume<T>(&mut self, fact: usize, outcome: usize, then: impl FnOnce(&mut Self) -> T) -> T {
        self.outcomes[fact] = u8::try_from(outcome).ok();
        let result = then(self);
        self.outcomes[fact] = None;
        result
    }

    /// Returns the value of the formula, if the outcomes of the other facts do not matter.
    fn always(&self) -> Option<bool> {
        let free: Vec<usize> = (0..self.facts.len()).filter(|fact| self.outcomes[*fact].is_none()).collect();
        let mut outcomes: Vec<u8> = self.outcomes.iter().map(|outcome| outcome.unwrap_or(0)).collect();
        let first = self.formula.holds(&outcomes);
        loop {
            // Counts through all combinations, the last fact first.
            let more = free.iter().rev().any(|fact| {
                let more = usize::from(outcomes[*fact]) + 1 < self.facts[*fact].outcomes().len();
                outcomes[*fact] = if more { outcomes[*fact] + 1 } else { 0 };
                more
            });
            if !more {
                return Some(first);
            }
            if self.formula.holds(&outcomes) != first {
                return None;
            }
        }
    }
}
