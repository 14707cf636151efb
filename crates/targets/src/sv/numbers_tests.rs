//! Netlists of numbers are held equal to the language's own evaluation, on random expressions and numbers.

use super::net::{Net, Range};
use super::numbers::{Numbers, Scope, Value, Wrong, signal};
use super::scope::member;
use forebay_core::{Rng, Seed};
use forebay_lang::ir::{Arith, Cond, Interval, Num, PacketField, PacketRef, Read, Relation};
use forebay_lang::{Fixed, Ratio};
use rand::RngExt;

/// Signals with different bounds.
const SIGNALS: [PacketField; 5] =
    [PacketField::Value, PacketField::Size, PacketField::Rank, PacketField::Flow, PacketField::Class];

pub(super) fn bounds(field: PacketField) -> Interval {
    let of =
        |least: i64, greatest: i64, whole: bool| Interval { least: Fixed(least), greatest: Fixed(greatest), whole };
    match field {
        PacketField::Value => of(0, 9 << 16, true),
        PacketField::Size => of(0, ((1 << 14) - 1) << 16, true),
        PacketField::Rank => of(-(5 << 16), 1 << 20, false),
        PacketField::Flow => Interval::ALL,
        _ => of(-(1 << 62), (1 << 47) << 15, true),
    }
}

pub(super) struct Signals;

impl Scope for Signals {
    fn read(&self, read: Read, net: &mut Net) -> Result<Value, &'static str> {
        let Read::Packet(_, field) = read else { return Err("no packet") };
        Ok(signal(net, member(field), true, bounds(field)))
    }
}

/// A number between the bounds of a signal.
pub(super) fn any(field: PacketField, rng: &mut Rng) -> Fixed {
    let of = bounds(field);
    let span = of.greatest.0.abs_diff(of.least.0);
    let above = match rng.random_range(0..8) {
        0 => 0,
        1 => span,
        2 => of.least.0.unsigned_abs().min(span),
        _ => rng.random_range(0..=span) >> rng.random_range(0..64),
    };
    let value = of.least.0.wrapping_add_unsigned(above);
    Fixed(if of.whole { value >> 16 << 16 } else { value })
}

fn constant(rng: &mut Rng) -> Num {
    let denominator = [1, 1, 1, 2, 3, 10, 512, 65_536, 999_983][rng.random_range(0..9_usize)];
    let most = [3, 100, 70_000, 1 << 30][rng.random_range(0..4_usize)];
    Num::Const(Ratio::new(rng.random_range(-most..=most), denominator))
}

/// A random expression.
pub(super) fn number(rng: &mut Rng, depth: u32) -> Num {
    match rng.random_range(0..8) {
        0 | 1 => constant(rng),
        2..=5 if depth > 0 => {
            let (left, right) = (number(rng, depth - 1), number(rng, depth - 1));
            Num::Arith(Arith::ALL[rng.random_range(0..Arith::ALL.len())], Box::new(left), Box::new(right))
        }
        6 if depth > 0 => Num::Neg(Box::new(number(rng, depth - 1))),
        _ => Num::Read(Read::Packet(PacketRef::Arriving, SIGNALS[rng.random_range(0..SIGNALS.len())])),
    }
}

fn given(rng: &mut Rng) -> Vec<(PacketField, Fixed)> {
    SIGNALS.iter().map(|field| (*field, any(*field, rng))).collect()
}

fn of(all: &[(PacketField, Fixed)], read: Read) -> Fixed {
    let found = all.iter().find(|(field, _)| matches!(read, Read::Packet(_, of) if of == *field));
    found.map(|(_, value)| *value).unwrap()
}

/// The same as the netlist's inputs.
fn input(all: &[(PacketField, Fixed)], text: &str) -> i128 {
    let (field, value) = all.iter().find(|(field, _)| member(*field) == text).unwrap();
    i128::from(if bounds(*field).whole { value.0 >> 16 } else { value.0 })
}

#[test]
fn netlists_are_what_the_language_says() {
    let (mut tried, mut wide) = (0, 0);
    for seed in 0..4_000 {
        let rng = &mut Seed(seed).stream("numbers");
        let expression = number(rng, 2);
        let mut net = Net::default();
        let value = match (Numbers { net: &mut net, scope: &Signals }).number(&expression) {
            Ok(value) => value,
            Err(Wrong::TooWide(_)) => {
                wide += 1;
                continue;
            }
            Err(wrong) => panic!("{wrong:?}"),
        };
        for _ in 0..20 {
            let signals = given(rng);
            let right = Fixed::floor(expression.value(&mut |read| of(&signals, read)));
            let found = match value {
                Value::Known(constant) => Fixed::floor(constant).0.into(),
                Value::Node { id, whole } => {
                    net.values(&|text| input(&signals, text))[id.0] << if whole { 16 } else { 0 }
                }
            };
            assert_eq!(found, i128::from(right.0), "seed {seed}: {expression} of {signals:?}");
            tried += 1;
        }
    }
    assert!(tried > 50_000 && wide < 800, "{tried} tried, {wide} too wide");
}

#[test]
fn conditions_are_what_the_language_says() {
    for seed in 0..2_000 {
        let rng = &mut Seed(seed).stream("conditions");
        let relation = Relation::ALL[rng.random_range(0..Relation::ALL.len())];
        let (left, right) = (number(rng, 1), number(rng, 1));
        let cond = Cond::Not(Box::new(Cond::Compare(relation, left, right)));
        let mut net = Net::default();
        let Ok(id) = (Numbers { net: &mut net, scope: &Signals }).truth(&cond) else { continue };
        for _ in 0..20 {
            let signals = given(rng);
            let found = net.values(&|text| input(&signals, text))[id.0];
            assert_eq!(found != 0, cond.holds(&mut |read| of(&signals, read)), "seed {seed}: {cond} of {signals:?}");
        }
    }
}

#[test]
fn bounds_are_kept_to_a_bit() {
    let mut net = Net::default();
    let read = |field| Num::Read(Read::Packet(PacketRef::Arriving, field));
    let sum = Num::Arith(Arith::Add, Box::new(read(PacketField::Value)), Box::new(read(PacketField::Size)));
    let value = (Numbers { net: &mut net, scope: &Signals }).number(&sum).unwrap();
    let Value::Node { id, whole } = value else { panic!("{value:?}") };
    assert_eq!((net.range(id), whole), (Range::new(0, 16_392), true));
}
