//! Inversions of a run by rank: a row for each bin of ranks at each link where inversions were counted.

use super::run_result::LinkInversions;
use crate::detail::{Column, DetailTable, Value};

/// The table of bins of ranks at links.
pub(crate) static RANKS: DetailTable = DetailTable {
    name: "ranks",
    columns: &[
        Column::text("link"),
        Column::code("lowest_rank"),
        Column::count("bin_width"),
        Column::count("packets_out"),
        Column::count("inversions"),
    ],
};

/// Returns the rows of a run.
pub(super) fn rank_rows(links: &[LinkInversions]) -> impl Iterator<Item = [Value<'_>; 5]> {
    links.iter().flat_map(|link| {
        let counts = &link.by_rank;
        (0..).zip(counts.packets_out.iter().zip(&counts.inversions)).map(move |(bin, (packets_out, inversions))| {
            let [lowest, width, packets_out, inversions] =
                [bin * counts.bin_width, counts.bin_width, *packets_out, *inversions].map(Value::Whole);
            [Value::Text(&link.link), lowest, width, packets_out, inversions]
        })
    })
}
