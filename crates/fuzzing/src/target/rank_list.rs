//! Lists of ranks: an order or a message.

use super::FuzzTarget;
use crate::chunked_input::shown;
use forebay_traces::rank_csv::read_rank_csv;

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "rank_list",
    title: "Any text is a list of ranks, or has a message",
    seeds: || ["rank\n1\n5\n3\n", "1\n2\n3\n", "rank,size\n7,1500\n8,64\n"].map(|text| text.as_bytes().to_vec()).into(),
    run,
    quick: 100_000,
};

fn run(data: &[u8]) {
    if let Err(error) = read_rank_csv(data) {
        shown(error);
    }
}
