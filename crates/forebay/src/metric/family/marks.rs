//! Packets that are marked.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Packets that carry a congestion mark to their receiver (ECN)",
    better: Better::Neither,
    cost: FREE,
    source: Some("RFC 3168"),
    metrics: &[
        metric(
            "packets_marked",
            Unit::Counted("packets"),
            "Packets that were marked (ECN)",
            &[Of::Packets(|counts| Some(counts.packets_marked as f64))],
        ),
        metric(
            "marks",
            Unit::Counted("packets"),
            "Packets that got a congestion mark",
            &[Of::Network(|run| Some((run.switches.packets_marked + run.cards.packets_marked) as f64))],
        ),
    ],
};
