//! Operators of P4 on every pair of numbers at edges, against integers of 128 bits.

use super::{Value, binary};

/// 0, 1, 2, and powers of two with their neighbours, up to a width's end.
fn edges(width: u32) -> Vec<u128> {
    let powers = (1..=width).flat_map(|bit| [(1_u128 << bit) - 1, 1 << bit, (1 << bit) + 1]);
    let mut all: Vec<u128> = [0, 1].into_iter().chain(powers).filter(|number| number >> width == 0).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn every_operator_on_numbers_at_edges_wraps_at_the_width() {
    for width in [1, 8, 9, 32, 46, 47, 48, 63, 64] {
        let modulus = 1_i128 << width;
        for &one in &edges(width) {
            for &other in &edges(width) {
                let value = |operator| binary(operator, Value::Bits(one, Some(width)), Value::Bits(other, Some(width)));
                let (a, b) = (i128::try_from(one).unwrap(), i128::try_from(other).unwrap());
                // A product of two numbers of 64 bits has 128, of which the lower are the same without a sign.
                let product = one.wrapping_mul(other) % modulus.unsigned_abs();
                let number = |number: i128| Value::Bits(number.rem_euclid(modulus).unsigned_abs(), Some(width));
                for (operator, expected) in [
                    ("+", number(a + b)),
                    ("-", number(a - b)),
                    ("*", Value::Bits(product, Some(width))),
                    ("&", number(a & b)),
                    ("|", number(a | b)),
                    ("<", Value::Bool(a < b)),
                    ("<=", Value::Bool(a <= b)),
                    (">", Value::Bool(a > b)),
                    (">=", Value::Bool(a >= b)),
                    ("==", Value::Bool(a == b)),
                    ("!=", Value::Bool(a != b)),
                ] {
                    assert_eq!(value(operator), expected, "{one} {operator} {other} of {width} bits");
                }
            }
            for by in 0..width {
                let shifted = |operator| binary(operator, Value::Bits(one, Some(width)), Value::Bits(by.into(), None));
                let times = Value::Bits(one * (1 << by) % modulus.unsigned_abs(), Some(width));
                assert_eq!(shifted("<<"), times, "{one} << {by} of {width} bits");
                assert_eq!(shifted(">>"), Value::Bits(one / (1 << by), Some(width)), "{one} >> {by} of {width} bits");
            }
        }
    }
}
