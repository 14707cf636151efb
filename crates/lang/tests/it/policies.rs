//! Whole policies: what they become.

use crate::documents::{LISTINGS, programs};
use crate::shown::policy;

/// The listings whose programs contain `part`.
fn listing(part: &str) -> &'static str {
    programs(LISTINGS).into_iter().find(|program| program.contains(part)).unwrap()
}

#[test]
fn listing_3_is_a_single_queue_with_optimal_throughput() {
    let text =
        format!("param B = 64 pkts\n{}{}", listing("rsrpt(p1, p2) = (p1"), listing("q1.procPrio(p1, p2) = srpt"));
    println!("{}", policy(&text));
}
