//! One host sends to one other host.

use super::{PatternEntry, about, host};
use crate::net::workload::pairs_at_arrivals::PairsAtArrivals;
use forebay_core::{ParamError, ParamSpec};

/// The registry's entry.
pub const ENTRY: PatternEntry = PatternEntry {
    about: about(
        "fixed",
        "One host to one other",
        "common",
        &[
            ParamSpec::text("src", "0", "name or number of the host that sends"),
            ParamSpec::text("dst", "1", "name or number of the host that receives"),
        ],
    ),
    build: |params, hosts, _| {
        let (src, dst) = (host(params, hosts, "src")?, host(params, hosts, "dst")?);
        if src == dst {
            return Err(ParamError::of("dst", "`dst` must be another host than `src`"));
        }
        Ok(Box::new(PairsAtArrivals::new(vec![(src, dst)], false)))
    },
};
