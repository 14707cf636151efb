//! One host to all others.

use super::{PatternEntry, STARTS, about, host, is_second};
use crate::net::workload::pairs_at_arrivals::PairsAtArrivals;
use forebay_core::params::{ParamKind, ParamSpec};

/// The registry's entry.
pub const ENTRY: PatternEntry = PatternEntry {
    about: about(
        "one-to-all",
        "One host to all others",
        "common",
        &[
            ParamSpec {
                name: "src",
                kind: ParamKind::Text { default: "0" },
                meaning: "name or number of the host that sends",
            },
            STARTS,
        ],
    ),
    build: |params, hosts, _| {
        let all_at_once = is_second(params, "starts", ["one", "all"])?;
        let src = host(params, hosts, "src")?;
        let pairs = hosts.all().filter(|dst| *dst != src).map(|dst| (src, dst)).collect();
        Ok(Box::new(PairsAtArrivals::new(pairs, all_at_once)))
    },
};
