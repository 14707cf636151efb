//! Flow sizes with a distribution function of straight lines and steps.
//!
//! Every size is a whole multiple of a unit (a byte, or a full packet). A piece of the table is a run of sizes that are equally likely; a
//! step is a run of one. Probabilities are whole multiples of 2^-53. One draw and the inverse of the distribution function, in integers,
//! give a size: the least size whose probability of not being exceeded is above the draw. So the table has one possible result for a draw,
//! which a scan over all sizes finds, too.
//!
//! A draw costs a binary search over the pieces.

use super::flow_sizes::FlowSizes;
use forebay_core::{Rng, convert};
use rand::Rng as _;

/// The probability 1.
const ONE: u64 = 1 << 53;

/// A table of size ranges with their probabilities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SizeTable {
    pieces: Vec<Piece>,
    unit_bytes: u64,
    /// Whether the file does not name the unit of sizes.
    pub(crate) unit_is_unsaid: bool,
}

/// Sizes from `first` on, `sizes` in number, that share the probability from `below` to `below + share`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    first: u64,
    sizes: u64,
    below: u64,
    share: u64,
}

impl SizeTable {
    /// A table of sizes in units of `unit_bytes`, still without sizes.
    pub(crate) fn in_units_of(unit_bytes: u64) -> Self {
        Self { pieces: Vec::new(), unit_bytes, unit_is_unsaid: false }
    }

    /// Returns a warning if the file does not name the unit of sizes, so that they count as bytes, but they may be packets.
    #[must_use]
    pub fn doubt(&self) -> Option<String> {
        const MANY_BYTES: u64 = 1_000_000;
        let largest = self.quantile(1.0);
        (self.unit_is_unsaid && largest < MANY_BYTES).then(|| {
            format!(
                "no line names the unit of sizes, so the largest flow has {largest} bytes; if sizes are in packets, write \
                 `packets of 1460 bytes` on a line before the first size, and otherwise `bytes`"
            )
        })
    }

    /// Equally likely sizes from `first` to `last`, in bytes.
    pub(crate) fn uniform(first: u64, last: u64) -> Self {
        let mut table = Self::in_units_of(1);
        table.push(first, last, 1.0);
        table
    }

    /// Adds sizes from `first` to `last`, with which the distribution function rises to `up_to`. Nothing if it does not
    /// rise.
    pub(crate) fn push(&mut self, first: u64, last: u64, up_to: f64) {
        debug_assert!(1 <= first && first <= last, "flows have bytes");
        let below = self.pieces.last().map_or(0, |piece| piece.below + piece.share);
        let up_to = scaled(up_to);
        if up_to > below {
            self.pieces.push(Piece { first, sizes: last - first + 1, below, share: up_to - below });
        }
    }

    /// The least size with which the distribution function is above `draw`.
    fn size_at(&self, draw: u64) -> u64 {
        let place = self.pieces.partition_point(|piece| piece.below + piece.share <= draw);
        let piece = self.pieces[place.min(self.pieces.len() - 1)];
        let within = u128::from(draw - piece.below) * u128::from(piece.sizes) / u128::from(piece.share);
        let within = convert::saturate::<u64>(within).min(piece.sizes - 1);
        (piece.first + within) * self.unit_bytes
    }
}

impl FlowSizes for SizeTable {
    fn mean_bytes(&self) -> f64 {
        let moment = |piece: &Piece| piece.share as f64 * (piece.first as f64 + (piece.sizes - 1) as f64 / 2.0);
        self.pieces.iter().map(moment).sum::<f64>() * self.unit_bytes as f64 / ONE as f64
    }

    fn draw(&self, rng: &mut Rng) -> u64 {
        self.size_at(rng.next_u64() >> 11)
    }

    fn quantile(&self, share: f64) -> u64 {
        self.size_at(scaled(share).max(1) - 1)
    }
}

/// A probability as a multiple of 2^-53.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn scaled(probability: f64) -> u64 {
    ((probability * ONE as f64).round() as u64).min(ONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt as _;

    /// The obvious meaning of the table: steps through all sizes until the distribution function is above the draw.
    fn naive(runs: &[(u64, u64, f64)], draw: u64) -> u64 {
        let mut below = 0;
        for &(first, last, up_to) in runs {
            let share = u128::from(scaled(up_to) - below);
            let sizes = u128::from(last - first + 1);
            for (rank, size) in (1_u128..).zip(first..=last) {
                // draw < below + share x rank / sizes
                if u128::from(draw) * sizes < u128::from(below) * sizes + share * rank {
                    return size;
                }
            }
            below = scaled(up_to);
        }
        panic!("the distribution function ends at 1");
    }

    #[test]
    fn random_tables_give_what_a_scan_over_all_sizes_gives() {
        let mut rng = Seed(5).stream("tables");
        for case in 0..300 {
            let unit = if case % 3 == 0 { 1_460 } else { 1 };
            let mut rises: Vec<f64> = (0..rng.random_range(1..8)).map(|_| rng.random::<f64>()).collect();
            rises.sort_by(f64::total_cmp);
            if case % 5 == 0 {
                let again = rises[0];
                rises.insert(0, again);
            }
            *rises.last_mut().unwrap() = 1.0;
            let mut runs = Vec::new();
            let mut first = rng.random_range(1..5);
            for up_to in rises {
                let last = first + if rng.random_bool(0.4) { 0 } else { rng.random_range(0..60) };
                runs.push((first, last, up_to));
                first = last + rng.random_range(0..3);
            }
            let mut table = SizeTable::in_units_of(unit);
            for &(first, last, up_to) in &runs {
                table.push(first, last, up_to);
            }
            let edges = runs.iter().flat_map(|&(_, _, up_to)| [scaled(up_to).max(1) - 1, scaled(up_to).min(ONE - 1)]);
            let draws: Vec<u64> = edges.chain([0]).chain((0..200).map(|_| rng.random_range(0..ONE))).collect();
            for draw in draws {
                assert_eq!(table.size_at(draw), naive(&runs, draw) * unit, "{runs:?} {draw}");
            }
            // The mean is that of all sizes, one by one.
            let mut below = 0;
            let mut mean = 0.0;
            for &(first, last, up_to) in &runs {
                let share = (scaled(up_to) - below) as f64 / ONE as f64 / (last - first + 1) as f64;
                mean += (first..=last).map(|size| share * (size * unit) as f64).sum::<f64>();
                below = scaled(up_to);
            }
            assert!((table.mean_bytes() / mean - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn quantiles_are_the_least_sizes_of_so_large_a_share() {
        let table = SizeTable::uniform(1, 100);
        let quantiles = [0.0, 0.004, 0.01, 0.011, 0.5, 0.995, 1.0].map(|share| table.quantile(share));
        assert_eq!(quantiles, [1, 1, 1, 2, 50, 100, 100]);
        let mut steps = SizeTable::in_units_of(1);
        steps.push(10, 10, 0.25);
        steps.push(20, 20, 1.0);
        assert_eq!([0.0, 0.25, 0.26, 1.0].map(|share| steps.quantile(share)), [10, 10, 20, 20]);
        assert_eq!(steps.mean_bytes(), 17.5);
    }
}
