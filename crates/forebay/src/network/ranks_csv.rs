//! Inversions of a run by rank as CSV: a line for each bin of ranks at each link where they were counted.

use super::run_result::LinkInversions;
use crate::output::csv::lines;

/// The whole table with its header.
pub(super) fn ranks_csv(links: &[LinkInversions]) -> String {
    let header = ["link", "lowest_rank", "bin_width", "packets_out", "inversions"];
    let rows = links.iter().flat_map(|link| {
        let counts = &link.by_rank;
        (0..).zip(counts.packets_out.iter().zip(&counts.inversions)).map(move |(bin, (packets_out, inversions))| {
            let numbers = [bin * counts.bin_width, counts.bin_width, *packets_out, *inversions];
            std::iter::once(link.link.clone()).chain(numbers.map(|number| number.to_string())).collect()
        })
    });
    lines(&header, rows)
}
