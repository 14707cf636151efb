//! A pattern with the pairs of a list.

use super::{PatternEntry, STARTS, about};
use crate::net::flow::HostId;
use crate::net::workload::pairs_at_arrivals::PairsAtArrivals;
use crate::net::workload::{Hosts, UnknownHost};
use forebay_core::ParamError;
use forebay_core::params::{ParamKind, ParamSpec};

/// The registry's entry.
pub const ENTRY: PatternEntry = PatternEntry {
    about: about(
        "pairs",
        "The pairs of a list",
        "common",
        &[
            ParamSpec::list(
                "pairs",
                &ParamKind::Text { default: "" },
                "0>1",
                "sender and receiver of each pair, for example [\"h0>h5\", \"h1>h6\"]",
            ),
            STARTS,
        ],
    ),
    build: |params, hosts, _| {
        let all_at_once = params.text("starts") == "all";
        let pairs = params.texts("pairs").iter().map(|text| pair(text, hosts)).collect::<Result<Vec<_>, _>>();
        let pairs = pairs.map_err(|wrong| ParamError::of("pairs", wrong))?;
        if pairs.is_empty() {
            return Err(ParamError::of("pairs", "`pairs` is empty; give one like \"h0>h5\""));
        }
        Ok(Box::new(PairsAtArrivals::new(pairs, all_at_once)))
    },
};

/// Why a text is no pair of hosts.
#[derive(Debug, thiserror::Error)]
enum NoPair {
    #[error("`{0}` is no pair; write `sender>receiver`")]
    Shape(String),
    #[error(transparent)]
    Host(#[from] UnknownHost),
    #[error("in `{0}` a host sends to itself")]
    ToItself(String),
}

fn pair(text: &str, hosts: &Hosts) -> Result<(HostId, HostId), NoPair> {
    let text = text.trim();
    let (src, dst) = text.split_once('>').ok_or_else(|| NoPair::Shape(text.to_owned()))?;
    let (src, dst) = (hosts.find(src)?, hosts.find(dst)?);
    if src == dst { Err(NoPair::ToItself(text.to_owned())) } else { Ok((src, dst)) }
}
