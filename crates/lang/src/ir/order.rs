//! Checks whether a comparator is an order: a strict weak order (`docs/openqueue-semantics.md`, 4.1).
//!
//! A comparator is an order if it compares lists of numbers, and the first number that differs decides. The numbers may be keys,
//! ratios such as `p1.processing * p2.size < p2.processing * p1.size` with a denominator above zero, and terms with live
//! parameters. For any other comparator, a search looks for a counterexample. It first tries objects whose properties are small or
//! near the constants of the comparator. It then tries properties near powers of two, at the ends of their ranges, and anywhere
//! between. If about 60,000 evaluations find none, the comparator is neither proved nor refuted.

use super::comparator_sides::of_this;
use super::counterexample::{Law, Object, Pair, broken, shrunk};
use super::keys::{is_proved, keys_of};
use super::{Cond, Counterexample, Interval, Key, Num, PacketField, QueueField, Read};
use crate::number::{Fixed, Ratio};
use forebay_core::{Rng, Seed};
use rand::RngExt as _;

/// The number of objects that are compared with each other in each round.
const OBJECTS: usize = 128;
const LATER_OBJECTS: usize = 64;
const LATER_ROUNDS: u64 = 4;
/// The number of rounds with properties of any size.
const WIDE_ROUNDS: u64 = 8;

/// The result for a comparator that could not be refuted.
#[derive(Debug, Clone, PartialEq)]
pub enum Known {
    /// The comparator is an order, by these keys.
    ByKeys(Vec<Key>),
    /// The comparator is an order, by numbers that are no keys: ratios, or numbers with live parameters.
    Proved,
    /// No counterexample was found.
    NotRefuted,
}

/// Checks whether a comparator is an order, as far as that can be decided.
///
/// The result is always the same for the same comparator.
///
/// # Errors
/// If the comparator is no order. The error has objects that show it.
pub fn order(before: &Cond) -> Result<Known, Counterexample> {
    if let Some(keys) = keys_of(before) {
        return Ok(Known::ByKeys(keys));
    }
    if is_proved(before) {
        return Ok(Known::Proved);
    }
    if has_long_constant(before) {
        return Ok(Known::NotRefuted);
    }
    let domains = domains(before);
    let mut rng = Seed(0).stream("counterexample");
    for round in 0..=LATER_ROUNDS + WIDE_ROUNDS {
        let objects = match round {
            0 => smallest(&domains, &mut rng),
            1..=LATER_ROUNDS => random(&domains, LATER_OBJECTS, &mut rng),
            _ => random(&widened(&domains, &mut rng), LATER_OBJECTS, &mut rng),
        };
        if let Some((law, found)) = among(before, &objects) {
            return Err(shrunk(before, law, found, &|read, value| at_least(&domains, read) <= value));
        }
    }
    Ok(Known::NotRefuted)
}

/// Returns objects for which a comparator is no order, if the search finds some.
#[must_use]
pub fn refute(before: &Cond) -> Option<Counterexample> {
    order(before).err()
}

/// Whether a constant has so many digits that its products might not fit.
fn has_long_constant(before: &Cond) -> bool {
    let mut found = false;
    before.numbers(&mut |number| {
        found |= matches!(number, Num::Const(constant) if constant.numer().unsigned_abs() > 1 << 62);
    });
    found
}

/// The values that are tried for a property, the simplest first.
struct Domain {
    read: Read,
    values: Vec<Fixed>,
}

fn domains(before: &Cond) -> Vec<Domain> {
    let mut reads = Vec::new();
    let mut add = |number: &Num| {
        of_this(number).reads(&mut |read| {
            if !reads.contains(&read) {
                reads.push(read);
            }
        });
    };
    let mut constants = Vec::new();
    before.numbers(&mut |number| match number {
        Num::Read(_) => add(number),
        Num::Const(constant) => constants.push(*constant),
        Num::Neg(_) | Num::Arith(..) => {}
    });
    let values = |read: Read| {
        let all = Interval::of_read(read);
        let always = matches!(
            read,
            Read::Packet(_, PacketField::Size | PacketField::PolicyId)
                | Read::Queue(_, QueueField::Size | QueueField::CurrSize)
        );
        let least = if always { Fixed::whole(1) } else { all.least };
        let near =
            constants.iter().flat_map(|constant| [0, -1, 1].map(|step| constant.floor() + Ratio::from_integer(step)));
        let simple = [0, 1, 2, 3, -1].map(Ratio::from_integer);
        let mut values: Vec<Fixed> = Vec::new();
        for value in simple.into_iter().chain(near).map(Fixed::floor) {
            if least <= value && value <= all.greatest && !values.contains(&value) {
                values.push(value);
            }
        }
        values
    };
    reads.iter().map(|read| Domain { read: *read, values: values(*read) }).collect()
}

/// Returns domains with properties of any size: near powers of two, at the ends of the range, and anywhere.
fn widened(domains: &[Domain], rng: &mut Rng) -> Vec<Domain> {
    let mut widened = Vec::new();
    for domain in domains {
        let all = Interval::of_read(domain.read);
        let least = at_least(domains, domain.read).max(all.least);
        let mut values = domain.values.clone();
        for power in [7, 8, 15, 16, 23, 24, 28, 31, 32, 39, 46, 47] {
            values.extend([-1, 0, 1].map(|step| Fixed::whole((1_u64 << power).saturating_add_signed(step))));
        }
        values.extend([least, all.greatest]);
        for _ in 0..8 {
            // As many numbers of each length.
            let bits = rng.random_range(0..63);
            let number = Fixed(rng.random_range(0..=i64::MAX) >> bits);
            let number =
                if all.whole { Fixed(number.0 >> Fixed::FRACTION_BITS << Fixed::FRACTION_BITS) } else { number };
            values.extend([number, Fixed(-number.0)]);
        }
        values.retain(|value| least <= *value && *value <= all.greatest);
        widened.push(Domain { read: domain.read, values });
    }
    widened
}

fn at_least(domains: &[Domain], read: Read) -> Fixed {
    let values = domains.iter().filter(|domain| domain.read == read).flat_map(|domain| domain.values.iter());
    values.min().copied().unwrap_or_default()
}

/// Returns all objects if there are few; otherwise those with the simplest values, and random ones.
fn smallest(domains: &[Domain], rng: &mut Rng) -> Vec<Object> {
    let count =
        |most: usize| domains.iter().try_fold(1_usize, |all, domain| all.checked_mul(domain.values.len().min(most)));
    let longest = domains.iter().map(|domain| domain.values.len()).max().unwrap_or(0);
    let fits = |most: &usize| count(*most).is_some_and(|all| all <= OBJECTS);
    let most = (1..=longest).rev().find(fits).unwrap_or(0);
    let mut objects: Vec<Object> = if most == 0 { Vec::new() } else { vec![Vec::new()] };
    for domain in domains.iter().filter(|_| most > 0) {
        objects = objects
            .iter()
            .flat_map(|object| {
                domain.values.iter().take(most).map(|value| [&object[..], &[(domain.read, *value)]].concat())
            })
            .collect();
    }
    if most < longest {
        let missing = OBJECTS - objects.len();
        objects.extend(random(domains, missing, rng));
    }
    objects
}

/// Returns random objects, half of which differ from another one in only one property.
fn random(domains: &[Domain], count: usize, rng: &mut Rng) -> Vec<Object> {
    let mut objects: Vec<Object> = Vec::new();
    while objects.len() < count {
        let draw = |domain: &Domain, rng: &mut Rng| domain.values[rng.random_range(0..domain.values.len())];
        let object = match objects.last() {
            Some(last) if rng.random_range(0..2) == 0 && !domains.is_empty() => {
                let mut object = last.clone();
                let place = rng.random_range(0..domains.len());
                object[place].1 = draw(&domains[place], rng);
                object
            }
            _ => domains.iter().map(|domain| (domain.read, draw(domain, rng))).collect(),
        };
        objects.push(object);
    }
    objects
}

/// Returns the first objects that break a law.
fn among(before: &Cond, objects: &[Object]) -> Option<(Law, Vec<Object>)> {
    let (law, places) = broken_among(before, objects)?;
    Some((law, places.into_iter().map(|place| objects[place].clone()).collect()))
}

/// Returns the law that some of these objects break, and the indices of the first that do. Each object has all values that the comparator
/// reads, as reads of `This`.
///
/// In an order, one object is before another exactly if fewer objects are before it. So two passes over the pairs show whether a law is
/// broken.
#[must_use]
pub fn broken_among(before: &Cond, objects: &[Vec<(Read, Fixed)>]) -> Option<(Law, Vec<usize>)> {
    let count = objects.len();
    let is_before: Vec<Vec<bool>> =
        objects.iter().map(|one| objects.iter().map(|other| Pair(one, other).holds(before)).collect()).collect();
    let rank: Vec<usize> = (0..count).map(|place| is_before.iter().filter(|row| row[place]).count()).collect();
    let pairs = || (0..count).flat_map(|one| (0..count).map(move |other| (one, other)));
    if pairs().all(|(one, other)| is_before[one][other] == (rank[one] < rank[other])) {
        return None;
    }
    if let Some((one, other)) = pairs().find(|(one, other)| is_before[*one][*other] && is_before[*other][*one]) {
        return Some((Law::Asymmetry, vec![one, other]));
    }
    for (one, other) in pairs() {
        for third in 0..count {
            let relation = |one: usize, other: usize| is_before[one][other];
            if let Some(law) = broken(
                [relation(one, other), relation(other, third), relation(one, third)],
                [relation(other, one), relation(third, other), relation(third, one)],
            ) {
                return Some((law, vec![one, other, third]));
            }
        }
    }
    None
}
