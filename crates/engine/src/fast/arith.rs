//! Arithmetic of run-time numbers in machine integers, bit by bit as in `docs/openqueue-semantics.md`, section 3.

use forebay_lang::ir::Arith;
use forebay_lang::{Fixed, Ratio};

/// Returns the result of an operation on two numbers at run time.
#[inline]
pub(super) fn apply(arith: Arith, left: i64, right: i64) -> i64 {
    match arith {
        // Cut sums lie beyond the range by less than its width.
        Arith::Add => left.saturating_add(right),
        Arith::Sub => left.saturating_sub(right),
        Arith::Min => left.min(right),
        Arith::Max => left.max(right),
        Arith::Mul => Fixed::saturating((i128::from(left) * i128::from(right)) >> Fixed::FRACTION_BITS).0,
        Arith::Div | Arith::Mod if right == 0 => 0,
        Arith::Div => Fixed::saturating(floor_div(i128::from(left) << Fixed::FRACTION_BITS, i128::from(right))).0,
        Arith::Mod => match left.checked_rem(right) {
            Some(rest) if rest != 0 && (rest < 0) != (right < 0) => rest + right,
            Some(rest) => rest,
            // i64::MIN by -1.
            None => 0,
        },
    }
}

/// Returns the quotient, rounded down.
fn floor_div(left: i128, right: i128) -> i128 {
    let quotient = left / right;
    if left % right != 0 && (left < 0) != (right < 0) { quotient - 1 } else { quotient }
}

/// Returns the result of an operation with a constant that is no multiple of 1/65,536. A product with a constant is common (`.1 *
/// b.currSize`) and has its own path.
pub(super) fn apply_exact(arith: Arith, left: Ratio, right: Ratio) -> i64 {
    Fixed::floor(arith.exact(left, right)).0
}

/// Multiplies a number at run time by a constant; `None` if the product does not fit.
#[inline]
pub(super) fn scale(number: i64, by: Ratio) -> Option<i64> {
    let product = i128::from(number).checked_mul(*by.numer())?;
    Some(Fixed::saturating(floor_div(product, *by.denom())).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt;

    /// Returns numbers of units near 0, near each power of two and near both ends.
    fn edges() -> Vec<i64> {
        let mut all: Vec<i64> = (-3..=3).flat_map(|near| [near, i64::MAX - 3 - near, i64::MIN + 3 + near]).collect();
        all.extend(
            (2..63).flat_map(|bit| (-1..=1).flat_map(move |near| [(1_i64 << bit) + near, -(1_i64 << bit) + near])),
        );
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the result that the language defines. Another test compares the language with integers of 128 bits.
    fn model(arith: Arith, one: i64, other: i64) -> i64 {
        Fixed::floor(arith.exact(Fixed(one).exact(), Fixed(other).exact())).0
    }

    #[test]
    fn every_pair_of_numbers_at_edges_is_rounded_and_cut_as_written() {
        let edges = edges();
        assert!(edges.len() > 350, "{}", edges.len());
        for arith in Arith::ALL {
            for (&one, &other) in edges.iter().flat_map(|one| edges.iter().map(move |other| (one, other))) {
                assert_eq!(apply(*arith, one, other), model(*arith, one, other), "{one} {arith} {other}");
            }
        }
    }

    #[test]
    fn every_number_at_an_edge_times_a_constant_is_rounded_and_cut_as_written() {
        let most = (1_i128 << 47) * 1_000_000 - 1;
        let constants =
            [(1, 3), (2, 3), (7, 5), (1, 1_000_000), (999_999, 1_000_000), (most, 1_000_000), ((1 << 47) - 1, 1)];
        for (numerator, denominator) in constants.iter().flat_map(|(up, down)| [(*up, *down), (-up, *down)]) {
            for one in edges() {
                let by = Ratio::new(numerator, denominator);
                // A product of more than 127 bits is left to the slow way.
                let product = i128::from(one).checked_mul(*by.numer());
                let right = product.map(|product| Fixed::saturating(product.div_euclid(*by.denom())).0);
                assert_eq!(scale(one, by), right, "{one} * {by}");
            }
        }
    }

    #[test]
    fn machine_integers_give_the_exact_results_rounded_down() {
        let mut rng = Seed(5).stream("arith");
        let mut draw = || {
            let near = [0, 1 << 16, -(1 << 16), i64::MAX, i64::MIN, rng.random::<i64>(), rng.random::<i64>() >> 24];
            near[rng.random_range(0..near.len())].saturating_add(rng.random_range(-3..=3))
        };
        for _ in 0..50_000 {
            let (left, right) = (draw(), draw());
            for arith in Arith::ALL {
                assert_eq!(apply(*arith, left, right), model(*arith, left, right), "{left} {arith} {right}");
            }
            let constant = Ratio::new(i128::from(right >> 40), 999_983);
            let exact = apply_exact(Arith::Mul, Fixed(left).exact(), constant);
            assert_eq!(scale(left, constant), Some(exact), "{left} * {constant}");
        }
    }
}
