//! Constants: exact numbers with units, limited so that no operation overflows.

use crate::ir::Arith;
use crate::number::{MAX_DENOMINATOR, Ratio};
use crate::unit::Unit;

/// A constant is between -2^47 and 2^47, as a number at run time is.
const MAX_BITS: u32 = 47;

/// Why a constant cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    TooLarge,
    TooFine,
    ByZero,
}

/// Parses a number into its base unit: bytes, nanoseconds, bits per second, percent.
pub(crate) fn number(text: &str, unit: Option<&str>) -> (Result<Ratio, Trouble>, Unit) {
    let (factor, unit): (i128, Unit) = match unit {
        None => (1, Unit::None),
        Some("B") => (1, Unit::Bytes),
        Some("KB") => (1_000, Unit::Bytes),
        Some("MB") => (1_000_000, Unit::Bytes),
        Some("GB") => (1_000_000_000, Unit::Bytes),
        Some("KiB") => (1 << 10, Unit::Bytes),
        Some("MiB") => (1 << 20, Unit::Bytes),
        Some("GiB") => (1 << 30, Unit::Bytes),
        Some("pkts") => (1, Unit::Packets),
        Some("bps") => (1, Unit::BitsPerSecond),
        Some("kbps") => (1_000, Unit::BitsPerSecond),
        Some("Mbps") => (1_000_000, Unit::BitsPerSecond),
        Some("Gbps") => (1_000_000_000, Unit::BitsPerSecond),
        Some("ns") => (1, Unit::Nanoseconds),
        Some("us") => (1_000, Unit::Nanoseconds),
        Some("ms") => (1_000_000, Unit::Nanoseconds),
        Some("s") => (1_000_000_000, Unit::Nanoseconds),
        Some("%") => (1, Unit::Percent),
        // The parser has complained.
        Some(_) => (1, Unit::None),
    };
    let number = decimal(text).and_then(|number| {
        let numerator = number.numer().checked_mul(factor).ok_or(Trouble::TooLarge)?;
        fit(Ratio::new(numerator, *number.denom()))
    });
    (number, unit)
}

/// Parses `1_000`, `0.5` or `.95`, unless it has too many digits.
fn decimal(text: &str) -> Result<Ratio, Trouble> {
    const MAX_DIGITS: usize = 18;
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    if whole.len() > MAX_DIGITS {
        return Err(Trouble::TooLarge);
    }
    let places = u32::try_from(fraction.len()).ok().filter(|_| fraction.len() <= MAX_DIGITS).ok_or(Trouble::TooFine)?;
    let number: i128 = format!("0{whole}{fraction}").parse().map_err(|_| Trouble::TooLarge)?;
    Ok(Ratio::new(number, 10_i128.pow(places)))
}

/// Returns the number, if it is small enough.
pub(crate) fn fit(number: Ratio) -> Result<Ratio, Trouble> {
    if *number.denom() > MAX_DENOMINATOR {
        Err(Trouble::TooFine)
    } else if number.numer() / number.denom() >= 1 << MAX_BITS || number.numer() / number.denom() <= -(1 << MAX_BITS) {
        Err(Trouble::TooLarge)
    } else {
        Ok(number)
    }
}

/// Returns the exact result of an operation on constants that [`fit`].
pub(super) fn compute(arith: Arith, left: Ratio, right: Ratio) -> Result<Ratio, Trouble> {
    if matches!(arith, Arith::Div | Arith::Mod) && *right.numer() == 0 {
        return Err(Trouble::ByZero);
    }
    // Each has less than 2^67 over less than 2^20: only products and quotients can be out of any range.
    let size = |number: Ratio| number.numer().unsigned_abs() / number.denom().unsigned_abs() + 1;
    let too_large = match arith {
        Arith::Mul => size(left) * size(right) > 1 << (MAX_BITS + 3),
        Arith::Div => size(left) * size(right.recip()) > 1 << (MAX_BITS + 23),
        _ => false,
    };
    if too_large { Err(Trouble::TooLarge) } else { fit(arith.exact(left, right)) }
}

/// Returns the unit of two values that are added or compared; `None` if the units are incompatible.
pub(super) fn common(left: Unit, right: Unit) -> Option<Unit> {
    match (left, right) {
        (Unit::None, unit) | (unit, Unit::None) => Some(unit),
        (left, right) => (left == right).then_some(left),
    }
}

/// Returns the unit of a product or quotient.
pub(super) fn product(arith: Arith, left: Unit, right: Unit) -> Unit {
    match (arith, left, right) {
        (_, unit, Unit::None) => unit,
        (Arith::Mul, Unit::None, unit) => unit,
        (_, Unit::Compound, _) | (_, _, Unit::Compound) => Unit::Compound,
        (Arith::Div, left, right) if left == right => Unit::None,
        _ => Unit::Compound,
    }
}
