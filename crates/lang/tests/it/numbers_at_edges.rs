//! Operations of the language on every pair of numbers at edges, against integers of 128 bits.

use forebay_lang::ir::{Arith, Num, PacketField, PacketRef, Read};
use forebay_lang::{Fixed, Ratio};

/// Units near 0, near each power of two, whole or not, and near both ends: 2^48 is 2^64 units, beyond both.
fn edges() -> Vec<i64> {
    let mut all: Vec<i64> = (-3..=3).flat_map(|near| [near, i64::MAX - 3 - near, i64::MIN + 3 + near]).collect();
    all.extend((2..63).flat_map(|bit| (-1..=1).flat_map(move |near| [(1_i64 << bit) + near, -(1_i64 << bit) + near])));
    all.sort_unstable();
    all.dedup();
    all
}

/// Constants: whole, with the greatest denominators, near the greatest number.
fn constants() -> Vec<Ratio> {
    let most = (1_i128 << 47) * 1_000_000 - 1;
    let fractions = [
        (1, 3),
        (2, 3),
        (7, 5),
        (1, 1_000_000),
        (999_999, 1_000_000),
        (most, 1_000_000),
        ((1 << 47) - 1, 1),
        (1, 65_536),
        (3, 131_072),
    ];
    let both =
        fractions.iter().flat_map(|(numerator, denominator)| [(*numerator, *denominator), (-numerator, *denominator)]);
    both.map(|(numerator, denominator)| Ratio::new(numerator, denominator)).collect()
}

fn cut(units: i128) -> i64 {
    i64::try_from(units).unwrap_or(if units < 0 { i64::MIN } else { i64::MAX })
}

fn floor(of: i128, by: i128) -> i128 {
    let rest = of % by;
    of / by - i128::from(rest != 0 && (rest < 0) != (by < 0))
}

/// What two numbers in units come to.
fn model(arith: Arith, one: i64, other: i64) -> i64 {
    let (one, other) = (i128::from(one), i128::from(other));
    cut(match arith {
        Arith::Add => one + other,
        Arith::Sub => one - other,
        Arith::Mul => floor(one * other, 65_536),
        Arith::Div | Arith::Mod if other == 0 => 0,
        Arith::Div => floor(one * 65_536, other),
        Arith::Mod => one - other * floor(one, other),
        Arith::Min => one.min(other),
        Arith::Max => one.max(other),
    })
}

fn read(field: PacketField) -> Box<Num> {
    Box::new(Num::Read(Read::Packet(PacketRef::Arriving, field)))
}

fn units(number: &Num, value: i64, rank: i64) -> i64 {
    Fixed::floor(number.value(&mut |read| match read {
        Read::Packet(_, PacketField::Value) => Fixed(value),
        _ => Fixed(rank),
    }))
    .0
}

#[test]
fn every_operation_on_numbers_at_edges_is_exact_then_rounded_and_cut() {
    let edges = edges();
    assert!(edges.len() > 350, "{}", edges.len());
    let negative = Num::Neg(read(PacketField::Value));
    for arith in Arith::ALL {
        let number = Num::Arith(*arith, read(PacketField::Value), read(PacketField::Rank));
        for &one in &edges {
            for &other in &edges {
                assert_eq!(units(&number, one, other), model(*arith, one, other), "{one} {arith} {other}");
            }
            assert_eq!(units(&negative, one, 0), cut(-i128::from(one)), "-{one}");
        }
    }
}

#[test]
fn every_operation_with_a_constant_is_exact_then_rounded_and_cut() {
    for constant in constants() {
        let (numerator, denominator) = (*constant.numer(), *constant.denom());
        for arith in [Arith::Add, Arith::Sub, Arith::Mul, Arith::Min, Arith::Max] {
            let number = Num::Arith(arith, read(PacketField::Value), Box::new(Num::Const(constant)));
            for one in edges() {
                let wide = i128::from(one);
                // All in units times the denominator.
                let (own, its) = (wide * denominator, numerator * 65_536);
                let exact = match arith {
                    Arith::Add => floor(own + its, denominator),
                    Arith::Sub => floor(own - its, denominator),
                    Arith::Min => floor(own.min(its), denominator),
                    Arith::Max => floor(own.max(its), denominator),
                    // A product of more than 127 bits by at most a million is beyond 64 bits.
                    _ => wide.checked_mul(numerator).map_or_else(
                        || if (one < 0) == (numerator < 0) { i128::MAX } else { i128::MIN },
                        |product| floor(product, denominator),
                    ),
                };
                assert_eq!(units(&number, one, 0), cut(exact), "{one} {arith} {constant}");
            }
        }
    }
}
