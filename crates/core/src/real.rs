//! Functions of real numbers whose results have the same bits on every machine.
//!
//! The standard library uses the platform's functions, and platforms differ in the last digits. So a draw would sometimes be off by a
//! packet or a picosecond. These functions are from the crate `libm`, in Rust alone. Networks and distributions of ranks and flow sizes use
//! them; arrivals at one port, latencies of caches and searches for attacks do not yet. Numbers for people only, such as a picture's axes,
//! need none of them. Neither do square roots, which IEEE 754 defines to the last bit.

use crate::Rng;
use rand::RngExt as _;

/// Returns e to the power of `x`.
#[must_use]
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Returns `exp(x) - 1`, precise also for `x` near 0.
#[must_use]
pub fn exp_m1(x: f64) -> f64 {
    libm::expm1(x)
}

/// Returns the natural logarithm of `x`.
#[must_use]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Returns `ln(1 + x)`, precise also for `x` near 0.
#[must_use]
pub fn ln_1p(x: f64) -> f64 {
    libm::log1p(x)
}

/// Returns `base` to the power of `exponent`.
#[must_use]
pub fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

/// Draws from the exponential distribution with mean 1, by inversion: from 0 to 36.7.
#[inline]
pub fn exponential(rng: &mut Rng) -> f64 {
    -ln(1.0 - rng.random::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    #[test]
    fn they_are_what_their_names_say() {
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-15, "{a} {b}");
        for x in [1e-12, 0.3, 1.0, 7.7, 300.0] {
            near(exp(x), x.exp());
            near(exp_m1(x), x.exp_m1());
            near(ln_1p(x), x.ln_1p());
            near(pow(x, -1.05), x.powf(-1.05));
            near(ln(x + 1.5), (x + 1.5).ln());
        }
    }

    #[test]
    fn the_bits_of_a_long_computation_are_known() {
        let mut rng = Seed(1).stream("real");
        let mut bits = 0_u64;
        for _ in 0..10_000 {
            let x = exponential(&mut rng);
            for y in [x, exp(-x), exp_m1(-x), ln_1p(x), pow(x + 0.5, 1.0 - x)] {
                bits = bits.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ y.to_bits();
            }
        }
        assert_eq!(bits, 5_893_604_856_401_996_729);
    }

    #[test]
    fn draws_have_mean_and_variance_1() {
        const DRAWS: usize = 100_000;
        let mut rng = Seed(2).stream("real");
        let draws: Vec<f64> = (0..DRAWS).map(|_| exponential(&mut rng)).collect();
        let mean = draws.iter().sum::<f64>() / DRAWS as f64;
        let variance = draws.iter().map(|draw| (draw - mean) * (draw - mean)).sum::<f64>() / DRAWS as f64;
        // Five standard deviations of either.
        assert!((mean - 1.0).abs() < 5.0 / (DRAWS as f64).sqrt(), "{mean}");
        assert!((variance - 1.0).abs() < 5.0 * (8.0 / DRAWS as f64).sqrt(), "{variance}");
    }
}
