//! Packets and bytes that arrive, depart and wait.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Packets and bytes on the wire that arrive, depart and wait; each packet is counted once",
    better: Better::Neither,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "packets_in",
            Unit::Counted("packets"),
            "Packets that arrived",
            &[Of::Packets(|counts| Some(counts.packets_in as f64)), Of::RankBin(|bin| Some(bin.packets_in as f64))],
        ),
        metric(
            "packets_out",
            Unit::Counted("packets"),
            "Packets that departed",
            &[Of::Packets(|counts| Some(counts.packets_out as f64))],
        ),
        metric(
            "packets_queued",
            Unit::Counted("packets"),
            "Packets that still wait at the end",
            &[Of::Packets(|counts| Some(counts.packets_queued as f64))],
        ),
        metric(
            "bytes_in",
            Unit::Counted("bytes"),
            "Bytes that arrived",
            &[Of::Packets(|counts| Some(counts.bytes_in as f64))],
        ),
        metric(
            "bytes_out",
            Unit::Counted("bytes"),
            "Bytes that departed",
            &[Of::Packets(|counts| Some(counts.bytes_out as f64))],
        ),
        metric(
            "packets_injected",
            Unit::Counted("packets"),
            "Packets that hosts made in the whole run",
            &[Of::Network(|run| Some(run.packets_injected as f64))],
        ),
        metric(
            "packets_delivered",
            Unit::Counted("packets"),
            "Packets that arrived at a host in the whole run",
            &[Of::Network(|run| Some(run.packets_delivered as f64))],
        ),
        metric(
            "packets_in_network",
            Unit::Counted("packets"),
            "Packets that waited or were on a link at the end",
            &[Of::Network(|run| Some(run.packets_in_network as f64))],
        ),
        metric(
            "packet_hops",
            Unit::Counted("packets"),
            "Packets sent over a link, counted on each link, in the whole run",
            &[Of::Network(|run| Some(run.packet_hops as f64))],
        ),
    ],
};
