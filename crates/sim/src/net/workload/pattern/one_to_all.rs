//! One host sends to all others.

use super::{PatternEntry, STARTS, about, host};
use crate::net::workload::pairs_at_arrivals::PairsAtArrivals;
use forebay_core::ParamSpec;

/// The registry's entry.
pub const ENTRY: PatternEntry = PatternEntry {
    about: about(
        "one-to-all",
        "One host to all others",
        "common",
        &[ParamSpec::text("src", "0", "name or number of the host that sends"), STARTS],
    ),
    build: |params, hosts, _| {
        let all_at_once = params.text("starts") == "all";
        let src = host(params, hosts, "src")?;
        let pairs = hosts.all().filter(|dst| *dst != src).map(|dst| (src, dst)).collect();
        Ok(Box::new(PairsAtArrivals::new(pairs, all_at_once)))
    },
};
