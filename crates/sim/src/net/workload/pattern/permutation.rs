//! Every host sends to one other host and receives from one other host.

use super::{PatternEntry, STARTS, about};
use crate::net::flow::HostId;
use crate::net::workload::pairs_at_arrivals::PairsAtArrivals;
use forebay_core::Rng;
use rand::RngExt as _;

/// The registry's entry.
pub const ENTRY: PatternEntry = PatternEntry {
    about: about(
        "permutation",
        "Every host sends to one other and receives from one other, chosen once",
        "Seer, NSDI'24, section 6; Hedera, NSDI'10",
        &[STARTS],
    ),
    build: |params, hosts, seed| {
        let all_at_once = params.text("starts") == "all";
        let receivers = derangement(hosts.all().collect(), &mut seed.stream("workload/permutation"));
        let pairs = hosts.all().zip(receivers).collect();
        Ok(Box::new(PairsAtArrivals::new(pairs, all_at_once)))
    },
};

/// An order of at least two hosts in which none is at its own place; all such orders are equally likely. About 2.7 tries.
fn derangement(mut hosts: Vec<HostId>, rng: &mut Rng) -> Vec<HostId> {
    debug_assert!(hosts.len() >= 2, "one host alone has no other place");
    loop {
        for place in (1..hosts.len()).rev() {
            hosts.swap(place, rng.random_range(0..=place));
        }
        if hosts.iter().enumerate().all(|(place, host)| host.index() != place) {
            return hosts;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use std::collections::BTreeMap;

    #[test]
    fn all_derangements_are_equally_likely() {
        let mut rng = Seed(1).stream("derangements");
        let mut counts: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        for _ in 0..90_000 {
            let order = derangement((0..4).map(HostId).collect(), &mut rng);
            *counts.entry(order.iter().map(|host| host.0).collect()).or_default() += 1;
        }
        assert_eq!(counts.len(), 9, "four things have nine derangements");
        // Five standard deviations of a count that is about Poisson.
        assert!(counts.values().all(|count| count.abs_diff(10_000) < 500), "{counts:?}");
    }
}
