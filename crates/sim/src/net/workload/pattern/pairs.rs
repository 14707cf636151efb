//! The pairs of a list.

use super::{PatternEntry, STARTS, about, is_second};
use crate::net::flow::HostId;
use crate::net::workload::Hosts;
use crate::net::workload::pairs_at_arrivals::PairsAtArrivals;
use forebay_core::ParamError;
use forebay_core::params::{ParamKind, ParamSpec};

/// The registry's entry.
pub const ENTRY: PatternEntry = PatternEntry {
    about: about(
        "pairs",
        "The pairs of a list",
        "common",
        &[
            ParamSpec {
                name: "pairs",
                kind: ParamKind::Text { default: "0>1" },
                meaning: "sender and receiver of each pair, for example `h0>h5, h1>h6`",
            },
            STARTS,
        ],
    ),
    build: |params, hosts, _| {
        let all_at_once = is_second(params, "starts", ["one", "all"])?;
        let pairs = params.text("pairs").split(',').map(|text| pair(text, hosts)).collect::<Result<_, _>>();
        let pairs = pairs.map_err(|message| ParamError::of("pairs", message))?;
        Ok(Box::new(PairsAtArrivals::new(pairs, all_at_once)))
    },
};

fn pair(text: &str, hosts: &Hosts) -> Result<(HostId, HostId), String> {
    let text = text.trim();
    let (src, dst) = text.split_once('>').ok_or_else(|| format!("`{text}` is no pair; write `sender>receiver`"))?;
    let (src, dst) = (hosts.find(src)?, hosts.find(dst)?);
    if src == dst { Err(format!("in `{text}` a host sends to itself")) } else { Ok((src, dst)) }
}
