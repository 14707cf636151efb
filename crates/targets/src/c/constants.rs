//! Constants: exact fractions, and operations of a number with one (`docs/openqueue-semantics.md`, 3.2).

use forebay_lang::ir::Arith;
use forebay_lang::{Fixed, Ratio};

/// Returns a number at run time as a C literal.
pub(super) fn literal(number: Fixed) -> String {
    match number.0 {
        i64::MIN => "OQ_LEAST".to_owned(),
        i64::MAX => "OQ_MOST".to_owned(),
        units if i128::from(units) % Fixed::UNITS == 0 => format!("OQ_WHOLE({})", units >> Fixed::FRACTION_BITS),
        units => format!("{units}LL /* {number} */"),
    }
}

/// The absolute value of a constant, in parts that fit C's types.
struct Size {
    negative: bool,
    numerator: u128,
    denominator: u128,
}

impl Size {
    fn of(constant: Ratio) -> Self {
        Self {
            negative: *constant.numer() < 0,
            numerator: constant.numer().unsigned_abs(),
            denominator: constant.denom().unsigned_abs(),
        }
    }

    fn sign(&self) -> u8 {
        u8::from(self.negative)
    }
}

/// Returns a number of 128 bits as two arguments.
fn halves(number: u128) -> String {
    format!("{:#x}ULL, {:#x}ULL", number >> 64, number & u128::from(u64::MAX))
}

fn is_fixed(constant: Ratio) -> bool {
    Fixed::floor(constant).exact() == constant
}

/// Returns an operation whose operands are both known only at run time.
pub(super) fn both(arith: Arith, left: &str, right: &str) -> String {
    let function = match arith {
        Arith::Add => "oq_add",
        Arith::Sub => "oq_sub",
        Arith::Mul => "oq_mul",
        Arith::Div => "oq_div",
        Arith::Mod => "oq_mod",
        Arith::Min => "oq_min",
        Arith::Max => "oq_max",
    };
    format!("{function}({left}, {right})")
}

/// Returns `left arith constant`.
pub(super) fn on_the_right(arith: Arith, left: &str, constant: Ratio) -> String {
    let below = literal(Fixed::floor(constant));
    let zero = *constant.numer() == 0;
    if is_fixed(constant) || zero {
        return both(arith, left, &below);
    }
    let size = Size::of(constant);
    let (sign, by) = (size.sign(), size.denominator);
    match arith {
        // A sum is rounded as the constant is.
        Arith::Add | Arith::Min | Arith::Max => both(arith, left, &below),
        Arith::Sub => both(Arith::Add, left, &literal(Fixed::floor(-constant))),
        Arith::Mul => {
            let (whole, part) = (size.numerator / by, size.numerator % by);
            format!("oq_times({left}, {whole}, {part}, {by}, {sign}) /* by {constant} */")
        }
        Arith::Div => format!("oq_over({left}, {by}, {}, {sign}) /* by {constant} */", halves(size.numerator)),
        Arith::Mod => format!("oq_mod_by({left}, {by}, {}, {sign}) /* by {constant} */", halves(size.numerator << 16)),
    }
}

/// Returns `constant arith right`.
pub(super) fn on_the_left(arith: Arith, constant: Ratio, right: &str) -> String {
    let below = literal(Fixed::floor(constant));
    if is_fixed(constant) {
        return both(arith, &below, right);
    }
    let size = Size::of(constant);
    let sign = size.sign();
    match arith {
        Arith::Add | Arith::Sub | Arith::Min | Arith::Max => both(arith, &below, right),
        Arith::Mul => on_the_right(arith, right, constant),
        Arith::Div => {
            let scaled = size.numerator << 32;
            let inexact = u8::from(!scaled.is_multiple_of(size.denominator));
            format!(
                "oq_under({}, {inexact}, {sign}, {right}) /* {constant} by it */",
                halves(scaled / size.denominator)
            )
        }
        Arith::Mod => {
            let (scaled, by) = (halves(size.numerator << 16), size.denominator);
            format!("oq_mod_of({scaled}, {by}, {sign}, {right}) /* {constant} by it */")
        }
    }
}
